import jstat from 'jstat';
import type { MetricName } from '../../../model/domain/experiment.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { type Estimate as Mean, mean as average, meanOf } from '../../statistics/moments.ts';
import { studentTQuantile } from '../../statistics/studentT.ts';
import type { MetricSample, MeasuredPoint } from './measuredPoint.ts';

/**
 * The confidence of each end of the interval by which a rule is judged (98 % between both). Rules are checked after every additional round, for which 95 %
 * would be wrong too often. Simulated with 22 looks, a ratio at the very edge of what is asked for is called wrongly, on either side, in 3 to 4 % of
 * experiments, and in 5 % with 68, as many as fit into the time of a short form; in 6 % where the CPU that others use differs systematically.
 */
export const ruleConfidence = 0.99;
/** The same quantile of the normal distribution, for shares of requests. */
const ruleZ = 2.3263;

/** A figure, or a ratio of two, with the interval by which a rule is judged. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
  /**
   * The interval to be expected after so many times the rounds, were the figure `shifted` from what it seems now by so many of today's standard errors; null
   * where more rounds do not narrow it.
   */
  after: ((times: number, shifted?: number) => readonly [low: number, high: number]) | null;
  /** Rounds that it rests on; Infinity where rounds do not matter. */
  rounds: number;
  /** What the ratio would be on the machine left alone, where others took more from one side than from the other; the interval reaches there. */
  leftAlone?: number;
}

/** What is asked of a figure. */
export interface Asked {
  min?: number | undefined;
  max?: number | undefined;
}

/** Whether a figure lies in the range asked for: true or false when all of its interval does or does not; null, open, else and before three rounds. */
export function holds({ low, high, rounds }: Estimate, { min = -Infinity, max = Infinity }: Asked): boolean | null {
  if (rounds < claimRounds) return null;
  if (low >= min && high <= max) return true;
  return high < min || low > max ? false : null;
}

/** No more than this is worth waiting for: what is open beyond it lies at the very edge of what is asked for. */
const mostTimes = 60;

/**
 * How many additional rounds would decide, if the figure stays where it is or settles `shifted` standard errors from there; null when not even sixty times as
 * many would.
 */
export function missingRounds(estimate: Estimate, asked: Asked, shifted = 0): number | null {
  const { after, rounds, value } = estimate;
  if (after === null || !(rounds > 0) || !Number.isFinite(rounds)) return null;
  const most = Math.ceil(mostTimes * rounds);
  for (let all = Math.max(rounds + 1, claimRounds); all <= most; all += 1) {
    const [low, high] = after(all / rounds, shifted);
    if (holds({ value, low, high, after: null, rounds: all }, asked) !== null) return all - rounds;
  }
  return null;
}

/**
 * How many additional rounds would decide, if the figure is one standard error off to the better side: one estimate in six is off by more. Null as in {@link
 * missingRounds}.
 */
export function fewestMissingRounds(estimate: Estimate, asked: Asked): number | null {
  const either = [-1, 0, 1].flatMap((shifted) => missingRounds(estimate, asked, shifted) ?? []);
  return either.length === 0 ? null : Math.min(...either);
}

/** Figures that fall and rise with the CPU that is left; latency falls as it rises, so that its inverse is used. */
const shape: Partial<Record<MetricName, 'rate' | 'time'>> = {
  throughput: 'rate',
  cpuPercent: 'rate',
  utilisationPercent: 'rate',
  meanMs: 'time',
  p99Ms: 'time',
};

/**
 * How many times as large a figure is at `a` than at `b`, by the statistics of runs: by the slices of the passes, or over the rounds, in which both were
 * measured. `beside` are additional points of the same rounds, which improve the estimate of the scatter. Null where too little is known.
 */
export function compare(name: MetricName, a: MeasuredPoint, b: MeasuredPoint, beside: readonly MeasuredPoint[] = []): Estimate | null {
  const [first, second] = [positive(a.samples.get(name)), positive(b.samples.get(name))];
  if (first === null || second === null) return quotient(metricAt(a, name), metricAt(b, name));
  const inverted = shape[name] === 'time';
  const settings = [
    { key: a.key, samples: first },
    { key: b.key, samples: second },
    ...neighboursOf([first, second], beside, name, [a.key, b.key]),
  ].map(({ key, samples }) => ({
    key,
    blocks: samples.map(({ round, value, slices }) => ({ round, throughput: inverted ? 1 / value : value, slices })),
  }));
  const difference = blockStatistics(settings).difference(a.key, b.key);
  if (difference === null) return null;
  const followed = Math.max(passedOn(first, inverted), passedOn(second, inverted));
  const unequal = shape[name] === undefined ? 0 : followed * Math.log(a.leftAlone / b.leftAlone);
  const rounds = Math.min(first.length, second.length);
  const sign = inverted ? -1 : 1;
  return estimateOf({ ...difference, mean: sign * difference.logRatio }, rounds, Math.exp, sign * unequal);
}

/** Fewer rounds do not show whether a figure follows the CPU that others used. */
const followedRounds = 5;

/**
 * How much of the CPU that the threads lost may have affected the figure at the most, 0 … 1: all of it unless the rounds show otherwise. An app that mostly
 * waits has its threads queue for the CPU, too, but is no slower for it where its throughput stays the same through all that others use: the slope of ln figure
 * over ln CPU left, by least squares within a side, with the upper end of its 95 % interval.
 */
