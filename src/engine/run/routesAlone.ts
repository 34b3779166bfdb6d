import type { LoadProfile } from '../../model/loadProfile.ts';
import type { Trial } from '../../model/run.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { openPlan } from '../load/profileBlock.ts';
import { routeName } from '../load/requestMix.ts';
import { blockOverheadS } from './plan.ts';
import type { PlannedTrial } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';
import { noSighting, recordTrial } from './trialRecord.ts';

/** Of a block that asks for one route. In the first pair of a route what is warm for the mix gets warm for it alone. */
const [windowMs, settleMs, firstSettleMs] = [500, 300, 1000];
const [leastPairs, mostPairs] = [1, 6];
/** Of the time that the mix may take. */
const shareOfBudget = 1 / 3;

/** One route of a mix, asked for by itself in both versions: two trials, or why there are none. */
export interface RouteAlone {
  route: string;
  /** Of the requests of the mix. */
  share: number;
  trials: { base: Trial; head: Trial } | { unknown: string };
}

/**
 * Asks both versions for each route of the mix by itself, in short mirrored pairs: within the mix the CPU and the statements of a route are nobody's, and a slow route
 * makes all others wait. With many routes there are fewer pairs of each, and one alone still counts statements. Empty where there is no mix of routes.
 */
export async function measureRoutesAlone(
  run: RunUnderWay,
  targets: RunTargets,
  sides: readonly [PlannedTrial, PlannedTrial],
  { mix, load, budgetMs }: { mix: readonly MixRequest[]; load: LoadProfile; budgetMs: number },
): Promise<RouteAlone[]> {
  if (mix.length < 2 || load.roles !== undefined || load.stages !== undefined) return [];
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  const routes = mix.map((request) => ({ request, route: routeName(request), share: request.weight / total }));
  if (targets.startsAnew)
    return routes.map(({ route, share }) => ({ route, share, trials: { unknown: 'The two versions cannot run beside each other.' } }));
  const pairMs = 2 * (settleMs + windowMs + 1000 * blockOverheadS);
  const pairs = Math.min(mostPairs, Math.max(leastPairs, Math.floor((shareOfBudget * budgetMs) / (routes.length * pairMs))));
  const fit = Math.max(1, Math.floor((shareOfBudget * budgetMs) / (leastPairs * pairMs)));
  const asked = new Set([...routes].sort((a, b) => b.share - a.share).slice(0, fit));
  const found: RouteAlone[] = [];
  for (const one of routes) {
    const { route, share } = one;
    const trials = asked.has(one)
      ? await routeAlone(run, targets, sides, { ...one, pairs, load })
      : { unknown: 'There was no time left to ask for it by itself: a larger budget has some.' };
    found.push({ route, share, trials });
  }
  return found;
}

async function routeAlone(
  run: RunUnderWay,
  targets: RunTargets,
  [base, head]: readonly [PlannedTrial, PlannedTrial],
  { request, route, share, pairs, load }: { request: MixRequest; route: string; share: number; pairs: number; load: LoadProfile },
): Promise<RouteAlone['trials']> {
  const [seenBase, seenHead] = [noSighting(base), noSighting(head)];
  const rate = load.ratePerS === undefined ? {} : { open: openPlan(share * load.ratePerS, base.connections) };
  for (let pair = 1; pair <= pairs; pair += 1) {
    const order = pair % 2 === 1 ? [seenBase, seenHead] : [seenHead, seenBase];
    for (const sighting of order) {
      const block = { apart: true, mix: [request], settleMs: pair === 1 ? firstSettleMs : settleMs, windowMs, ...rate };
      const seen = await targets.see(sighting.planned, pair, `${route} by itself, ${sighting.planned.name}`, block);
      if ('why' in seen) return { unknown: seen.why };
      sighting.blocks.push(seen);
    }
  }
  const [one, other] = [seenBase, seenHead].map((sighting) => recordTrial(sighting, run.bench.observations).trial);
  if (one === undefined || other === undefined) throw new RangeError('a version was not looked at');
  return { base: one, head: other };
}
