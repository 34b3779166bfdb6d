import { haveSameRate } from '../../model/domain/comparison.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { isVaried } from '../../model/presentation/settingWords.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import { type VersionMetric, type VersionMetricId, usualMetrics } from '../../model/domain/versionDiff.ts';
import { type ComparedPair, comparedPair, metricsOf, routeMetrics } from '../versions/metrics.ts';
import { statementGrowth } from './statementGrowth.ts';

type Compared = Extract<RunNote, { code: 'variant-compared' }>;
type Cost = Compared['costs'][number];

/**
 * What the sides of a run differ in, each against the first: different answers before any figure; then throughput with its interval, and what it costs. Figures
 * that scatter are judged together, so that equal sides are reported as different in few cases only. None where nothing was compared.
 */
export function sidesSaid(run: RunRecord): RunNote[] {
  const compared = sidesCompared(run);
  return [...compared.flatMap(({ answers }) => answers), ...compared.map(({ note }) => note), ...growthSaid(run)];
}

/** What more rows make of the statements: of each side whose number of rows differs from that of the first. */
function growthSaid(run: RunRecord): RunNote[] {
  const [base, ...others] = run.trials;
  const times = (trial: Trial): number => Number(/^(\d+)x$/.exec(String(trial.settings['rows']))?.[1]);
  if (base === undefined || !isVaried(run.trials, 'rows')) return [];
  return others.flatMap((other): RunNote[] => {
    const factor = times(other) / times(base);
    const statements = factor > 1 ? statementGrowth(base, other, factor) : [];
    return statements.length === 0
      ? []
      : [{ code: 'statements-grow', base: sideName(run, base), other: sideName(run, other), factor, statements }];
  });
}

/** The same of each side but the first, in their order. */
export function sidesCompared(run: RunRecord): { trial: Trial; answers: RunNote[]; note: Compared }[] {
  const [base, ...others] = run.trials;
  if (base === undefined || others.length === 0) return [];
  const names = new Map(run.trials.map((trial) => [trial.key, sideName(run, trial)]));
  const nameOf = ({ key }: Trial): string => names.get(key) ?? key;
  const pairs = others.map((other) => comparedPair(base, other, run.delta, run.trials));
  const [only] = pairs;
  const metrics =
    pairs.length === 1 && only !== undefined
      ? new Map([[only.b.key, metricsOf(only)]])
      : routeMetrics(new Map(pairs.map((pair) => [pair.b.key, pair])), usualMetrics);
  return pairs.map((pair) => {
    const names: [string, string] = [nameOf(base), nameOf(pair.b)];
    return { trial: pair.b, answers: otherAnswers(run, pair.b, names), note: compared(pair, metrics.get(pair.b.key) ?? [], names) };
  });
}

function otherAnswers({ plan }: RunRecord, other: Trial, names: readonly [string, string]): RunNote[] {
  const routes = plan.commands[other.key]?.compared?.differing ?? [];
  return routes.length === 0 ? [] : [{ code: 'sides-answer-otherwise', base: names[0], other: names[1], routes }];
}

/** Where trials of a run that compares no sides answered the same requests otherwise than the first of their target. */
export function answersSaid(run: RunRecord): RunNote[] {
  const named = new Map(run.trials.toReversed().map((trial) => [`${trial.target} ${sideName(run, trial)}`, trial]));
  return [...named.values()].toReversed().flatMap((other) => {
    const base = run.trials.find(({ target }) => target === other.target);
    return base === undefined ? [] : otherAnswers(run, other, [sideName(run, base), sideName(run, other)]);
  });
}

function compared(
  { a: base, b: other, delta, throughput }: ComparedPair,
  metrics: readonly VersionMetric[],
  names: [string, string],
): Compared {
  const metric = (id: VersionMetricId): VersionMetric | undefined => metrics.find((one) => one.id === id);
  const ratio = throughput?.ratio;
  return {
    code: 'variant-compared',
    base: names[0],
    other: names[1],
    verdict: metric('throughput')?.verdict ?? throughput?.verdict ?? 'unknown',
    delta,
    change: ratio === undefined ? null : { mean: ratio.mean, low: ratio.ciLow, high: ratio.ciHigh },
    costs: base.valid && other.valid ? costsOf(base, other, metric) : [],
  };
}

function costsOf(base: Trial, other: Trial, metric: (id: VersionMetricId) => VersionMetric | undefined): Cost[] {
  const cost = (id: Cost['id'], of: (trial: Trial) => number | null | undefined, verdict: Verdict | null, more = {}): Cost[] => {
    const [before, after] = [of(base), of(other)];
    return before == null || after == null ? [] : [{ id, base: before, other: after, verdict, ...more }];
  };
  const atRate = haveSameRate(base, other) ? base.openLoop : null;
  // Connections that the pool may open are known: no chance is in their number.
  const fewer = (base.pool?.max ?? 0) - (other.pool?.max ?? 0);
  return [
    ...(atRate == null
      ? cost('p99', ({ latencyMs }) => latencyMs?.p99, metric('p99')?.verdict ?? null)
      : cost('p99', ({ openLoop }) => openLoop?.p99Ms, metric('p99')?.verdict ?? null, {
          ratePerS: atRate.rate,
          ...unansweredBy(base, other),
        })),
    ...cost('cpu', ({ resources }) => resources.app.cpuUsPerRequest, metric('cpu')?.verdict ?? null),
    ...cost('memory', ({ resources }) => resources.app.rssBytes, metric('memory')?.verdict ?? null),
    ...cost('heap', ({ memory }) => memory?.afterFullBytes, null),
    ...(fewer === 0 ? [] : cost('connections', ({ pool }) => pool?.max, fewer > 0 ? 'better' : 'worse')),
    ...cost('start-up', ({ startUpMs }) => meanOf(startUpMs), metric('start-up')?.verdict ?? null),
  ];
}

/** Empty where both answered at the fixed rate. */
function unansweredBy(base: Trial, other: Trial): Pick<Cost, 'unanswered'> {
  const sides = { base: base.openLoop?.carried === false, other: other.openLoop?.carried === false };
  return sides.base || sides.other ? { unanswered: sides } : {};
}

function meanOf(values: readonly number[] | undefined): number | null {
  return values === undefined || values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** What distinguishes a side from the others: “jvm.gc=ZGC”. */
function sideName({ trials }: RunRecord, { settings, targetLabel }: Trial): string {
  const varying = Object.keys(settings).filter((name) => isVaried(trials, name));
  return varying.length === 0 ? targetLabel : varying.map((name) => `${name}=${settings[name] ?? ''}`).join(', ');
}
