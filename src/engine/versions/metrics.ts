import { haveSameRate } from '../../model/domain/comparison.ts';
import type { ComparedMetric, Comparison, ComparisonRow } from '../../model/domain/comparison.ts';
import { wholeNumber } from '../../model/domain/format.ts';
import type { Block, Trial } from '../../model/domain/run.ts';
import { answeredRequests } from '../../model/domain/statement.ts';
import type { StatementUse } from '../../model/domain/statement.ts';
import { usualMetrics, versionMetrics } from '../../model/domain/versionDiff.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import type { ChangedFunction, VersionMetric, VersionMetricId } from '../../model/domain/versionDiff.ts';
import { comparedMetric, logSample } from '../runs/comparedMetric.ts';
import { additionalMetric } from '../runs/compareMetrics.ts';
import { differenceOf } from '../statistics/blockStatistics.ts';
import { differBeyondChance } from '../statistics/holm.ts';
import { momentsOf, welch } from '../statistics/moments.ts';
import type { Moments } from '../statistics/moments.ts';

/** Calls per request that differ by less are the share of requests that straddled the edge of a block. */
export const leastCallsMore = 0.2;
export const leastCallsRatio = 1.2;
/** For answers and for what is written ahead. */
const leastBytesMore = 64;

interface Sides {
  base: number | null;
  head: number | null;
}

/** A figure that scatters, and how it was compared; `least`: of a count, below which a difference is none. */
type Figure = Pick<VersionMetric, 'name' | 'unit'> & Sides & ({ compared: ComparedMetric | null; again?: Sides } | { least: number });

/**
 * Times other than throughput make a verdict of their own only where chance has so small a share of the level, or where the recordings show the same of a
 * function that the change touched: a compiler that was kept waiting moves the CPU time of a request for longer than its rounds can show.
 */
const alone = 0.2;

/**
 * What is worth a word. `level`: equal versions are reported as different in at most this share of cases; `careful`: so many times as much of a count is a
 * difference.
 */
interface Care {
  level: number;
  careful: number;
}
const ofWhole: Care = { level: 0.05, careful: 1 };
/** The care for all routes together, which are shown with the whole. Their blocks are short: more of their requests straddle the edges. */
const ofRoutes: Care = { level: 0.01, careful: 1.5 };

type Figures = ReadonlyMap<VersionMetricId, Figure>;

/**
 * The figures of both versions that are known of them. Counts are exact. Those that scatter are judged together, those that the verdict is made of and the
 * others each for themselves, so that among equals any of them is said to differ in at most 5 % of cases.
 */
export function metricsOf(
  { rows, delta }: Comparison,
  judgeBy: readonly VersionMetricId[] = usualMetrics,
  recorded: readonly ChangedFunction[] = [],
): VersionMetric[] {
  const [row] = rows;
  if (row === undefined) return [];
  const touched = recorded.find((one) => one.touched && one.event === 'cpu');
  const goes = touched === undefined ? null : touched.change > 0 ? 'worse' : 'better';
  return judged(new Map([['', figuresOf(row, delta)]]), judgeBy, ofWhole, goes).get('') ?? [];
}

/** The same of each of several routes, by its name: all figures of all routes are judged together. */
export function routeMetrics(
  rows: ReadonlyMap<string, ComparisonRow>,
  delta: number,
  judgeBy: readonly VersionMetricId[],
): Map<string, VersionMetric[]> {
  const figures = [...rows].map(([route, row]): [string, Figures] => [route, figuresOf(row, delta)]);
  return judged(new Map(figures), judgeBy, ofRoutes);
}

function comparedOf(figure: Figure | undefined): ComparedMetric | null {
  return figure !== undefined && 'compared' in figure ? figure.compared : null;
}

/** `goes`: which way the CPU time of what the change touched goes in the recordings. */
function judged(
  groups: ReadonlyMap<string, Figures>,
  judgeBy: readonly VersionMetricId[],
  care: Care,
  goes: Verdict | null = null,
): Map<string, VersionMetric[]> {
  const beyond = (counts: boolean): Set<ComparedMetric> =>
    differBeyondChance(
      new Map(
        [...groups.values()].flatMap((figures) =>
          [...figures].flatMap(([id, figure]) =>
            judgeBy.includes(id) === counts && 'compared' in figure && figure.compared?.chance !== undefined
              ? [[figure.compared, figure.compared.chance] as const]
              : [],
          ),
        ),
      ),
      care.level,
    );
  const speaksAlone = ({ chance = 1, verdict }: ComparedMetric): boolean => chance <= alone * care.level || verdict === goes;
  const leading = new Set([...groups.values()].map((figures) => comparedOf(figures.get('throughput'))));
  const surely = new Set([...[...beyond(true)].filter((one) => leading.has(one) || speaksAlone(one)), ...beyond(false)]);
  return new Map(
    [...groups].map(([name, figures]) => [
      name,
      [...figures].map(([id, one]) => metricOf(id, one, { counts: judgeBy.includes(id), surely, care })),
    ]),
  );
}

