import { type ComparedMetric, type ComparedMetrics, haveSameRate } from '../../model/domain/comparison.ts';
import { wholeNumber } from '../../model/domain/format.ts';
import { grouped } from '../../model/domain/grouped.ts';
import type { Block, Trial } from '../../model/domain/run.ts';
import { type StatementUse, answeredRequests } from '../../model/domain/statement.ts';
import {
  type ChangedFunction,
  type VersionMetric,
  type VersionMetricId,
  usualMetrics,
  versionMetricIds,
  versionMetrics,
} from '../../model/domain/versionDiff.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import { comparedMetric, logSample } from '../runs/comparedMetric.ts';
import { additionalMetric, trialMetrics } from '../runs/compareMetrics.ts';
import { differenceOf } from '../statistics/blockStatistics.ts';
import { differBeyondChance } from '../statistics/holm.ts';
import { type Moments, momentsOf, welch } from '../statistics/moments.ts';

/** Calls per request that differ by less are the share of requests that straddled the edge of a block. */
export const leastCallsMore = 0.2;
export const leastCallsRatio = 1.2;
/** For answers and for what is written ahead. */
const leastBytesMore = 64;

interface Sides {
  base: number | null;
  head: number | null;
}

/** A figure that scatters, and how it was compared; `least`: of a count, below which a difference is none. `name`: where it has one of its own. */
type Figure = Sides & { name?: string } & (
    | { compared: ComparedMetric | null; again?: Sides; unanswered?: VersionMetric['unanswered'] }
    | { least: number }
  );

/** Two trials, and how the second compares with the first. */
export interface ComparedPair extends ComparedMetrics {
  a: Trial;
  b: Trial;
  /** Within which both count as the same, a share. */
  delta: number;
}

/** Two trials of one run. `ofRun`: those whose scatter is theirs, too. */
export function comparedPair(a: Trial, b: Trial, delta: number, ofRun: readonly Trial[] = [a, b]): ComparedPair {
  return { a, b, delta, ...trialMetrics({ a, b, sameRun: ofRun, delta }) };
}

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
  pair: ComparedPair,
  judgeBy: readonly VersionMetricId[] = usualMetrics,
  recorded: readonly ChangedFunction[] = [],
): VersionMetric[] {
  const touched = recorded.find((one) => one.touched && one.event === 'cpu');
  const goes = touched === undefined ? null : touched.change > 0 ? 'worse' : 'better';
  return judged(new Map([['', figuresOf(pair)]]), judgeBy, ofWhole, goes).get('') ?? [];
}

/** The same of each of several routes, by its name: all figures of all routes are judged together. */
export function routeMetrics(pairs: ReadonlyMap<string, ComparedPair>, judgeBy: readonly VersionMetricId[]): Map<string, VersionMetric[]> {
  const figures = [...pairs].map(([route, pair]): [string, Figures] => [route, figuresOf(pair)]);
  return judged(new Map(figures), judgeBy, ofRoutes);
}

/** `goes`: which way the CPU time of what the change touched goes in the recordings. */
function judged(
  groups: ReadonlyMap<string, Figures>,
  judgeBy: readonly VersionMetricId[],
  care: Care,
  goes: Verdict | null = null,
): Map<string, VersionMetric[]> {
  const scattering = [...groups.values()].flatMap((figures) =>
    [...figures].flatMap(([id, figure]) => ('compared' in figure && figure.compared !== null ? [{ id, compared: figure.compared }] : [])),
  );
  const beyond = (counts: boolean): Set<ComparedMetric> => {
    const own = scattering.filter(({ id }) => judgeBy.includes(id) === counts);
    const chances = own.flatMap(({ compared }) => (compared.chance === undefined ? [] : [[compared, compared.chance] as const]));
    return differBeyondChance(new Map(chances), care.level);
  };
  const speaksAlone = ({ chance = 1, verdict }: ComparedMetric): boolean => chance <= alone * care.level || verdict === goes;
  const leading = new Set(scattering.flatMap(({ id, compared }) => (id === 'throughput' ? [compared] : [])));
  const surely = new Set([...[...beyond(true)].filter((one) => leading.has(one) || speaksAlone(one)), ...beyond(false)]);
  return new Map(
    [...groups].map(([name, figures]) => [
      name,
      [...figures].map(([id, one]) => metricOf(id, one, { counts: judgeBy.includes(id), surely, care })),
    ]),
  );
}

