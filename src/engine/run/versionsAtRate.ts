import type { DiffNote } from '../../model/domain/diffNoteKinds.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { OpenLoopMetric } from '../../model/domain/tuning.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { openPlan } from '../load/profileBlock.ts';
import { PairAtRate } from '../strategies/rounds/pairAtRate.ts';
import { executeStrategy } from './executeStrategy.ts';
import { type PlannedTrial, blockOverheadS } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';

/** A process that keeps running has nothing to settle but its queue. */
const settleMs = 300;
/** Windows at a fixed rate are numbered apart from the rounds: they ask for other requests. */
export const rateRounds = 999;

/** Why p99 cannot be compared at a rate of our choice; null where it can. What the load has a rate for is compared at that one. */
export function notAtARate(load: LoadProfile, targets: RunTargets): DiffNote | null {
  if (load.ratePerS !== undefined) return null;
  const why =
    load.roles !== undefined || load.stages !== undefined
      ? 'users'
      : load.requests !== undefined
        ? 'requests'
        : targets.startsAnew
          ? 'apart'
          : null;
  return why === null ? null : { code: 'rate-impossible', why };
}

export interface AtRateOptions {
  connections: number;
  /** Requests/s of both at full load. */
  throughputs: readonly [number, number];
  budgetMs: number;
  /** For versions with few answers; without it at most the budget. */
  mostMs?: number;
  /** One route instead of the mix. */
  route?: { name: string; request: MixRequest };
}

/** p99 of both by the keys of their trials, empty where the time was too short for it, and how much it takes at the least. */
export interface RateMetrics {
  figures: ReadonlyMap<string, OpenLoopMetric>;
  neededMs: number;
}

export async function versionsAtRate(
  run: RunUnderWay,
  targets: RunTargets,
  [base, head]: readonly [PlannedTrial, PlannedTrial],
  { connections, throughputs, budgetMs, mostMs = budgetMs, route }: AtRateOptions,
): Promise<RateMetrics> {
  const overheadMs = settleMs + 1000 * blockOverheadS;
  const pair = new PairAtRate(base, head, { throughput: Math.min(...throughputs), overheadMs, budgetMs, mostMs });
  const changes = {
    open: openPlan(pair.ratePerS, connections),
    settleMs,
    windowMs: pair.windowMs,
    apart: true,
    ...(route === undefined ? {} : { mix: [route.request] }),
  };
  await executeStrategy(pair, run, {
    measure: async (planned, { round, what }) => {
      const step = { code: 'round', round: what, name: planned.name, route: route?.name ?? null } as const;
      const seen = await targets.see(planned, rateRounds + round, step, changes);
      return 'why' in seen ? null : seen;
    },
    keepsData: true,
  });
  return { figures: pair.comparison()?.figures ?? new Map(), neededMs: pair.neededMs };
}
