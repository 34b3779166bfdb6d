import type { GrowingClass, LeakHolder, LeakNote, LeakStack } from '../../model/domain/leak.ts';
import type { ReadingThread } from '../reading/readingThread.ts';
import type { RecordingContext } from '../run/recording/recordPlan.ts';

/** A class with fewer survivors than one of so many requests is no leak of requests. */
export const requestsPerObject = 200;
export const mostStacks = 5;

/** What finding a leak needs of the engine, in addition to what a recording needs. */
export interface LeakContext extends RecordingContext {
  reading: ReadingThread;
}

/** What stays and grows, as far as it could be seen. */
export interface Traced {
  classes: GrowingClass[];
  holders: LeakHolder[];
  stacks: LeakStack[];
  notes: LeakNote[];
}

/** How what is found may be looked for. */
export interface TraceOptions {
  /** One more cycle of load and rest; the number of requests that were sent. */
  cycle: () => Promise<number>;
  /** How many of the cycles that were measured do not count. */
  settling: number;
  hasTime: () => boolean;
}

/** The heap of one process, as this runtime shows it. */
export interface WatchedHeap {
  /** Collects the whole heap; bytes that are still in use. Fails with a `FailureError`. */
  level(): Promise<number>;
  /** What grows, by recording further cycles which do not count: a recorder may keep objects and costs time. */
  trace(options: TraceOptions): Promise<Traced>;
  /** Leaves the process as it was. Never fails. */
  close(): Promise<void>;
}
