import { failure } from '../../model/domain/failure.ts';
import type { BlockOptions, BlockPlan } from '../load/loadPlans.ts';
import { portAuthorities } from '../load/loopback.ts';
import type { K6Reading } from './k6Blocks.ts';
import { type K6Measured, k6Measurement } from './k6Measurement.ts';
import { readInThread } from './k6Thread.ts';
import { k6Traffic } from './k6Traffic.ts';

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

/** Marks the rows of a block that is one test of its own. */
const blockId = 'local';

/** plan.json for one block as a test of its own, with the index 0. The load continues for `tailS` after the window. */
export function blockDocument(plan: BlockPlan, tailS: number): object {
  return {
    id: blockId,
    url: '',
    settleS: plan.settleMs / 1000,
    durationS: plan.windowMs / 1000 + tailS,
    trials: [{ connections: plan.connections }],
    tests: [{ round: 1, trial: 0, seed: plan.seed }],
    traffic: k6Traffic(plan, undefined),
  };
}

/** Where k6 on this machine finds the target; it has no Unix sockets. */
export function blockUrls({ host, port, morePorts = [], tls = false }: BlockPlan): string[] {
  return portAuthorities(host, [port, ...morePorts]).map(({ authority }) => `${tls ? 'https' : 'http'}://${authority}`);
}

/** The environment of each k6 of a block, without where it writes. */
export function blockVariables({ tls = false, keepAlive = true }: BlockPlan, urls: readonly string[]): Record<string, string> {
  return {
    K6_CSV_TIME_FORMAT: 'unix_micro',
    BENCHSIDE_TEST: '0',
    BENCHSIDE_URL: urls.join(','),
    ...(tls ? { K6_INSECURE_SKIP_TLS_VERIFY: 'true' } : {}),
    ...(keepAlive ? {} : { K6_NO_CONNECTION_REUSE: 'true' }),
  };
}

/**
 * What the files of a block’s runners say. `settleMs`: from the beginning of the last of them to that of the window. Fails with `k6-failed`, `k6-csv` and
 * `k6-files`.
 */
export async function readBlock(
  plan: BlockPlan,
  { files, settleMs, workerPath, signal }: Pick<K6Reading, 'files' | 'settleMs'> & { workerPath: string; signal: AbortSignal },
): Promise<K6Measured> {
  const reading = { files, id: blockId, tests: 1, settleMs, windowMs: plan.windowMs, open: plan.open !== undefined };
  const { blocks } = await readInThread(workerPath, reading, { signal });
  const [block] = blocks;
  if (block === undefined)
    throw failure('k6-failed', 'k6 has left no rows.', 'Run it again, and look at k6 itself where it happens again.');
  return k6Measurement(block, { durationS: plan.windowMs / 1000, traffic: k6Traffic(plan, undefined) }, plan.connections);
}
