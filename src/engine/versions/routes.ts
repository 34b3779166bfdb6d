import type { DiffNote } from '../../model/domain/diffNoteKinds.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import { type RouteDiff, type VersionMetricId, usualMetrics } from '../../model/domain/versionDiff.ts';
import type { RouteAlone } from '../run/routesAlone.ts';
import { comparedPair, routeMetrics, verdictOf } from './metrics.ts';
import { changedStatements } from './statements.ts';

/** How routes are compared. `sides`: what the versions are called. */
export interface RouteOptions {
  sides: { a: string; b: string };
  delta: number;
  judgeBy?: readonly VersionMetricId[] | undefined;
}

/**
 * What two versions differ in on each route of a mix alone, the worst first. All figures of all routes are judged together, more carefully than those of the
 * mix.
 */
export function composeRoutes(measured: readonly RouteAlone[], { sides, delta, judgeBy = usualMetrics }: RouteOptions): RouteDiff[] {
  const pairs = new Map(
    measured.flatMap(({ route, trials }) =>
      'unknown' in trials || !trials.base.valid || !trials.head.valid
        ? []
        : [[route, comparedPair(trials.base, trials.head, delta)] as const],
    ),
  );
  const metrics = routeMetrics(pairs, judgeBy);
  const found = measured.map(({ route, share, trials }): RouteDiff => {
    const [pair, own] = [pairs.get(route), metrics.get(route)];
    if (pair === undefined || own === undefined)
      return { route, share, verdict: 'unknown', metrics: [], statements: [], unknown: whyNot(trials, sides) };
    return { route, share, verdict: verdictOf(own), metrics: own, statements: changedStatements(pair.a, pair.b), unknown: null };
  });
  return found.sort((one, other) => ranks[one.verdict] - ranks[other.verdict] || badness(other) - badness(one) || other.share - one.share);
}

const ranks: Readonly<Record<Verdict, number>> = { worse: 0, unknown: 1, same: 2, better: 3 };

function whyNot(trials: RouteAlone['trials'], sides: RouteOptions['sides']): DiffNote {
  if ('unknown' in trials) return trials.unknown;
  const [version, invalid] = trials.base.valid ? [sides.b, trials.head] : [sides.a, trials.base];
  return { code: 'route-failed', version, because: invalid.reasons[0] ?? null };
}

/** By how much the worst of what counts is worse, on a logarithm. */
function badness({ metrics }: RouteDiff): number {
  return Math.max(
    0,
    ...metrics.flatMap(({ id, counts, ratio }) =>
      counts === true && ratio !== null ? [(id === 'throughput' ? -1 : 1) * Math.log(ratio.mean)] : [],
    ),
  );
}
