import type { Throughput } from './run.ts';

/** δ of the recommendation: what an answer is asked to tell apart, as a share of the mean. */
export const askedShare = 0.05;

/** Whether an interval is wider than what is asked for, ±δ of its mean: no figure with such an interval is marked as certain. */
export function isWide({ mean, ciLow, ciHigh }: Omit<Throughput, 'blocks'>, delta: number = askedShare): boolean {
  return ciLow === null || ciHigh === null || mean <= 0 || (ciHigh - ciLow) / 2 / mean > delta;
}
