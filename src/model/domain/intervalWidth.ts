import { withinPhrase } from './margin.ts';
import type { Throughput } from './run.ts';

/** "±7.2 %"; beyond ±100 % the figure says only that no difference can be detected. */
export function noiseFloorPhrase(percent: number): string {
  return percent > 100 ? 'over ±100 %' : `±${Math.abs(percent) < 10 ? percent.toFixed(1) : String(Math.round(percent))} %`;
}

/** Whether an interval is wider than what is asked for, ±δ of its mean: no figure with such an interval is marked as certain. */
export function isWide({ mean, ciLow, ciHigh }: Omit<Throughput, 'blocks'>, delta: number): boolean {
  return ciLow === null || ciHigh === null || mean <= 0 || (ciHigh - ciLow) / 2 / mean > delta;
}

/** "±7.2 %, wider than ±5 %": what a chip says of an interval that is wider than what is asked for; empty where it is not, or where there is none. */
export function wideWords(interval: Omit<Throughput, 'blocks'>, delta: number): string {
  const { mean, ciLow, ciHigh } = interval;
  if (ciLow === null || ciHigh === null || !isWide(interval, delta) || mean <= 0) return '';
  return `${noiseFloorPhrase((100 * (ciHigh - ciLow)) / 2 / mean)}, wider than ${withinPhrase(delta)}`;
}
