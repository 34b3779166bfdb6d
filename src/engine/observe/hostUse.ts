import { join } from 'node:path';
import type { HostUse } from '../../model/domain/observation.ts';
import { CpuCgroups } from './cpuAllowance.ts';
import {
  type HostTicks,
  parseContextSwitches,
  parseDelayedAcks,
  parseHostStat,
  parseMeminfo,
  parsePressureTotalUs,
  parseThrottledPeriods,
  tickUs,
} from './procStat.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** What is counted since the machine was started; two of them make a {@link HostUse}. */
export interface HostCounters {
  ticks: HostTicks;
  contextSwitches: number | null;
  pressureUs: number | null;
  throttledPeriods: number | null;
  freeMemoryBytes: number;
  delayedAcks?: number | null;
}

/** Reads the whole machine's counters. Throttling is that of our own cgroup and all above it: children are in it too. */
export class HostReader {
  readonly #procDir: string;
  readonly #cpuStatFiles: readonly string[];

  constructor(procDir = '/proc', cgroupDir = '/sys/fs/cgroup') {
    this.#procDir = procDir;
    this.#cpuStatFiles = new CpuCgroups(procDir, cgroupDir).cpuStatFiles;
  }

  /** `null` where /proc does not have it. */
  read(): HostCounters | null {
    const stat = readSmallFile(join(this.#procDir, 'stat')) ?? '';
    const ticks = parseHostStat(stat);
    const memory = parseMeminfo(readSmallFile(join(this.#procDir, 'meminfo')) ?? '');
    if (ticks === null || memory === null) return null;
    const pressure = readSmallFile(join(this.#procDir, 'pressure', 'cpu'));
    const throttled = this.#cpuStatFiles.flatMap((file) => parseThrottledPeriods(readSmallFile(file) ?? '') ?? []);
    return {
      ticks,
      contextSwitches: parseContextSwitches(stat),
      pressureUs: pressure === null ? null : parsePressureTotalUs(pressure),
      throttledPeriods: throttled.length === 0 ? null : throttled.reduce((sum, count) => sum + count, 0),
      freeMemoryBytes: memory.availableBytes,
      delayedAcks: parseDelayedAcks(readSmallFile(join(this.#procDir, 'net', 'netstat')) ?? ''),
    };
  }
}

function growth(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.max(0, after - before);
}

/**
 * The machine's use between two readings `windowMs` apart, in percent of all cores. `oursUs` is the CPU time of all our processes:
 * what else was worked for processes is others'. Time in interrupts is busy time, but nobody's: on kernels that account for it
 * apart, most of it under load is our own network traffic on loopback, which must not be blamed on others. User, system and idle are
 * vmstat’s us, sy and id: interrupts count as system, and waiting for a disk as neither.
 */
export function hostUse(before: HostCounters, after: HostCounters, windowMs: number, oursUs: number): HostUse | null {
  const processes = after.ticks.processes - before.ticks.processes;
  const user = Math.max(0, after.ticks.user - before.ticks.user);
  const interrupts = after.ticks.interrupts - before.ticks.interrupts;
  const ioWait = Math.max(0, after.ticks.ioWait - before.ticks.ioWait);
  const idle = Math.max(0, after.ticks.idle - before.ticks.idle);
  const steal = Math.max(0, after.ticks.steal - before.ticks.steal);
  const total = processes + interrupts + idle + steal;
  if (!(total > 0) || !(windowMs > 0)) return null;
  const switches = growth(before.contextSwitches, after.contextSwitches);
  const pressureUs = growth(before.pressureUs, after.pressureUs);
  const delayedAcks = growth(before.delayedAcks ?? null, after.delayedAcks ?? null);
  return {
    cpuPercent: (100 * (processes + interrupts)) / total,
    stealPercent: (100 * steal) / total,
    otherPercent: (100 * Math.max(0, processes - oursUs / tickUs)) / total,
    pressureSomePercent: pressureUs === null ? null : Math.min(100, pressureUs / (windowMs * 10)),
    throttledPeriods: growth(before.throttledPeriods, after.throttledPeriods),
    freeMemoryBytes: after.freeMemoryBytes,
    userPercent: (100 * user) / total,
    systemPercent: (100 * Math.max(0, processes - user + interrupts)) / total,
    idlePercent: (100 * Math.max(0, idle - ioWait)) / total,
    contextSwitchesPerS: switches === null ? null : (1000 * switches) / windowMs,
    ...(delayedAcks === null ? {} : { delayedAcksPerS: (1000 * delayedAcks) / windowMs }),
  };
}
