import { failure } from '../../model/domain/failure.ts';
import type { LoadGenerator } from './loadGenerator.ts';
import type { BlockOptions, BlockPlan, BlockResult } from './loadPlans.ts';
import { machineMs } from './machineClock.ts';
import { type RolesPlan, rolesBlock } from './scenario/rolesPlan.ts';

/** Windows that begin or end with a larger gap than this did not measure the loads at the same time. */
export const widestSkewMs = 100;
/** From the command to a window that opens at once. */
const leadMs = 200;

/** One of several loads; each has a generator, and so a process, of its own. */
export interface TogetherLoad {
  name: string;
  generator: LoadGenerator;
  /** Connections, a rate, or roles. Its `openAtMs` is not used. */
  plan: BlockPlan | RolesPlan;
  onTick?: BlockOptions['onTick'];
}

export interface TogetherResult {
  /** By the name of the load. */
  results: Record<string, BlockResult>;
  /** How far apart the windows opened, in ms. */
  openSkewMs: number;
  /** How far apart they closed; null when a load ended after a number of requests, as requested. */
  closeSkewMs: number | null;
  /** How far apart the windows were where these are not figures of one and the same time; null when they are. */
  apartMs: number | null;
}

/**
 * Puts several loads on a target, or on several, at the same time, and measures each apart in one window: all begin at once, settle for the longest of
 * their settling times, and open their windows at the same moment of the machine's clock. What a load's result says of roles is its `scenario`.
 * When one fails the others are stopped, and its failure is thrown; when `signal` aborts, all are. Fails with `load-together-invalid` when two have the
 * same name or the same generator, or windows of different lengths.
 */
export async function runTogether(loads: readonly TogetherLoad[], options: { signal?: AbortSignal } = {}): Promise<TogetherResult> {
  const plans = loads.map(({ plan }) => ('stages' in plan ? rolesBlock(plan) : plan));
  check(loads, plans);
  const settleMs = Math.max(leadMs, ...plans.map((plan) => plan.settleMs));
  const openAtMs = machineMs() + settleMs;
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
  const outcomes = await Promise.allSettled(
    loads.map(async ({ generator, onTick }, i) => {
      const plan = plans[i];
      if (plan === undefined) throw new RangeError('each load has a plan');
      try {
        return await generator.runBlock({ ...plan, settleMs, openAtMs }, { signal, ...(onTick === undefined ? {} : { onTick }) });
      } catch (error) {
        // The others are stopped with the reason of the first, so that all reject with the same.
        stop.abort(error);
        throw error;
      }
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw stop.signal.aborted ? stop.signal.reason : failed.reason;
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const byCount = plans.some(({ requests }) => requests !== undefined);
  const openSkewMs = spread(results.map(({ windowStart }) => windowStart));
  const closeSkewMs = byCount ? null : spread(results.map(({ windowEnd }) => windowEnd));
  const apartMs = Math.max(openSkewMs, closeSkewMs ?? 0);
  return {
    results: Object.fromEntries(loads.flatMap(({ name }, i) => (results[i] === undefined ? [] : [[name, results[i]]]))),
    openSkewMs,
    closeSkewMs,
    apartMs: apartMs <= widestSkewMs ? null : apartMs,
  };
}

function check(loads: readonly TogetherLoad[], plans: readonly Pick<BlockPlan, 'windowMs' | 'requests'>[]): void {
  const invalid = (sentence: string, cure: string): Error => failure('load-together-invalid', sentence, cure);
  if (new Set(loads.map(({ name }) => name)).size < loads.length)
    throw invalid('Two of the loads have the same name.', 'Give each load a name of its own.');
  if (new Set(loads.map(({ generator }) => generator)).size < loads.length) {
    throw invalid('Two of the loads have the same load generator.', 'Start a load generator for each load.');
  }
  const windows = new Set(plans.filter(({ requests }) => requests === undefined).map(({ windowMs }) => Math.round(windowMs)));
  if (windows.size > 1) throw invalid('The loads do not last equally long.', 'Give all loads the same duration.');
}

function spread(times: readonly number[]): number {
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
}
