import type { LiveSample } from '../../../model/protocol/live.ts';
import type { LoadTick } from '../../load/loadProtocol.ts';
import { type GroupReport, latestOf } from '../../probe/groupReport.ts';
import { poolUseOf, threadUseOf, windowBetween } from '../../probe/probeWindow.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import { readProbes } from '../runningTargets.ts';
import type { MeasuringHarness } from '../measuringHarness.ts';

type CpuPart = 'appCpuUs' | 'postgresCpuUs' | 'generatorCpuUs';

/** What has been used so far, at one moment: CPU time in µs since each process began, null where it is not known; and what the probes say. */
export interface LiveReading extends Record<CpuPart, number | null> {
  atMs: number;
  probes: GroupReport | null;
}

/** Reads the meters of a session: the difference of two readings covers the time between them. */
export class LiveMeters {
  #previous: LiveReading | null = null;

  constructor(
    private readonly harness: MeasuringHarness,
    private readonly running: RunningTarget,
    private readonly postgresPids: () => readonly number[],
  ) {}

  async read(): Promise<LiveReading> {
    const [postgresPid] = this.postgresPids();
    const atMs = performance.now();
    const [appCpuUs, postgresCpuUs, generatorCpuUs, probes] = await Promise.all([
      this.harness.cpuTimeUs(this.running.child.pid),
      postgresPid === undefined ? null : this.harness.cpuTimeUs(postgresPid),
      this.harness.cpuTimeUs(this.harness.generator.pid),
      // One that does not answer in time has reported something a second ago at most.
      readProbes(this.running).then((report) => report ?? (this.running.probe === null ? null : latestOf(this.running.probe))),
    ]);
    return { atMs, appCpuUs, postgresCpuUs, generatorCpuUs, probes };
  }

  /** A sample of the time since the one before. The first has no figures of CPU and pool. */
  async sample(tick: LoadTick, timeMs: number): Promise<LiveSample> {
    const before = this.#previous;
    const now = await this.read();
    this.#previous = now;
    const window = before?.probes == null || now.probes === null ? null : windowBetween(before.probes, now.probes);
    const pool = window === null ? null : poolUseOf([window], 0);
    const threads = window === null ? null : threadUseOf([window]);
    return {
      timeMs,
      throughput: tick.throughput,
      p50Ms: tick.p50Ms,
      p99Ms: tick.p99Ms,
      errors: tick.errors,
      appCpuPercent: cpuPercent(before, now, 'appCpuUs'),
      postgresCpuPercent: cpuPercent(before, now, 'postgresCpuUs'),
      generatorCpuPercent: cpuPercent(before, now, 'generatorCpuUs'),
      pool: pool === null ? null : { busy: pool.busy, pending: pool.pending, total: window?.pool?.total ?? 0, max: pool.max },
      threads: threads === null ? null : { busy: threads.busy, queue: threads.queue, max: threads.max },
      eventLoopUtilisation: window?.eventLoopUtilisation ?? null,
    };
  }
}

/** What was used between two readings, in µs; null where either is not known. */
export function usedUs(before: LiveReading | null, after: LiveReading | null, part: CpuPart): number | null {
  const [first, last] = [before?.[part] ?? null, after?.[part] ?? null];
  return first === null || last === null ? null : Math.max(0, last - first);
}

/** Percent of one core. */
function cpuPercent(before: LiveReading | null, now: LiveReading, part: CpuPart): number | null {
  const us = usedUs(before, now, part);
  const elapsedMs = before === null ? 0 : now.atMs - before.atMs;
  return us === null || elapsedMs <= 0 ? null : us / elapsedMs / 10;
}
