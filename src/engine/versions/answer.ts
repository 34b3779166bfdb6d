import type { Verdict } from '../../model/domain/tuning.ts';
import { type VersionDiff, type VersionMetricId, decidingRoute, missesObjective } from '../../model/domain/versionDiff.ts';
import { factsOf } from './facts.ts';
import { type ComparedPair, metricsOf, verdictOf } from './metrics.ts';
import { changedPlans } from './planChanges.ts';
import { changedStatements } from './statements.ts';

export type Sides = Pick<VersionDiff, 'base' | 'head'>;

/** What is known of two versions apart from their trials. */
export type Known = Partial<Pick<VersionDiff, 'answers' | 'asked' | 'files' | 'notes' | 'routes' | 'why'>>;

/**
 * What two versions differ in, from their two trials. Counts per request, which nothing that others do on the machine touches, decide before
 * times do: more statements for the same requests are worse unless it is faster for all that. `judgeBy`: the figures that the verdict is made of. One of the
 * `routes` that is worse alone makes the whole worse, unless the mix is faster or slower anyway. A head that fails requests which base answers is worse, however
 * fast it is.
 */
export function composeDiff(
  sides: Sides,
  pair: ComparedPair,
  { headName, judgeBy }: { headName: string; judgeBy?: readonly VersionMetricId[] | undefined },
  { routes = [], why = null, notes = [], files = [], ...known }: Known = {},
): VersionDiff {
  const { a, b, delta } = pair;
  const plans = changedPlans(a.statements ?? [], b.statements ?? []);
  const metrics = metricsOf(pair, judgeBy, why?.functions);
  const facts = factsOf(pair, metrics, headName);
  const found = {
    metrics,
    statements: changedStatements(a, b),
    ...(plans.length === 0 ? {} : { plans }),
    ...(routes.length === 0 ? {} : { routes }),
  };
  const isMeasured = pair.throughput !== null;
  const isWorse = missesObjective(facts) || facts.invalid?.failedShare != null || (isMeasured && decidingRoute(found) !== null);
  const verdict: Verdict = isWorse ? 'worse' : isMeasured ? verdictOf(metrics) : 'unknown';
  return { kind: 'diff', ...sides, sameCode: false, verdict, facts, ...found, notes, delta, files, why, ...known };
}

/** Where both versions are the same code, nothing has to be measured to know it. `documents`: files that they differ in all the same. */
export function sameCode(sides: Sides, delta: number, documents: readonly string[]): VersionDiff {
  return {
    kind: 'diff',
    ...sides,
    sameCode: true,
    verdict: 'same',
    facts: { code: 'same-code', documents: [...documents] },
    metrics: [],
    statements: [],
    notes: [],
    delta,
    files: [],
    why: null,
  };
}
