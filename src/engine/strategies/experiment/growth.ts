import { median, medianSlope } from '../../statistics/moments.ts';

/** A value at a time, in s. */
export type Reading = readonly [atS: number, value: number];

/** Slope by Theil and Sen, per second; of at most 200 readings, evenly chosen. */
export function slopePerS(readings: readonly Reading[]): number {
  const step = Math.max(1, Math.ceil(readings.length / 200));
  return medianSlope(readings.filter((_reading, index) => index % step === 0));
}

/** By which share a series grows over its length, by its slope; 0.05 is 5 %. */
export function growthShare(readings: readonly Reading[]): number {
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const level = median(readings.map(([, value]) => value));
  return level === 0 ? 0 : (slopePerS(readings) * (last[0] - first[0])) / level;
}

/** Whether memory has settled: at least `seconds` of readings, which grow by less than 2 % by their slope and lie within 6 % of each other. */
export function hasSettled(readings: readonly Reading[], seconds: number): boolean {
  const last = readings.at(-1);
  if (last === undefined) return false;
  const recent = readings.filter(([at]) => at >= last[0] - seconds);
  if (recent.length < 6 || last[0] - (recent[0]?.[0] ?? 0) < seconds - 1.5) return false;
  const values = recent.map(([, value]) => value);
  return Math.abs(growthShare(recent)) < 0.02 && Math.max(...values) / Math.min(...values) < 1.06;
}