/** Throughput has the last word where it says faster or slower; else what is exact decides, then what is timed. */
export function verdictOf(metrics: readonly VersionMetric[]): Verdict {
  const counted = metrics.filter(({ counts }) => counts === true);
  const throughput = counted.find(({ id }) => id === 'throughput')?.verdict ?? null;
  if (throughput === 'worse' || throughput === 'better') return throughput;
  for (const exact of [true, false])
    for (const verdict of ['worse', 'better'] as const)
      if (counted.some((one) => one.exact === exact && one.verdict === verdict)) return verdict;
  // Where nothing differs, it is throughput that says whether enough was seen.
  if (throughput !== null) return throughput;
  const isOpen = counted.some(({ exact, verdict }) => !exact && verdict === 'unknown');
  return isOpen || counted.every(({ verdict }) => verdict === null) ? 'unknown' : 'same';
}

function metricOf(
  id: VersionMetricId,
  figure: Figure,
  { counts, surely, care }: { counts: boolean; surely: ReadonlySet<ComparedMetric>; care: Care },
): VersionMetric {
  const { base, head } = figure;
  const { name, unit } = { ...versionMetrics[id], ...figure };
  const shown = { id, name, unit, base, head, counts };
  if ('compared' in figure) {
    const { compared } = figure;
    const differs = compared?.verdict === 'worse' || compared?.verdict === 'better';
    const verdict = compared === null ? null : differs && !surely.has(compared) ? 'unknown' : compared.verdict;
    return {
      ...shown,
      ...(compared === null ? {} : asCompared(figure, compared)),
      ratio: figure.unanswered === undefined ? (compared?.ratio ?? null) : null,
      verdict,
      exact: false,
      ...(figure.unanswered === undefined ? {} : { unanswered: figure.unanswered }),
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
function betweenStarts({ blocks }: Trial, of: (block: Block) => number | null): number | null {
  const seen = blocks.flatMap((block) => {
    const value = block.valid ? of(block) : null;
    return value !== null && value > 0 ? [{ start: block.start ?? 1, log: Math.log(value) }] : [];
  });
  const means = [...grouped(seen, ({ start }) => start).values()].map((logs) => momentsOf(logs.map(({ log }) => log)).mean);
  return means.length < 2 ? null : Math.exp(Math.max(...means) - Math.min(...means)) - 1;
}

type OfTrial = (trial: Trial) => number | null | undefined;
type FigureOf = (pair: ComparedPair) => Figure;

/** Every figure, of what it is made. */
const figureOf: Readonly<Record<VersionMetricId, FigureOf>> = {
  throughput: (pair) => ({
    ...both(pair, ({ throughput }) => throughput.mean),
    compared: pair.throughput,
    again: both(pair, (trial) => betweenStarts(trial, ({ throughput }) => throughput)),
  }),
  cpu: (pair) => ({
    ...both(pair, ({ resources }) => resources.app.cpuUsPerRequest),
    compared: pair.cpuPerRequest,
    again: both(pair, (trial) => betweenStarts(trial, ({ appCpuUsPerRequest }) => appCpuUsPerRequest)),
  }),
  p99: p99Of,
  statements: count((trial) => perRequest(trial, ({ calls }) => calls), leastCallsMore),
  rows: count((trial) => perRequest(trial, ({ rows }) => rows), leastCallsMore),
  answer: count((trial) => bytesPerRequest(trial, ({ bytesPerSecond, windowMs }) => (bytesPerSecond * windowMs) / 1000), leastBytesMore),
  wal: count((trial) => perRequest(trial, ({ walBytes }) => walBytes), leastBytesMore),
  allocations: ({ a, b, delta }) => ({
    ...both({ a, b }, allocatedKb),
    compared: additionalMetric({ a, b, sameRun: [a, b], delta }, ({ allocatedBytesPerRequest: bytes }) => bytes ?? null),
  }),
  gc: count(({ memory }) => memory?.gcUsPerRequest, 1),
  heap: count(({ memory }) => (memory?.afterFullBytes == null ? null : memory.afterFullBytes / 1e6), 2),
  memory: ofStarts(({ startRssBytes }) => startRssBytes?.map((bytes) => bytes / 1e6)),
  'start-up': ofStarts(({ startUpMs }) => startUpMs),
};

/** Those that are known of both, and those that are shown even where they are not. */
function figuresOf(pair: ComparedPair): Figures {
  return new Map(
    versionMetricIds
      .map((id) => [id, figureOf[id](pair)] as const)
      .filter(([id, { base, head }]) => (base !== null && head !== null) || id === 'throughput' || id === 'cpu' || id === 'p99'),
  );
}

function both({ a, b }: Pick<ComparedPair, 'a' | 'b'>, of: OfTrial): Sides {
  return { base: of(a) ?? null, head: of(b) ?? null };
}

function count(of: OfTrial, least: number): FigureOf {
  return (pair) => ({ ...both(pair, of), least });
}

/**
 * At the fixed rate that both were asked at, where there is one; else what a fixed number of connections had, which follows from throughput. One that could not
 * answer at the rate has no p99 there: it would only say how long the windows were.
 */
function p99Of({ a, b, p99: compared }: ComparedPair): Figure {
  const [base, head] = [a.openLoop, b.openLoop];
  if (base === null || head === null || !haveSameRate(a, b)) return { ...both({ a, b }, ({ latencyMs }) => latencyMs?.p99), compared };
  const name = `p99 at ${wholeNumber(base.rate)} req/s`;
  if (base.carried && head.carried) return { name, base: base.p99Ms, head: head.p99Ms, compared };
  const sides = { base: base.carried ? base.p99Ms : null, head: head.carried ? head.p99Ms : null };
  return { name, ...sides, compared, unanswered: { base: !base.carried, head: !head.carried } };
}

/** More is worse. */
function countVerdict({ base, head }: Sides, least: number, { careful }: Care): VersionMetric['verdict'] {
  if (base === null || head === null) return null;
  const ratio = 1 + careful * (leastCallsRatio - 1);
  if (head - base >= careful * least && head >= ratio * base) return 'worse';
  return base - head >= careful * least && base >= ratio * head ? 'better' : 'same';
}

/** A figure with one value for each start of the processes, compared by Welch’s interval on logarithms where each version was started twice or more. */
function ofStarts(of: (trial: Trial) => readonly number[] | undefined): FigureOf {
  return ({ a, b, delta }) => {
    const [base, head] = [logSample(of(a) ?? []), logSample(of(b) ?? [])];
    const apart = welch(base, head);
    const geometricMean = ({ n, mean }: Moments): number | null => (n === 0 ? null : Math.exp(mean));
    return {
      base: geometricMean(base),
      head: geometricMean(head),
      compared:
        apart === null
          ? null
          : comparedMetric({
              of: 'cpu',
              rounds: null,
              delta,
              difference: differenceOf(head.mean - base.mean, apart.variance, apart.degreesOfFreedom),
              ratio: Math.exp(head.mean - base.mean),
              method: [{ code: 'starts', a: base.n, b: head.n }],
            }),
    };
  };
}

function allocatedKb(trial: Trial): number | null {
  const bytes = bytesPerRequest(trial, ({ requests, allocatedBytesPerRequest: each }) => (each === undefined ? null : requests * each));
  return bytes === null ? null : bytes / 1000;
}

/** Of the blocks that count and have them. */
function bytesPerRequest({ blocks }: Trial, of: (block: Block) => number | null): number | null {
  const counted = blocks.flatMap((block) => {
    const bytes = block.valid ? of(block) : null;
    return bytes === null ? [] : [{ requests: block.requests, bytes }];
  });
  const requests = counted.reduce((sum, block) => sum + block.requests, 0);
  return requests === 0 ? null : counted.reduce((sum, { bytes }) => sum + bytes, 0) / requests;
}

/** What PostgreSQL counted of a request’s statements together; null where it did not count. */
export function perRequest(trial: Trial, of: (use: StatementUse) => number): number | null {
  const requests = answeredRequests(trial);
  return trial.statements === undefined || requests === 0 ? null : trial.statements.reduce((sum, use) => sum + of(use), 0) / requests;
}
