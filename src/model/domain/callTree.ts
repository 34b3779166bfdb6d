/** Where a function comes from; kept as a byte in {@link FunctionTable.kind}. */
export const frameKinds = ['app', 'dependency', 'runtime', 'native', 'kernel', 'gc', 'jit', 'waiting', 'idle', 'other'] as const;
export type FrameKind = (typeof frameKinds)[number];

/**
 * What a stack is doing from this node on towards its leaf, beyond the kind of its frames; kept as a byte in {@link CallTree.role}. `idle` marks
 * threads that wait for work; the others are waits of a request: for a pooled connection, for the database, for a lock, for anything else.
 */
export const nodeRoles = ['none', 'idle', 'poolWait', 'databaseWait', 'lockWait', 'otherWait'] as const;
export type NodeRole = (typeof nodeRoles)[number];

type MeasuredWait = Extract<NodeRole, 'poolWait' | 'databaseWait' | 'lockWait'>;

/** Events that hold nothing but waits for one thing: what a recorder measured as such needs no frame that says so. */
export const measuredWaits: ReadonlyMap<string, MeasuredWait> = new Map<string, MeasuredWait>([
  ['poolWait', 'poolWait'],
  ['database', 'databaseWait'],
  // A thread that waits to enter a monitor has no frame that says so.
  ['lock', 'lockWait'],
]);

/** How a frame's code was compiled when it was seen last; kept as a byte in {@link CallTree.tier}. */
export const codeTiers = ['unknown', 'interpreted', 'baseline', 'optimised', 'inlined'] as const;
export type CodeTier = (typeof codeTiers)[number];

/** Functions by number. `file` is '' and `line` 0 where they are not known; `line` is that of the declaration, from 1. */
export interface FunctionTable {
  name: string[];
  file: string[];
  line: Int32Array;
  /** Index into {@link frameKinds}. */
  kind: Uint8Array;
  /** What the library is called that it was loaded from, '' where that is not known; left out where it is known of none. */
  library?: string[];
}

/** What was counted, and how much of it each node has itself, without its callees. */
export interface EventColumn {
  /** cpu, wall, poolWait, database, alloc, lock, heap, samples … */
  name: string;
  unit: 'ns' | 'bytes' | 'count';
  self: Float64Array;
  /** In a tree from which narrow nodes were left out: what was left out below each node, which counts for its total and not for its self weight. */
  rest?: Float64Array;
}

/** Samples in the order of time, where the recording has them: which node, in which thread, when. */
export interface SampleTable {
  timeUs: Float64Array;
  node: Int32Array;
  /** Index into {@link CallTree.threads}; -1 where not known. */
  thread: Int32Array;
  /** Index into {@link CallTree.events}. */
  event: Uint8Array;
  weight: Float64Array;
  /** Index into {@link CallTree.states}. */
  state?: Uint8Array;
}

/** How often each line of a node's function was seen executing, where the recording distinguishes lines (V8's position ticks). */
export interface LineTickTable {
  node: Int32Array;
  /** From 1. */
  line: Int32Array;
  /** Shares of the node's self weight, as counts. */
  ticks: Float64Array;
}

/** Samples that hit the recorder's own code and are no part of a tree; `ofSamples` counts them too. */
export interface LeftOutSamples {
  /** Name of an event. */
  event: string;
  samples: number;
  ofSamples: number;
  /** What they weigh, in the event's unit; left out where that is not known. */
  weight?: number;
}

/** Something that every reader of a recording must know. Sentences are made of it where it is shown. */
export type TreeRemark =
  /** Lines that are no stack were skipped; `first` is the number of the first of them. */
  | { code: 'lines-skipped'; lines: number; ofLines: number; first: number }
  /** The file ends in the middle; the part before was read. */
  | { code: 'cut-short' }
  /** So many profiles of a thread were left out, as another one covers the same time. */
  | { code: 'profiles-overlap'; leftOut: number }
  /** Pieces of the file are missing, and with them callers of so many samples. */
  | { code: 'callers-missing'; samples: number }
  /** For the whole recording, so many threads were in a wait that `caller` began. They are shown as idle; `first` is the name of one. */
  | { code: 'threads-stand'; threads: number; first: string; caller: string };

/**
 * The one form that every recording is parsed into: nodes in depth-first order, as columns. Node 0 is the root: the whole
 * recording and has no function. The subtree of node n is the range [n, subtreeEnd[n]).
 */
export interface CallTree {
  nodeCount: number;
  /** -1 for the root. */
  parent: Int32Array;
  subtreeEnd: Int32Array;
  /** 0 for the root. */
  depth: Int32Array;
  /** Index into `functions`; -1 for the root. */
  func: Int32Array;
  /** Line that was executing in this frame, from 1; 0 where not known. */
  line: Int32Array;
  events: EventColumn[];
  functions: FunctionTable;
  threads: string[];
  samples: SampleTable | null;
  /** Names of thread states as recorded (STATE_RUNNABLE …); the first is '' for samples without one. */
  states?: string[];
  lineTicks?: LineTickTable;
  /** Index into {@link nodeRoles} for each node; left out where nobody waits. */
  role?: Uint8Array;
  /** Index into {@link codeTiers} for each node; absent where the recording does not contain it. */
  tier?: Uint8Array;
  /** What was left out because it was not the app's, by event; left out itself where there was none. */
  leftOut?: readonly LeftOutSamples[];
  /**
   * By thread, its numbers in the system; and, by such a number, the CPU time of the recorder itself, in ns, which is part of no node. Absent where the
   * recording does not contain it.
   */
  systemThreads?: { ids: readonly (readonly number[])[]; recorder: ReadonlyMap<number, number> };
  /** Threads that the machine could run at once; absent where the recording does not contain it. */
  cores?: number;
  /** What must be known of how it was read; left out where there is nothing. */
  remarks?: readonly TreeRemark[];
}
