import type { RecordingLoad } from '../../model/domain/recording.ts';
import type { LoadGenerator } from '../load/loadGenerator.ts';
import type { BlockPlan, BlockResult } from '../load/loadPlans.ts';

/** A warm process and the load that can be put on it. */
export interface UnderLoad {
  pid: number;
  connections: number;
  /** Puts the load on it for one window. `onWindow` is called when the window opens and closes. */
  block(windowMs: number, onWindow?: (edge: 'open' | 'close') => void): Promise<BlockResult>;
  /** Keeps the load on while something is done: a profiler is to find the process at work when it attaches. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** CPU time of the process tree so far in µs; null where the platform does not report it. */
  cpuTimeUs(): Promise<number | null>;
}

/** One window: what was served, and the CPU time per request in µs. */
export interface MeasuredWindow {
  result: BlockResult;
  cpuUsPerRequest: number | null;
}

/** Runs one window and reads the CPU meter at its edges. */
export async function measureWindow(
  load: UnderLoad,
  windowMs: number,
  onEdge: (edge: 'open' | 'close') => void = () => undefined,
): Promise<MeasuredWindow> {
  const meters: Promise<number | null>[] = [];
  const result = await load.block(windowMs, (edge) => {
    meters.push(load.cpuTimeUs());
    onEdge(edge);
  });
  const [before, after] = await Promise.all(meters);
  const used = before == null || after == null ? null : after - before;
  return { result, cpuUsPerRequest: used === null || result.requests === 0 ? null : used / result.requests };
}

/** The load of one window for the record of what was recorded in it; null where none was put on. */
export function recordingLoad(result: BlockResult | null, connections: number, cpuUsPerRequest: number | null): RecordingLoad | null {
  if (result === null) return null;
  const { requests, errors, windowMs } = result;
  const throughput = windowMs > 0 ? (requests * 1000) / windowMs : 0;
  return { requests, errors: errors.total, windowMs, throughput, connections, cpuUsPerRequest };
}

const longestMs = 120_000;

/** Puts a load on while `work` runs, and for at most half a second longer. What it measures is not used. */
export async function loadDuring<T>(generator: LoadGenerator, plan: BlockPlan, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let done = false;
  const working = work().finally(() => {
    done = true;
  });
  // Its failure is reported where it is awaited, below: after the load has ended.
  working.catch(() => undefined);
  await generator.warmUp(plan, { isSteady: () => done, minMs: 0, maxMs: longestMs, signal });
  return working;
}
