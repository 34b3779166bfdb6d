import { steadyState } from '../statistics/steadyState.ts';

/** Of processes that are warmed at once and need little CPU: connections are open by then, and caches of the database filled. */
const fewestTicks = 8;

/** What a warm-up has shown so far. */
export interface WarmUpSoFar {
  /** requests/s of each tick. */
  throughput: readonly number[];
  /** Requests for each second of CPU; null where CPU is not known. */
  perSecond: readonly number[] | null;
  /** Whether compilers of the runtime still take much of the CPU. */
  compiles: boolean;
  /** Whether CPU is next to nothing of a request, and throughput is what counts. */
  littleCpu: boolean;
  /** Whether several processes are warmed at once. */
  together: boolean;
}

/**
 * Whether a warm-up has levelled off after `minMs`: by the CPU time of a request; by throughput where CPU is not known or next to nothing of a request. Several
 * processes at once have the throughput that the cores leave them, which says nothing of each alone: where they need little CPU, a few ticks are enough.
 * `tickMs`: what a tick lasts.
 */
export function levelsOff(soFar: WarmUpSoFar, { tickMs, minMs, lastLook }: { tickMs: number; minMs: number; lastLook: boolean }): boolean {
  const { throughput, perSecond, compiles, littleCpu, together } = soFar;
  if (littleCpu && together) return throughput.length >= fewestTicks;
  if (throughput.length * tickMs < minMs) return false;
  return littleCpu || perSecond === null
    ? steadyState(throughput, tickMs, { lastLook }).steady
    : !compiles && steadyState(perSecond, tickMs, { lastLook, series: 'cpu' }).steady;
}
