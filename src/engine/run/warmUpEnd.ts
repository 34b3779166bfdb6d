import type { LoadTick } from '../load/loadProtocol.ts';
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

/** Ticks at the end of a warm-up of which the speed of each process is taken: about as long as a slice may be. */
const lastTicks = 3;

/** What each of several processes answered in the last ticks of a warm-up, in requests/s; `ports`: how many each has. Empty where that is not known. */
export function throughputOfEach(ticks: readonly LoadTick[], ports: readonly number[]): number[] {
  const counted = ticks.filter(({ answeredBy }) => answeredBy !== undefined).slice(-1 - lastTicks);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined || !(last.elapsedMs > first.elapsedMs)) return [];
  const answered = (last.answeredBy ?? []).map((count, port) => count - (first.answeredBy?.[port] ?? 0));
  return ports.map((count, index) => {
    const from = ports.slice(0, index).reduce((sum, one) => sum + one, 0);
    return (1000 * answered.slice(from, from + count).reduce((sum, one) => sum + one, 0)) / (last.elapsedMs - first.elapsedMs);
  });
}
