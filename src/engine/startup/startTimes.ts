import { sameBand } from '../../model/presentation/forest.ts';
import { defaultDelta } from '../../model/domain/margin.ts';
import type { Start, StartVariant, StartTime, StartWay, SteadyLoad } from '../../model/domain/startup.ts';
import type { Ratio, Verdict } from '../../model/domain/tuning.ts';
import { meanOf, reachOf } from '../statistics/moments.ts';

/** The geometric mean of times and its 95 % interval, by Student’s t on their logarithms: times of starts lie skewed. Null of fewer than two. */
export function startTime(times: readonly number[]): StartTime | null {
  const estimate = meanOf(times.map(Math.log));
  if (estimate === null) return null;
  const reach = reachOf(estimate);
  const { mean } = estimate;
  return { mean: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}

/** What one way to start has shown. */
export function variantOf(way: StartWay, starts: readonly Start[], steady: SteadyLoad | null = null): StartVariant {
  const of = (value: (start: Start) => number | null): StartTime | null => startTime(starts.flatMap((start) => value(start) ?? []));
  return {
    way,
    starts: [...starts],
    ready: of(({ readyMs }) => readyMs),
    firstAnswer: of(({ firstAnswerMs }) => firstAnswerMs),
    firstTook: of(({ firstTookMs }) => firstTookMs),
    laterTook: of(({ laterTookMs }) => laterTookMs),
    steady,
  };
}

/**
 * The time until ready of one way over that of another: starts of both in turn make pairs, which share what else the machine did. Null of fewer than two pairs.
 */
export function pairedRatio(base: readonly Start[], other: readonly Start[]): { ratio: Ratio; verdict: Verdict } | null {
  const logs = other.slice(0, base.length).map(({ readyMs }, index) => Math.log(readyMs / (base[index]?.readyMs ?? readyMs)));
  const estimate = meanOf(logs);
  if (estimate === null) return null;
  const reach = reachOf(estimate);
  const [mean, ciLow, ciHigh] = [estimate.mean, estimate.mean - reach, estimate.mean + reach].map(Math.exp) as [number, number, number];
  const [low, high] = sameBand(defaultDelta);
  const verdict = ciHigh < 1 ? 'better' : ciLow > 1 ? 'worse' : ciLow > low && ciHigh < high ? 'same' : 'unknown';
  return { ratio: { mean, ciLow, ciHigh }, verdict };
}
