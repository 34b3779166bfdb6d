import { failure } from '../../model/domain/failure.ts';
import { meanInterference } from '../../model/domain/interference.ts';
import type { MachineResolution } from '../../model/domain/machineFacts.ts';
import { resolvingPower } from '../statistics/resolvingPower.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { allowedCores } from './cpuAllowance.ts';
import { type HostEdge, interferenceBetween, HostEdgeReader } from './hostEdge.ts';
import { ProcessTable } from './processTable.ts';
import { type SteadyWorkPlan, type WorkReading, workReadingSchema } from './steadyWorkProtocol.ts';

export interface ResolvingPowerOptions {
  supervisor: Supervisor;
  nodePath: string;
  /** The bundle of `steadyWork.ts`. */
  workerPath: string;
  env: Readonly<Record<string, string>>;
  /** Called at each edge of a window with how much of the time is over, from 0 to 1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

const windowMs = 250;
const windows = 40;
/** The whole measurement, in seconds. */
export const resolvingS = (windows * windowMs) / 1000;

/** One edge of a window: what was done so far, and the machine at that moment. */
export interface WorkEdge {
  reading: WorkReading;
  host: HostEdge | null;
}

/**
 * Works for ten seconds on every core that we may use, in windows of 250 ms, and reports which difference a minute of slices could show.
 * @throws `machine-not-measured` when the work could not be done, and the signal’s reason when aborted.
 */
export async function measureResolvingPower(options: ResolvingPowerOptions): Promise<MachineResolution> {
  const { supervisor, signal } = options;
  signal.throwIfAborted();
  const table = new ProcessTable();
  const reader = new HostEdgeReader();
  const plan: SteadyWorkPlan = { threads: Math.max(1, Math.round(allowedCores())), windowMs, windows, warmUpMs: 500 };
  const edges: WorkEdge[] = [];
  const child = await supervisor.start({
    name: 'steady work',
    kind: 'tool',
    argv: [options.nodePath, options.workerPath, JSON.stringify(plan)],
    cwd: process.cwd(),
    env: options.env,
    captureLines: (stream, line) => {
      if (stream !== 'stdout') return;
      // The machine first: the line is on its way already.
      const host = process.platform === 'linux' ? reader.read(table, [], [process.pid]) : null;
      edges.push({ reading: workReadingSchema.parse(JSON.parse(line)), host });
      options.onProgress(Math.min(1, (edges.length - 1) / windows));
    },
  });
  const stop = (): void => void child.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const exit = await child.exited;
    signal.throwIfAborted();
    const found = machineResolution(edges);
    if (found !== null) return found;
    throw failure(
      'machine-not-measured',
      `The differences that this machine can resolve could not be measured: the program that works for it ${exitPhrase(exit)} after ${edges.length} readings.`,
      'Check again; if it happens again, see whether the machine has memory left.',
      child.log.text(),
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What the edges of adjoining windows show; `null` when there are too few. */
export function machineResolution(edges: readonly WorkEdge[]): MachineResolution | null {
  const seen = edges.slice(1).flatMap((after, index) => {
    const before = edges[index];
    if (before === undefined) return [];
    const lengthMs = after.reading.atMs - before.reading.atMs;
    const interference = before.host === null || after.host === null ? null : interferenceBetween(before.host, after.host);
    return [{ throughput: (after.reading.units - before.reading.units) / lengthMs, interference, windowMs: lengthMs }];
  });
  const power = resolvingPower(
    seen.map(({ throughput }) => throughput),
    windowMs,
  );
  if (power === null) return null;
  return { ...power, measuredS: seen.reduce((sum, { windowMs: ms }) => sum + ms, 0) / 1000, interference: meanInterference(seen) };
}
