import type { Transform } from '../../../src/calltree/transforms.ts';

/** Side by side: how weights of two recordings are made comparable, and whose width a box has. */
export interface DiffSpec {
  normalise: 'perRequest' | 'share' | 'raw';
  width: 'union' | 'a' | 'b';
}

/** What is to be laid out. Two equal specifications give the same layout. */
export interface ViewSpec {
  /** Name of an event of the recording. */
  event: string;
  /** `heavy`: the heaviest callee first; `time`: as it happened, one box per uninterrupted stay in a frame. */
  order: 'heavy' | 'time';
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