function passedOn(samples: readonly MetricSample[], inverted: boolean): number {
  const known = samples.flatMap(({ taken, value }) =>
    taken === null ? [] : [{ x: Math.log(1 - Math.min(0.95, taken)), y: (inverted ? -1 : 1) * Math.log(value) }],
  );
  const n = known.length;
  if (n < followedRounds) return 1;
  const [xs, ys] = [known.map(({ x }) => x), known.map(({ y }) => y)];
  const spread = jstat.covariance(xs, xs);
  if (!(spread > 0)) return 1;
  const slope = jstat.covariance(xs, ys) / spread;
  const error = Math.sqrt(Math.max(0, jstat.covariance(ys, ys) / spread - slope ** 2) / (n - 2));
  return Math.min(1, Math.max(0, slope + studentTQuantile(0.975, n - 2) * error));
}

/** A smaller difference of what two sides lost to others is none. */
const leastUnequal = Math.log(1.02);

/** Compares losses by what remains: a smaller loss leaves more, and what remains can be compared by ratio. */
export function compareLeft(a: MeasuredPoint, b: MeasuredPoint): Estimate | null {
  const left = (point: MeasuredPoint): MeasuredPoint => ({
    ...point,
    samples: new Map([['throughput', (point.samples.get('lossPercent') ?? []).map((one) => ({ ...one, value: 1 - one.value / 100 }))]]),
    ranges: new Map(),
  });
  return compare('throughput', left(a), left(b));
}

/** A measured figure of one point; null where it was not measured. */
export function metricAt(point: MeasuredPoint, name: MetricName): Estimate | null {
  if (name === 'errorShare' && point.counts.attempts > 0) return shareOf(point.counts);
  const range = point.ranges.get(name);
  const value = point.point.figures[name];
  if (range !== undefined && value != null) return { value, low: range[0], high: range[1], after: null, rounds: Infinity };
  const samples = point.samples.get(name) ?? [];
  if (samples.length === 0) return null;
  // A loss may well be none at all, or less.
  const same = (one: number): number => one;
  return name === 'lossPercent' || positive(samples) === null ? ofSamples(samples, same, same) : ofSamples(samples, Math.log, Math.exp);
}

/** All samples, where there are any and each has a logarithm. */
function positive(samples: readonly MetricSample[] | undefined): readonly MetricSample[] | null {
  return samples === undefined || samples.length === 0 || samples.some(({ value }) => !(value > 0)) ? null : samples;
}

/** Points whose figure is near the larger of the two: they scatter alike. */
function neighboursOf(
  pair: readonly (readonly MetricSample[])[],
  beside: readonly MeasuredPoint[],
  name: MetricName,
  own: readonly string[],
): { key: string; samples: readonly MetricSample[] }[] {
  const level = (samples: readonly MetricSample[]): number => average(samples.map(({ value }) => value));
  const largest = Math.max(...pair.map(level));
  return beside.flatMap((point) => {
    const samples = positive(point.samples.get(name));
    if (samples === null || own.includes(point.key)) return [];
    const share = level(samples) / largest;
    return share >= 0.8 && share <= 1.25 ? [{ key: point.key, samples }] : [];
  });
}

/**
 * An estimate of values of which `back` gives the figure. Covers both what was measured and what it would be on the machine without other programs: the choice
 * between them must not decide a rule. `unequal`: ln of how much more one side lost to others.
 */
function estimateOf(
  { mean, standardError, degreesOfFreedom }: Mean,
  rounds: number,
  back: (value: number) => number,
  unequal = 0,
): Estimate {
  const shift = Math.abs(unequal) > leastUnequal ? unequal : 0;
  const after = (times: number, shifted = 0): [number, number] => {
    if (standardError === Infinity) return [back(-Infinity), back(Infinity)];
    const t = studentTQuantile(ruleConfidence, degreesOfFreedom + rounds * (times - 1)) / Math.sqrt(times);
    return [
      back(mean + Math.min(0, shift) + (shifted - t) * standardError),
      back(mean + Math.max(0, shift) + (shifted + t) * standardError),
    ];
  };
  const [low, high] = after(1);
  return { value: back(mean), low, high, after, rounds, ...(shift === 0 ? {} : { leftAlone: back(mean + shift) }) };
}

function ofSamples(samples: readonly MetricSample[], scale: (value: number) => number, back: (value: number) => number): Estimate {
  const values = samples.map(({ value }) => scale(value));
  const alone = { mean: values[0] ?? 0, standardError: Infinity, degreesOfFreedom: 1 };
  return estimateOf(meanOf(values) ?? alone, values.length, back);
}

/**
 * A share of requests with Wilson’s interval (Wilson, Journal of the American Statistical Association 22, 1927). One round is enough: each request is a trial.
 */
function shareOf({ errors, attempts, rounds }: MeasuredPoint['counts']): Estimate {
  const seen = errors / attempts;
  const after = (times: number, shifted = 0): [number, number] => {
    const n = attempts * times;
    const share = Math.min(1, Math.max(0, seen + shifted * Math.sqrt((seen * (1 - seen)) / attempts)));
    const z2 = ruleZ ** 2;
    const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    const half = (ruleZ / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
    return [errors === 0 ? 0 : Math.max(0, centre - half), Math.min(1, centre + half)];
  };
  const [low, high] = after(1);
  return { value: seen, low, high, after, rounds: Math.max(claimRounds, rounds) };
}

/** The ratio of two figures that are known independently: from the ends of their intervals. */
function quotient(a: Estimate | null, b: Estimate | null): Estimate | null {
  if (a === null || b === null || !(b.value > 0)) return null;
  const over = (up: number, down: number): number => (down > 0 ? up / down : up === 0 ? 0 : Infinity);
  return {
    value: a.value / b.value,
    low: Math.max(0, over(a.low, b.high)),
    high: over(a.high, b.low),
    after: null,
    rounds: Math.min(a.rounds, b.rounds),
  };
}
