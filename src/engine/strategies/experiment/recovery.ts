import { median } from '../../statistics/moments.ts';

/** Throughput and errors of a short span; times in s since the window opened. */
export interface OutageTick {
  endS: number;
  throughput: number;
  errors: number;
}

export interface Recovery {
  /** From the event until throughput stays near its new level without errors; null when it does not before the next event. */
  seconds: number | null;
  /** Median throughput afterwards, requests/s. */
  level: number;
}

/** How near the new level a tick must be to count as steady. */
const near = 0.25;
/** The number of consecutive ticks. */
const inARow = 3;

/**
 * How long after an event throughput is steady again: the first of three ticks in a row whose median is within ±25 % of the level (the median of the
 * second half of the span after the event) and which have no error. Ticks are short, so that the margin is wide and a single one decides nothing.
 */
export function recoveryAfter(ticks: readonly OutageTick[], eventS: number, untilS: number): Recovery {
  const after = ticks.filter(({ endS }) => endS > eventS && endS <= untilS);
  const level = median(after.slice(Math.floor(after.length / 2)).map(({ throughput }) => throughput));
  const steady = (some: readonly OutageTick[]): boolean =>
    some.every(({ errors }) => errors === 0) && Math.abs(median(some.map(({ throughput }) => throughput)) - level) <= near * level;
  const from = after.findIndex((_tick, index) => index + inARow <= after.length && steady(after.slice(index, index + inARow)));
  const first = after[from];
  const before = after[from - 1];
  return { seconds: first === undefined ? null : from === 0 ? 0 : (before?.endS ?? first.endS) - eventS, level };
}

/**
 * Several recoveries as one figure with the range it lies in, a tick wider on both sides; one that did not come in the time there was is without end.
 * From three on the longest and the shortest are left out. Null when not even the middle one came.
 */
export function recoveryRange(
  recoveries: readonly (number | null)[],
  tickS: number,
): { seconds: number; low: number; high: number } | null {
  const sorted = recoveries.map((one) => one ?? Infinity).sort((a, b) => a - b);
  const seconds = sorted.length === 0 ? Infinity : median(sorted);
  if (!Number.isFinite(seconds)) return null;
  const kept = sorted.length >= 3 ? sorted.slice(1, -1) : sorted;
  return { seconds, low: Math.max(0, (kept[0] ?? 0) - tickS), high: (kept.at(-1) ?? Infinity) + tickS };
}
