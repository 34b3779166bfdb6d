import type { OpenLoopCounts } from './loadProtocol.ts';

/** Sends the requests of a block and reports their outcome to its meter. Times in ms of `performance.now()`. */
export interface LoadLoop {
  /** Requests that were sent since the block began. */
  readonly sent: number;
  /** Requests that each port has answered since the block began, in the order of the ports; absent where that is not known. */
  readonly answeredBy?: readonly number[];
  start(): void;
  beginWindow(now: number): void;
  /** It ends; what it did, in the open loop. */
  endWindow(now: number): OpenLoopCounts | null;
  /** How long connections thought within the window that has just ended, all together; null where none does. */
  readonly thoughtMs: number | null;
  /** How long each request that is in progress has been waiting. */
  agesMs(now: number): number[];
  /** Sends no more and waits, not for long, for the answers that belong to the last window. */
  drain?(): Promise<void>;
  /** Counts what is still in progress and belongs to the window that just ended: absent where that is the window in which it will be answered. */
  settle?(now: number): void;
  /**
   * Sends no more, waits for the answers that are in progress as long as `mayWait` says so, and closes all connections; resolves when they are closed. A server
   * continues with requests that were given up, and would do so within the next block.
   */
  close(mayWait: () => boolean): Promise<void>;
}