function metricOf(
  id: VersionMetricId,
  figure: Figure,
  { counts, surely, care }: { counts: boolean; surely: ReadonlySet<ComparedMetric>; care: Care },
): VersionMetric {
  const { name, unit, base, head } = figure;
  const shown = { id, name, unit, base, head, counts };
  if ('compared' in figure) {
    const { compared } = figure;
    const differs = compared?.verdict === 'worse' || compared?.verdict === 'better';
    const verdict = compared === null ? null : differs && !surely.has(compared) ? 'unknown' : compared.verdict;
    return {
      ...shown,
      ...(compared === null ? {} : asCompared(figure, compared)),
      ratio: compared?.ratio ?? null,
      verdict,
      exact: false,
      ...(figure.again === undefined || (figure.again.base === null && figure.again.head === null) ? {} : { again: figure.again }),
    };
  }
  const ratio = base === null || head === null || base === 0 ? null : { mean: head / base, ciLow: null, ciHigh: null };
  return { ...shown, ratio, verdict: counts || id === 'statements' ? countVerdict(figure, figure.least, care) : null, exact: true };
}

/**
 * Both sides in pairs: with the product of their means, and the ratio of the pairs. Means over all rounds, of which bursts spoiled some of one side, would
 * contradict the reported change.
 */
function asCompared({ base, head }: Sides, { ratio: { mean } }: ComparedMetric): Sides {
  if (base === null || head === null || base <= 0 || head <= 0 || mean <= 0) return { base, head };
  const middle = Math.sqrt(base * head);
  return { base: middle / Math.sqrt(mean), head: middle * Math.sqrt(mean) };
}

/** By how much two starts of one version differ at most, as a share: A against A. Null with fewer than two. */
function betweenStarts(trial: Trial | null, of: (block: Block) => number | null): number | null {
  const starts = new Map<number, number[]>();
  for (const block of trial?.blocks ?? []) {
    const value = block.valid ? of(block) : null;
    if (value === null || !(value > 0)) continue;
    const start = block.start ?? 1;
    starts.set(start, [...(starts.get(start) ?? []), Math.log(value)]);
  }
  const means = [...starts.values()].map((logs) => momentsOf(logs).mean);
  return means.length < 2 ? null : Math.exp(Math.max(...means) - Math.min(...means)) - 1;
}

/** Those that are known of both, and those that are shown even where they are not. */
function figuresOf(row: ComparisonRow, delta: number): Figures {
  return new Map(
    [...allFigures(row, delta)].filter(
      ([id, { base, head }]) => (base !== null && head !== null) || id === 'throughput' || id === 'cpu' || id === 'p99',
    ),
  );
}

function allFigures(row: ComparisonRow, delta: number): Map<VersionMetricId, Figure> {
  const { a, b } = row;
  const both = (of: (trial: Trial) => number | null | undefined): Sides => ({
    base: a === null ? null : (of(a) ?? null),
    head: b === null ? null : (of(b) ?? null),
  });
  const again = (of: (block: Block) => number | null): Sides => ({ base: betweenStarts(a, of), head: betweenStarts(b, of) });
  const allocations =
    a === null || b === null
      ? null
      : additionalMetric({ a, b, sameRun: [a, b], delta }, ({ allocatedBytesPerRequest }) => allocatedBytesPerRequest ?? null);
  return new Map<VersionMetricId, Figure>([
    [
      'throughput',
      {
        ...versionMetrics.throughput,
        ...both(({ throughput }) => throughput.mean),
        compared: row.throughput,
        again: again(({ throughput }) => throughput),
      },
    ],
    [
      'cpu',
      {
        ...versionMetrics.cpu,
        ...both(({ resources }) => resources.app.cpuUsPerRequest),
        compared: row.cpuPerRequest,
        again: again(({ appCpuUsPerRequest }) => appCpuUsPerRequest),
      },
    ],
    ['p99', { ...p99Of(a, b), compared: row.p99 }],
    ['statements', { ...versionMetrics.statements, ...both(callsPerRequest), least: leastCallsMore }],
    ['rows', { ...versionMetrics.rows, ...both((trial) => perRequest(trial, (use) => use.rows)), least: leastCallsMore }],
    ['answer', { ...versionMetrics.answer, ...both(bytesPerAnswer), least: leastBytesMore }],
    ['wal', { ...versionMetrics.wal, ...both((trial) => perRequest(trial, (use) => use.walBytes)), least: leastBytesMore }],
    ['allocations', { ...versionMetrics.allocations, ...both(allocatedKb), compared: allocations }],
    ['gc', { ...versionMetrics.gc, ...both(({ memory }) => memory?.gcUsPerRequest), least: 1 }],
    ['heap', { ...versionMetrics.heap, ...both(({ memory }) => megabytes(memory?.afterFullBytes)), least: 2 }],
    ...(['memory', 'start-up'] as const).map((id): [VersionMetricId, Figure] => {
      const of = ofStarts[id];
      return [id, { ...versionMetrics[id], ...both((trial) => geometricMean(of(trial))), compared: startsCompared(row, of, delta) }];
    }),
  ]);
}

