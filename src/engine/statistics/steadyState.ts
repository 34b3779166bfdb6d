import type { WarmUpFinding } from '../../model/domain/warmUpFinding.ts';
import { mean, median, medianSlope } from './moments.ts';

/**
 * Has throughput become steady? The rule of three parts, each of which catches what the others miss:
 * MSER finds where the warm-up ends, the last third against the middle third finds a jump or a slow climb,
 * the Theil–Sen slope finds a trend over everything that would be kept.
 * Sources: White, "An effective truncation heuristic for bias reduction in simulation output" (MSER, 1997);
 * Sen, JASA 63 (1968); the combination and its thresholds were simulated on exponential warm-up curves (see the unit tests).
 */

/** Median absolute deviation, scaled by 1.4826 to estimate the standard deviation of normal noise. */
export function scaledMad(values: readonly number[]): number {
  const centre = median(values);
  return 1.4826 * median(values.map((value) => Math.abs(value - centre)));
}

/** MSER: the number d of ticks to cut, 0 ≤ d ≤ n/2, that minimises Σ(xᵢ − mean)² / (n − d)² over the rest. */
export function mserTruncation(values: readonly number[]): number {
  const n = values.length;
  let [best, bestScore] = [0, Number.POSITIVE_INFINITY];
  for (let cut = 0; cut <= n / 2 && cut < n; cut += 1) {
    const rest = values.slice(cut);
    const middle = mean(rest);
    const score = rest.reduce((sum, value) => sum + (value - middle) ** 2, 0) / rest.length ** 2;
    if (score < bestScore) [best, bestScore] = [cut, score];
  }
  return best;
}

/** The fewest ticks that may be judged steady. */
const minKeptTicks = 8;
/** Largest change from the middle to the last third that counts as noise. */
const thirdsTolerance = 0.03;
/** Largest trend over the kept part, as a share of its median. */
const trendTolerance = 0.06;
/** While there is time to see more, the trend must be known at least this well (one standard error). */
const trendErrorLimit = 0.1;

export interface SteadyState {
  steady: boolean;
  /** Why it is not steady; `null` when it is. */
  reason: WarmUpFinding | null;
  /** Index of the first of the given ticks that is past the warm-up. */
  keptFrom: number;
}

/**
 * Joins ticks in pairs until they are about a second long, as long as at least 16 remain: half of them may be cut as warm-up,
 * and 8 must be kept. The rule was made for 1-s ticks; in the first seconds it has to do with shorter ones,
 * whose larger noise only widens the tolerance between the thirds.
 */
function joinTicks(throughput: readonly number[], tickMs: number): { values: number[]; joined: number } {
  let joined = 1;
  while (tickMs * joined * 2 <= 1000 && Math.floor(throughput.length / (joined * 2)) >= 2 * minKeptTicks) joined *= 2;
  const values: number[] = [];
  // From the end: what does not fill a tick is left out at the start, where it is warm-up anyway.
  for (let end = throughput.length; end - joined >= 0; end -= joined) values.unshift(mean(throughput.slice(end - joined, end)));
  return { values, joined };
}

/** What was watched: requests/s, or what a second of CPU serves. */
type Series = NonNullable<Extract<WarmUpFinding, { series: unknown }>['series']>;

export interface SteadyStateOptions {
  /**
   * The warm-up is over whatever the answer is, or what is compared meets a climb alike. Until then, a machine so noisy that a climb of 10 % would not be seen is
   * given more time; at the last look, steady means that nothing speaks against it.
   */
  lastLook?: boolean;
  /** What the series is, for the reasons; throughput by default. */
  series?: Series;
}

/**
 * Judges the throughputs (requests/s) of successive ticks of `tickMs` since the start of the load.
 * Steady when all hold, on ticks x₁ … xₙ of about 1 s: MSER's cut d* < n/2; at least 8 ticks are kept;
 * |median(last third)/median(middle third) − 1| ≤ max(3 %, 2·1.253·MAD/√m/median), m ticks in a third
 * (1.253 σ/√m is the standard error of a median); and over the kept part |Theil–Sen slope · length / median| ≤ 6 %, or no more
 * than twice its standard error σ·√(12/length): on a machine whose ticks vary by 10 %, flat throughput has a trend of 6 % by chance
 * alone. MAD is that of the kept ticks about their trend.
 */
export function steadyState(throughput: readonly number[], tickMs: number, options: SteadyStateOptions = {}): SteadyState {
  const { series = 'throughput' } = options;
  const { values, joined } = joinTicks(throughput, tickMs);
  const n = values.length;
  const offset = throughput.length - n * joined;
  const cut = mserTruncation(values);
  const kept = values.slice(cut);
  const keptFrom = offset + cut * joined;
  const not = (reason: WarmUpFinding): SteadyState => ({ steady: false, reason, keptFrom });
  if (kept.length < minKeptTicks) return not({ code: 'few-ticks', value: kept.length, limit: minKeptTicks });
  const centre = median(kept);
  if (!(centre > 0)) return not({ code: 'no-answers' });
  if (cut >= Math.floor(n / 2)) return not({ code: 'late-cut', series });

  const third = Math.floor(n / 3);
  const middle = values.slice(n - 2 * third, n - third);
  const last = values.slice(n - third);
  const change = median(last) / median(middle) - 1;
  const slope = medianSlope(kept.map((value, tick) => [tick, value]));
  const noise = scaledMad(kept.map((value, index) => value - slope * index)) / centre;
  const changeNoise = (2 * 1.253 * noise) / Math.sqrt(third);
  if (!(Math.abs(change) <= Math.max(thirdsTolerance, changeNoise))) {
    return not({ code: 'between-thirds', series, change });
  }
  const trend = (slope * kept.length) / centre;
  const trendError = noise * Math.sqrt(12 / kept.length);
  if (trendError > trendErrorLimit && options.lastLook !== true) return not({ code: 'varies', series });
  if (Math.abs(trend) > Math.max(trendTolerance, 2 * trendError)) {
    return not({ code: 'trend', series, change: trend, overS: (kept.length * joined * tickMs) / 1000 });
  }
  return { steady: true, reason: null, keptFrom };
}

/** The time that the rule needs: of 16 half-second ticks at most half may be cut, and 8 must be kept. */
const recentMs = 8_000;

/**
 * The verdict on a warm-up that has reached its cap: throughput is steady over the whole of it, or over its last 8 s. A climb of six seconds
 * would otherwise have to be outlasted by twelve more before it no longer counted against the plateau that followed it. To end a warm-up
 * early the whole must be steady: the last 8 s alone would take a slow climb for a plateau (in simulations, 4 % too low at a time
 * constant of 5 s).
 */
export function steadyAtCap(throughput: readonly number[], tickMs: number, series: Series = 'throughput'): SteadyState {
  const whole = steadyState(throughput, tickMs, { lastLook: true, series });
  const recent = Math.ceil(recentMs / tickMs);
  if (whole.steady || throughput.length <= recent) return whole;
  const skipped = throughput.length - recent;
  const last = steadyState(throughput.slice(skipped), tickMs, { lastLook: true, series });
  return { ...last, keptFrom: last.keptFrom + skipped };
}
