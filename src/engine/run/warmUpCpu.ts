import type { LoadTick } from '../load/loadProtocol.ts';
import type { ClockReading, CpuBetween, ThreadClocks } from '../load/slices/threadClocks.ts';
import { meanOf, median } from '../statistics/moments.ts';
import { pause } from '../supervise/pause.ts';
import { compilingShare } from './warmPasses.ts';

/** Between a figure of a warm-up and the one that it is compared with. */
export const warmUpLookS = 5;
/** Less is noise. */
const leastFallPercent = 3;
/** Ticks of half a second: a compiler works in stretches. */
const ticksOfCompiler = 6;
/** Readings that are closer in time are not compared: the kernel adds to a running thread's time every few milliseconds. Ticks that wait for a busy engine come at once. */
const leastMs = 250;
/** Compilers of one process that are ready to run for so much of the time, in cores, have something to do. */
const compilingDemand = 0.25;
const unused: Used = { totalUs: 0, compilerUs: 0, compilerWaitedUs: 0 };
/** How often compilers at rest are looked at, in ms, and up to which share of a core they count as idle. */
const restLookMs = 100;
const idleShare = 0.1;
/** A level is the median of so many ticks. */
const ticksOfLevel = 6;
/**
 * The share of the first start's level at which another start of the same program counts as warm. Processes of one program differ by up to 2.6 %, and the median
 * of six ticks scatters by 3 % under bursts (docs/decisions/0044). The rest of the climb meets both sides alike, slice by slice.
 */
const shareOfLevel = 0.93;

type Used = Pick<CpuBetween, 'totalUs' | 'compilerUs' | 'compilerWaitedUs'>;

type Clocks = Pick<ThreadClocks, 'read' | 'between'>;

interface Tick extends Pick<Used, 'totalUs' | 'compilerUs'> {
  lastedMs: number;
  requests: number;
  /** Of each of those that are warmed together. */
  each: readonly Used[];
}

/** CPU time of a request while processes are warmed: a compiler and caches bring it down, and what others take of the CPU hardly touches it. */
export class WarmUpCpu {
  #last: { atMs: number; readings: readonly ClockReading[] } | null = null;
  #missing = false;
  readonly #ticks: Tick[] = [];

  /** @param clocks of each process or group of processes that is warmed together with the others */
  constructor(
    private readonly clocks: readonly Clocks[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** To be called at each tick of the load. */
  tick({ throughput }: Pick<LoadTick, 'throughput'>): void {
    const atMs = this.now();
    if (this.#last !== null && atMs - this.#last.atMs < leastMs) return;
    const readings = this.clocks.map((clocks) => clocks.read());
    const before = this.#last;
    this.#last = { atMs, readings };
    if (readings.every(({ size }) => size === 0)) this.#missing = true;
    if (before === null) return;
    const each = this.clocks.map(
      (clocks, index): Used => clocks.between(before.readings[index] ?? new Map(), readings[index] ?? new Map()) ?? unused,
    );
    const [totalUs, compilerUs] = [sumOf(each, 'totalUs'), sumOf(each, 'compilerUs')];
    const requests = (throughput * (atMs - before.atMs)) / 1000;
    if (totalUs > compilerUs && requests > 0) this.#ticks.push({ totalUs, compilerUs, each, requests, lastedMs: atMs - before.atMs });
  }

  /** Has the compilers rest (see {@link compilersRest}); the next tick is the first of a new stretch. */
  async compilersRest(mostMs: number, signal?: AbortSignal): Promise<void> {
    await compilersRest(this.clocks, mostMs, signal);
    this.#last = null;
  }

  /** Requests for each second of CPU apart from compilers, in each tick from the second on; null where CPU is not known. */
  get perSecond(): readonly number[] | null {
    if (this.#missing || (this.#last === null && this.#ticks.length === 0)) return null;
    return this.#ticks.map(({ requests, totalUs, compilerUs }) => (1e6 * requests) / (totalUs - compilerUs));
  }

  /** Share of the CPU time that compilers of the runtime took of late in the one that compiles most, 0 … 1; 0 where it is not known. */
  get compilerShare(): number {
    return this.#mostOfCompilers((own) => sumOf(own, 'compilerUs') / Math.max(1, sumOf(own, 'totalUs')));
  }

  /**
   * Whether compilers are at work, or would be if they got a core: what they had ready to do and did not come to is no smaller for the threads of app and load
   * that were before it.
   */
  get compiles(): boolean {
    const ms = this.#ticks.slice(-ticksOfCompiler).reduce((sum, { lastedMs }) => sum + lastedMs, 0);
    const demand = this.#mostOfCompilers((own) => (sumOf(own, 'compilerUs') + sumOf(own, 'compilerWaitedUs')) / 1000 / Math.max(1, ms));
    return this.compilerShare > compilingShare || demand > compilingDemand;
  }

  #mostOfCompilers(of: (own: readonly Used[]) => number): number {
    const recent = this.#ticks.slice(-ticksOfCompiler);
    return Math.max(0, ...this.clocks.map((_, index) => of(recent.flatMap(({ each }) => each[index] ?? []))));
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

function sumOf(all: readonly Used[], what: keyof Used): number {
  return all.reduce((sum, one) => sum + one[what], 0);
}

/** Resolves when no compiler of these processes is at work any more, or after so many ms. Without load they have all cores. */
export async function compilersRest(all: readonly Clocks[], mostMs: number, signal?: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const read = (): ClockReading[] => all.map((clocks) => clocks.read());
  let before = read();
  for (;;) {
    await pause(restLookMs, signal);
    const after = read();
    const usedUs = all.map((clocks, index) => clocks.between(before[index] ?? new Map(), after[index] ?? new Map())?.compilerUs ?? 0);
    before = after;
    const isIdle = Math.max(0, ...usedUs) < idleShare * 1000 * restLookMs;
    if (isIdle || performance.now() - startedMs >= mostMs) return;
  }
}
