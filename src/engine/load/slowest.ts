import { performance } from 'node:perf_hooks';
import type { Slowest } from './loadProtocol.ts';
import { machineMs } from './machineClock.ts';

/** The largest number that is reported of a window. */
const told = 300;

const machineOffsetMs = machineMs() - performance.now();

/** Keeps the slowest requests of a window, with when they were answered. One that is not among them costs a comparison. */
export class SlowestRequests {
  #kept: { endMs: number; tookMs: number }[] = [];
  #leastMs = 0;

  add(tookMs: number): void {
    if (tookMs <= this.#leastMs) return;
    this.#kept.push({ endMs: performance.now() + machineOffsetMs, tookMs });
    if (this.#kept.length >= 2 * told) this.#trim();
  }

  reset(): void {
    this.#kept = [];
    this.#leastMs = 0;
  }

  /** The slowest among this number of answers. */
  slowestOf(answered: number): Slowest {
    this.#trim();
    const slowest = this.#kept.slice(0, Math.ceil(answered / 100));
    return { endMs: slowest.map(({ endMs }) => endMs), tookMs: slowest.map(({ tookMs }) => tookMs) };
  }

  #trim(): void {
    this.#kept.sort((a, b) => b.tookMs - a.tookMs);
    this.#kept.splice(told);
    if (this.#kept.length === told) this.#leastMs = this.#kept.at(-1)?.tookMs ?? 0;
  }
}