/** At the fixed rate that both were asked at, where there is one; else what a fixed number of connections had, which follows from throughput. */
function p99Of(a: Trial | null, b: Trial | null): Pick<Figure, 'name' | 'unit'> & Sides {
  const [base, head] = [a?.openLoop, b?.openLoop];
  if (base == null || head == null || !haveSameRate(a, b))
    return { ...versionMetrics.p99, base: a?.latencyMs?.p99 ?? null, head: b?.latencyMs?.p99 ?? null };
  return { name: `p99 at ${wholeNumber(base.rate)} req/s`, unit: versionMetrics.p99.unit, base: base.p99Ms, head: head.p99Ms };
}

function callsPerRequest(trial: Trial): number | null {
  return perRequest(trial, ({ calls }) => calls);
}

/** More is worse. */
function countVerdict({ base, head }: Sides, least: number, { careful }: Care): VersionMetric['verdict'] {
  if (base === null || head === null) return null;
  const ratio = 1 + careful * (leastCallsRatio - 1);
  if (head - base >= careful * least && head >= ratio * base) return 'worse';
  return base - head >= careful * least && base >= ratio * head ? 'better' : 'same';
}

type OfStarts = (trial: Trial) => readonly number[] | undefined;

/** Figures with one value for each start of the processes. */
const ofStarts: Readonly<Record<'memory' | 'start-up', OfStarts>> = {
  memory: ({ startRssBytes }) => startRssBytes?.map((bytes) => bytes / 1e6),
  'start-up': ({ startUpMs }) => startUpMs,
};

/** Each version was started some times: Welch’s interval on logarithms. Null with fewer than two starts of each. */
function startsCompared({ a, b }: ComparisonRow, of: OfStarts, delta: number): ComparedMetric | null {
  const [base, head] = [a, b].map((trial) => logSample((trial === null ? undefined : of(trial)) ?? [])) as [Moments, Moments];
  const apart = welch(base, head);
  if (apart === null) return null;
  return comparedMetric({
    of: 'cpu',
    rounds: null,
    delta,
    difference: differenceOf(head.mean - base.mean, apart.variance, apart.degreesOfFreedom),
    ratio: Math.exp(head.mean - base.mean),
    method: [{ code: 'starts', a: base.n, b: head.n }],
  });
}

function allocatedKb({ blocks }: Trial): number | null {
  const counted = blocks.flatMap(({ valid, requests, allocatedBytesPerRequest }) =>
    valid && allocatedBytesPerRequest !== undefined ? [{ requests, bytes: requests * allocatedBytesPerRequest }] : [],
  );
  const requests = counted.reduce((sum, block) => sum + block.requests, 0);
  return requests === 0 ? null : counted.reduce((sum, { bytes }) => sum + bytes, 0) / requests / 1000;
}

function megabytes(bytes: number | null | undefined): number | null {
  return bytes == null ? null : bytes / 1e6;
}

function geometricMean(values: readonly number[] | undefined): number | null {
  const sample = logSample(values ?? []);
  return sample.n === 0 ? null : Math.exp(sample.mean);
}

function bytesPerAnswer({ blocks }: Trial): number | null {
  const counted = blocks.filter(({ valid }) => valid);
  const answers = counted.reduce((sum, { requests }) => sum + requests, 0);
  return answers === 0
    ? null
    : counted.reduce((sum, { bytesPerSecond, windowMs }) => sum + (bytesPerSecond * windowMs) / 1000, 0) / answers;
}

function perRequest(trial: Trial, of: (use: StatementUse) => number): number | null {
  const requests = answeredRequests(trial);
  return trial.statements === undefined || requests === 0 ? null : trial.statements.reduce((sum, use) => sum + of(use), 0) / requests;
}
