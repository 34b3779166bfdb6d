/**
 * Boxes to draw, as columns. They are in order of level from the root (level 0) down, and within a level from left to right without overlap:
 * the boxes of level l are [levelStart[l], levelStart[l + 1]). `x` and `w` are in the unit of the event (for `time`: µs), in doubles, so that
 * any zoom is exact; box 0 is the root and covers [0, total].
 */
export interface Layout {
  boxCount: number;
  levelStart: Uint32Array;
  x: Float64Array;
  w: Float64Array;
  /** Function of each box, -1 for the root. Numbers of the recording on show (in a comparison: of both, see `FlameNames`). */
  func: Int32Array;
  /** Line that was executing, 0 where not known or where several are merged. */
  line: Int32Array;
  /** First node of the tree that the box represents; -1 where there is none. */
  node: Int32Array;
  /** The parent box; -1 for the root. */
  parent: Int32Array;
  self: Float64Array;
  /** Index into `categories` of `colours.ts`. */
  category: Uint8Array;
  /** Index into `codeTiers`; null where the recording does not contain it. */
  tier: Uint8Array | null;
  total: number;
  unit: 'ns' | 'bytes' | 'count';
  /** True: `x` is time in µs, and widths are durations, not weights. */
  timeOrdered: boolean;
  /** What was left out because it is idle, in the event's unit; counted before any transform, of the recording on show. */
  hiddenIdle: number;
  /** In the order of time: the thread that is shown, as an index into the recording's threads; -1 where threads are not known. */
  timeThread?: number;
  /** In the order of time: what `x` = 0 is, in µs since the recording's first sample (below zero where that one covers time before it). */
  timeFromUs?: number;
  /** The folded frames of the boxes; absent where nothing is folded. */
  folds?: BoxFolds;
  /** In a comparison: normalised weights of both sides by box (`w` is by the width that was asked for), else null. */
  diff: LayoutDiff | null;
}

/** What was folded into each box. */
export interface BoxFolds {
  /** The number of consecutive frames that a box represents; 1: itself alone. */
  frames: Int32Array;
  /** Index into `libraries`: of which libraries those are. */
  library: Int32Array;
  libraries: readonly string[];
}

/** Weights of both recordings by box, made comparable. `change` is selfA − selfB: above zero, the recording on show takes more. */
export interface LayoutDiff {
  totalA: Float64Array;
  totalB: Float64Array;
  selfA: Float64Array;
  selfB: Float64Array;
  /** The largest |selfA − selfB|, at which the colour is full. */
  maxChange: number;
  unit: 'ns/request' | 'bytes/request' | 'count/request' | 'share' | 'ns' | 'bytes' | 'count';
}

/** What a search found in a layout. Weights are exact: a stack with several matching frames counts once. */
export interface SearchResult {
  /** 1 for each box whose function matches. */
  matches: Uint8Array;
  /** Matching boxes from left to right, then down: the order of next and previous. */
  order: Uint32Array;
  matchedWeight: number;
  matchedShare: number;
}

/** One row per function that weighs anything in the view; unsorted. `change` columns only in a comparison. */
export interface FunctionTableColumns {
  func: Int32Array;
  self: Float64Array;
  total: Float64Array;
  /** In a comparison: the same of the other recording, normalised; else null. */
  selfB: Float64Array | null;
  totalB: Float64Array | null;
  /** What a function itself waits for, as an index into `nodeRoles`; absent where no function waits. */
  role?: Uint8Array;
  /** Of functions that wait, the user's function that most of it is asked for in; -1 where there is none. */
  caller?: Int32Array;
  /** Of functions into whose frames others are folded, which weigh as theirs: of which libraries those are; else empty. Absent where nothing is folded. */
  folded?: readonly string[];
}

/** Thread × time: for each thread and each of `buckets` equal spans of time, the role and state that took most of it, and how much was sampled. */
export interface ThreadStrip {
  /** Those with samples in the view, the busiest first; -1 means samples whose thread is not known. */
  threads: Int32Array;
  buckets: number;
  /** µs since the recording's first sample, as in `ViewSpec.timeRange`. */
  fromUs: number;
  toUs: number;
  /** thread-major, `threads.length × buckets`: index into `categories`; 255: nothing sampled. */
  category: Uint8Array;
  /** Index into the recording's states. */
  state: Uint8Array;
  /** Weight sampled, in the event's unit. */
  weight: Float64Array;
}

/** Names for boxes: functions by number. In a comparison the numbers are those of a table that holds both recordings' functions. */
export interface FlameNames {
  name: readonly string[];
  file: readonly string[];
  line: Int32Array;
  kind: Uint8Array;
  /** In a comparison: the function's number in recording a and b, -1 where it is not there. */
  inA: Int32Array | null;
  inB: Int32Array | null;
}
