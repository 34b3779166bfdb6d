import type { LoadTick } from '../load/loadProtocol.ts';
import type { ClockReading, CpuBetween, ThreadClocks } from '../load/slices/threadClocks.ts';
import { meanOf, median } from '../statistics/moments.ts';
import { cpuPartOf } from './unsteady.ts';

/** Between a figure of a warm-up and the one that it is compared with. */
export const warmUpLookS = 5;
/** Less is noise. */
const leastFallPercent = 3;
/** Ticks of half a second: a compiler works in stretches. */
const ticksOfCompiler = 6;
/** Readings that are closer in time are not compared: the kernel adds to a running thread's time every few milliseconds. Ticks that wait for a busy engine come at once. */
const leastMs = 250;
/** A level is the median of so many ticks. */
const ticksOfLevel = 6;
/**
 * The share of the first start's level at which another start of the same program counts as warm. Processes of one program differ by up to 2.6 %, and the median
 * of six ticks scatters by 3 % under bursts (docs/decisions/0044). The rest of the climb meets both sides alike, slice by slice.
 */
const shareOfLevel = 0.93;

const nothing: CpuBetween = { totalUs: 0, waitedUs: 0, compilerUs: 0, compilerWaitedUs: 0, busiestUs: 0, busiestWaitedUs: 0 };

interface Tick extends Pick<CpuBetween, 'totalUs' | 'compilerUs'> {
  requests: number;
  lastedUs: number;
  /** Of each of those that are warmed together. */
  each: readonly CpuBetween[];
}

/** CPU time of a request while processes are warmed: a compiler and caches bring it down, and what others take of the CPU hardly touches it. */
export class WarmUpCpu {
  #last: { atMs: number; readings: readonly ClockReading[] } | null = null;
  #missing = false;
  readonly #ticks: Tick[] = [];

  /**
   * @param clocks of each process or group of processes that is warmed together with the others
   * @param connections of the load of each of them
   */
  constructor(
    private readonly clocks: readonly Pick<ThreadClocks, 'read' | 'between'>[],
    private readonly connections: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tick({ throughput }: Pick<LoadTick, 'throughput'>): void {
    const atMs = this.now();
    if (this.#last !== null && atMs - this.#last.atMs < leastMs) return;
    const readings = this.clocks.map((clocks) => clocks.read());
    const before = this.#last;
    this.#last = { atMs, readings };
    if (readings.every(({ size }) => size === 0)) this.#missing = true;
    if (before === null) return;
    const each = this.clocks.map(
      (clocks, index): CpuBetween => clocks.between(before.readings[index] ?? new Map(), readings[index] ?? new Map()) ?? nothing,
    );
    const [totalUs, compilerUs] = [sumOf(each, 'totalUs'), sumOf(each, 'compilerUs')];
    const lastedMs = atMs - before.atMs;
    const requests = (throughput * lastedMs) / 1000;
    if (totalUs > compilerUs && requests > 0) this.#ticks.push({ totalUs, compilerUs, each, requests, lastedUs: 1000 * lastedMs });
  }

  /** Requests for each second of CPU apart from compilers, in each tick from the second on; null where CPU is not known. */
  get perSecond(): readonly number[] | null {
    if (this.#missing || this.#last === null) return null;
    return this.#ticks.map(({ requests, totalUs, compilerUs }) => (1e6 * requests) / (totalUs - compilerUs));
  }

  /** Share of the CPU time that compilers of the runtime took of late in the one that compiles most, 0 … 1; 0 where it is not known. */
  get compilerShare(): number {
    const recent = this.#ticks.slice(-ticksOfCompiler);
    const shares = this.clocks.map((_, index) => {
      const own = recent.flatMap(({ each }) => each[index] ?? []);
      return sumOf(own, 'compilerUs') / Math.max(1, sumOf(own, 'totalUs'));
    });
    return Math.max(0, ...shares);
  }

  /** See {@link cpuPartOf}: of late, in the process of which it is largest. Null where it is not known. */
  get partOfRequest(): number | null {
    const recent = this.#ticks.slice(-ticksOfCompiler);
    if (this.#missing || recent.length < ticksOfCompiler) return null;
    const lastedUs = recent.reduce((sum, tick) => sum + tick.lastedUs, 0);
    // As many requests as there are connections last as long as the ticks (Little's law).
    const parts = this.clocks.map((_, index) => {
      const own = recent.flatMap(({ each }) => each[index] ?? []);
      // Several that are warmed at once wait for each other; measured alone they do not.
      const alone = this.clocks.length === 1;
      const waitedUs = alone ? sumOf(own, 'waitedUs') - sumOf(own, 'compilerWaitedUs') : 0;
      const busiestWaitedUs = alone ? sumOf(own, 'busiestWaitedUs') : 0;
      const us = sumOf(own, 'totalUs') - sumOf(own, 'compilerUs') + waitedUs;
      return cpuPartOf({ us, lastsUs: this.connections * lastedUs, busiestShare: (sumOf(own, 'busiestUs') + busiestWaitedUs) / lastedUs });
    });
    return Math.max(0, ...parts);
  }

  /** Requests for each second of CPU in the latest ticks; null where too few are known. */
  get level(): number | null {
    const recent = this.perSecond?.slice(-ticksOfLevel) ?? [];
    return recent.length < ticksOfLevel ? null : median(recent);
  }

  /** Whether a request takes hardly more CPU than in processes of the same program that were warm, of which `warm` is the {@link level}. */
  hasReached(warm: number): boolean {
    const { level } = this;
    return level !== null && level >= shareOfLevel * warm;
  }

  /** By how much less CPU a request takes than some seconds ago, in percent; null where that is nothing. */
  get fallsPercent(): number | null {
    const perSecond = this.perSecond ?? [];
    const now = meanOf(perSecond.slice(-2));
    const then = meanOf(perSecond.slice(-2 * warmUpLookS, -2 * warmUpLookS + 2));
    if (now === null || then === null) return null;
    const percent = Math.round(100 * (1 - then.mean / now.mean));
    return percent >= leastFallPercent ? percent : null;
  }
}

function sumOf(all: readonly CpuBetween[], what: keyof CpuBetween): number {
  return all.reduce((sum, one) => sum + one[what], 0);
}
