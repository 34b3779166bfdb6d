/** What is done to the stacks before they are drawn, in the order in which the user asked for it. Functions and nodes are those of the tree on show. */
export type Transform =
  /** Only the stacks that go through this node; what is above it is left out. */
  | { kind: 'focusNode'; node: number }
  /** Only the stacks that hold this function, from its outermost frame down. */
  | { kind: 'focusFunction'; func: number }
  /** The function's frames are left out; what they call is called by their callers. */
  | { kind: 'hideFunction'; func: number }
  /** All stacks with this function are left out, and so is their weight. */
  | { kind: 'dropFunction'; func: number }
  /** The subtree of this node is left out, and so is its weight. */
  | { kind: 'dropNode'; node: number }
  /** A function that calls itself, directly or not, is one frame. */
  | { kind: 'foldRecursion' }
  /** Runs of dependency, runtime and native frames become one frame, the first of the run. */
  | { kind: 'foldLibraries' };

/** Side by side: how weights of two recordings are made comparable, and whose width a box has. */
export interface DiffSpec {
  normalise: 'perRequest' | 'share' | 'raw';
  width: 'union' | 'a' | 'b';
}

/** What is to be laid out. Two equal specifications give the same layout. */
export interface ViewSpec {
  /** Name of an event of the recording. */
  event: string;
  /** `heavy`: the heaviest callee first; `name`: by name; `time`: as it happened, one box per uninterrupted stay in a frame. */
  order: 'heavy' | 'name' | 'time';
  /** Indexes into the recording's threads and states; null: all of them. */
  threads: readonly number[] | null;
  states: readonly number[] | null;
  /** False: nodes with the role `idle` are left out, with their weight. */
  showIdle: boolean;
  /** µs since the start of the recording; null: all of it. */
  timeRange: readonly [fromUs: number, toUs: number] | null;
  transforms: readonly Transform[];
  diff: DiffSpec | null;
}

/** The callers or the callees of one function, all its occurrences merged; `callers` is drawn upside down. */
export interface SandwichSpec {
  func: number;
  direction: 'callers' | 'callees';
}
