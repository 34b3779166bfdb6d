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
 * Whether a warm-up has levelled off: by the CPU time of a request, after `minMs`; by throughput where CPU is not known. Where CPU is next to nothing of a request
 * no compiler has to be waited for: steady throughput is enough at any time. Several processes at once have the throughput that the cores leave them, which says
 * nothing of each alone: a few ticks are enough then. `tickMs`: what a tick lasts.
 */
export function levelsOff(soFar: WarmUpSoFar, { tickMs, minMs, lastLook }: { tickMs: number; minMs: number; lastLook: boolean }): boolean {
  const { throughput, perSecond, compiles, littleCpu, together } = soFar;
  if (littleCpu && together) return throughput.length >= fewestTicks;
  const isSteady = (): boolean => steadyState(throughput, tickMs, { lastLook }).steady;
  if (littleCpu) return isSteady();
  if (throughput.length * tickMs < minMs) return false;
  return perSecond === null ? isSteady() : !compiles && steadyState(perSecond, tickMs, { lastLook, series: 'cpu' }).steady;
}
