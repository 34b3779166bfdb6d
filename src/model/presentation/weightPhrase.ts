import { bytesPhrase, figure, wholeNumber } from '../domain/format.ts';

/** What the weights of a recording are counted in. */
export type WeightUnit = 'ns' | 'bytes' | 'count';

/** Nanoseconds as a person says them. */
export function timePhrase(ns: number): string {
  const size = Math.abs(ns);
  if (size >= 1e9) return `${figure(ns / 1e9)} s`;
  if (size >= 1e6) return `${figure(ns / 1e6)} ms`;
  if (size >= 1e3) return `${figure(ns / 1e3)} µs`;
  return `${figure(ns)} ns`;
}

/** A weight with its unit: "1.24 s", "84 MiB", "3,120". */
export function weightPhrase(value: number, unit: WeightUnit): string {
  if (unit === 'ns') return timePhrase(value);
  if (unit === 'bytes') return `${value < 0 ? '-' : ''}${bytesPhrase(Math.abs(value))}`;
  return Number.isInteger(value) ? wholeNumber(value) : figure(value);
}
