import type { DiffNote } from '../../model/domain/diffNoteKinds.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { Observation } from '../../model/domain/observation.ts';
import type { Trial } from '../../model/domain/run.ts';
import { answeredRequests } from '../../model/domain/statement.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { openPlan } from '../load/profileBlock.ts';
import { routeName } from '../load/requestMix.ts';
import { type PlannedTrial, blockOverheadS } from './plan.ts';
import { routesShare } from './versionsBudget.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';
import { statementsOf } from './statementsOf.ts';
import { type BlockMeasurement, noMeasurement, recordTrial } from './trialRecord.ts';
import { notAtARate, versionsAtRate } from './versionsAtRate.ts';

/** The times of a block with one route. The first of each version is not timed: it warms up the route. */
const [windowMs, settleMs, countingMs] = [500, 300, 1000];
const mostPairs = 6;
/** The share of the time for routes that p99 at a fixed rate of each may use, where that is asked for. */
const shareForRates = 1 / 2;

/** One route of a mix, requested alone in both versions: two trials, or why there are none. */
export interface RouteAlone {
  route: string;
  /** The share of the requests of the mix. */
  share: number;
  trials: { base: Trial; head: Trial } | { unknown: DiffNote };
}

/**
 * Routes on their own; `absent` says why there are none of a load that has several, `noRate` why p99 of some was not compared at a fixed rate where that was
 * asked for.
 */
export interface RoutesAlone {
  routes: readonly RouteAlone[];
  absent: DiffNote | null;
  noRate: DiffNote | null;
}

/**
 * Requests each route of the mix alone from both versions, in mirrored slices, or pairs of short blocks where the load cannot alternate: within the mix the CPU
 * and the statements of a route cannot be attributed, and a slow route makes all others wait. With many routes there is less time for each, or none, and only
 * its statements are counted. Empty where there is no mix of routes. `atRate`: p99 of each at a fixed rate of its own, too. `budgetMs` is for all of it.
 */
export async function measureRoutesAlone(
  run: RunUnderWay,
  targets: RunTargets,
  sides: readonly [PlannedTrial, PlannedTrial],
  { mix, load, budgetMs, atRate }: { mix: readonly MixRequest[]; load: LoadProfile; budgetMs: number; atRate: boolean },
): Promise<RoutesAlone> {
  const absent = whyNoRoutes(mix, load);
  if (absent !== null || mix.length < 2) return { routes: [], absent, noRate: null };
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  const routes = mix.map((request) => ({ request, route: routeName(request), share: request.weight / total }));
  if (targets.startsAnew) {
    const trials = { unknown: { code: 'route-apart' } } as const;
    return { routes: routes.map(({ route, share }) => ({ route, share, trials })), absent: null, noRate: null };
  }
  const overheadMs = 1000 * blockOverheadS;
  const [countsMs, pairMs] = [2 * (countingMs + overheadMs), 2 * (settleMs + windowMs + overheadMs)];
  const rated = atRate && notAtARate(load, targets) === null;
  const pairsMs = rated ? (1 - shareForRates) * budgetMs : budgetMs;
  const fit = Math.max(1, Math.floor(pairsMs / countsMs));
  const asked = new Set([...routes].sort((a, b) => b.share - a.share).slice(0, fit));
  const pairs = Math.min(mostPairs, Math.floor((pairsMs - asked.size * countsMs) / (asked.size * pairMs)));
  const rateMs = rated ? (shareForRates * budgetMs) / asked.size : 0;
  const found: RouteAlone[] = [];
  const short: ShortOfRequests[] = [];
  for (const one of routes) {
    const { route, share } = one;
    if (!asked.has(one)) {
      found.push({ route, share, trials: { unknown: { code: 'route-left-out' } } });
      continue;
    }
    const { trials, neededMs } = await routeAlone(run, targets, sides, { ...one, pairs, load, rateMs });
    found.push({ route, share, trials });
    if (rateMs > 0 && neededMs !== null) short.push({ route, neededMs });
  }
  return { routes: found, absent: null, noRate: noRateOf(short, rateMs, asked.size) };
}

