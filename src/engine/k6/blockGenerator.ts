import type { BlockOptions, BlockPlan } from '../load/loadPlans.ts';
import type { K6Measured } from './k6Measurement.ts';

/** Puts the load of blocks on in place of our own generator. */
export interface BlockGenerator {
  /** For a record: what put the load on. */
  readonly phrase: string;
  /** Its processes that run on this machine. */
  readonly pids: readonly number[];
  /** Whether the service is asked somewhere else than at the processes of this machine, so that nothing is known of its CPU. */
  readonly elsewhere: boolean;
  /** To be called before the first block, where there is something to prepare. */
  open?(signal: AbortSignal): Promise<void>;
  /** Rejects with the signal’s reason, and with `k6-…` failures; nothing that it began for the block is left. */
  runBlock(plan: BlockPlan, options: BlockOptions): Promise<K6Measured>;
  /** Nothing of it is left afterwards; what cannot be removed now stays in the journal. */
  close?(): Promise<void>;
}