/** Why the routes of a load are not measured alone; null where they are, and where it has only one. */
function whyNoRoutes(mix: readonly MixRequest[], { roles, stages }: LoadProfile): DiffNote | null {
  if (roles !== undefined) return { code: 'routes-of-roles' };
  return stages !== undefined && mix.length > 1 ? { code: 'routes-of-stages' } : null;
}

/** A route that answered, without a p99 at a fixed rate, and how long one takes at the least. */
interface ShortOfRequests {
  route: string;
  neededMs: number;
}

/** Which routes have no p99 at a fixed rate, and what would give it; null where all have. */
function noRateOf(short: readonly ShortOfRequests[], rateMs: number, asked: number): DiffNote | null {
  if (short.length === 0) return null;
  const neededMs = Math.max(...short.map((one) => one.neededMs));
  const budgetMin = Math.ceil((asked * neededMs) / shareForRates / routesShare / 60_000);
  return {
    code: 'rate-missed-of-routes',
    routes: short.map(({ route }) => route),
    needed: neededMs <= rateMs ? null : { neededS: neededMs / 1000, budgetMin },
  };
}

/** `neededMs`: what p99 at a fixed rate takes at the least, where there is none; null where there is. */
async function routeAlone(
  run: RunUnderWay,
  targets: RunTargets,
  [base, head]: readonly [PlannedTrial, PlannedTrial],
  {
    request,
    route,
    share,
    pairs,
    load,
    rateMs,
  }: { request: MixRequest; route: string; share: number; pairs: number; load: LoadProfile; rateMs: number },
): Promise<{ trials: RouteAlone['trials']; neededMs: number | null }> {
  const rate = load.ratePerS === undefined ? {} : { open: openPlan(share * load.ratePerS, base.connections) };
  const sides = { base: new RouteSide(base), head: new RouteSide(head) };
  // The first round is not timed.
  const counted = await targets.seeTogether(
    [base, head],
    1,
    { code: 'route-alone', route, name: null },
    { mix: [request], eachMs: countingMs },
  );
  const timed =
    counted === null || pairs <= 0
      ? []
      : await targets.seeTogether(
          [base, head],
          2,
          { code: 'route-alone', route, name: null },
          { mix: [request], eachMs: pairs * windowMs, before: counted },
        );
  for (const round of [counted ?? [], timed ?? []]) {
    for (const [index, side] of [sides.base, sides.head].entries()) {
      const seen = round[index];
      if (seen !== undefined) side.seen.push(seen);
    }
  }
  for (let pair = 0; counted === null && pair <= Math.max(0, pairs); pair += 1) {
    for (const side of pair % 2 === 0 ? [sides.base, sides.head] : [sides.head, sides.base]) {
      const block = pair === 0 ? { settleMs: 0, windowMs: countingMs } : { settleMs, windowMs };
      const of = { code: 'route-alone', route, name: side.planned.name } as const;
      const seen = await targets.see(side.planned, pair + 1, of, { apart: true, mix: [request], ...block, ...rate });
      if ('why' in seen) return { trials: { unknown: { code: 'route-failed', version: null, because: seen.why } }, neededMs: null };
      side.seen.push(seen);
    }
  }
  const { observations } = run.harness;
  const [first, second] = [sides.base.trial(observations), sides.head.trial(observations)];
  const { figures, neededMs } = await versionsAtRate(run, targets, [base, head], {
    connections: base.connections,
    throughputs: [first.throughput.mean, second.throughput.mean],
    budgetMs: rateMs,
    route: { name: route, request },
  });
  const withRate = (trial: Trial): Trial => ({ ...trial, openLoop: figures.get(trial.key) ?? trial.openLoop });
  return {
    trials: { base: withRate(first), head: withRate(second) },
    neededMs: figures.size > 0 || !first.valid || !second.valid ? null : neededMs,
  };
}

class RouteSide {
  readonly seen: BlockMeasurement[] = [];

  constructor(readonly planned: PlannedTrial) {}

  /** A trial from the blocks that were timed, which is all but the first if there are any; all of them count for its statements. */
  trial(observations: readonly Observation[]): Trial {
    const timed = this.seen.slice(1);
    const { trial } = recordTrial({ ...noMeasurement(this.planned), blocks: timed.length > 0 ? timed : this.seen }, observations);
    const statements = statementsOf(this.seen, answeredRequests(trial));
    return statements === null ? trial : { ...trial, statements };
  }
}
