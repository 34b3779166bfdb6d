import os from 'node:os';
import { join } from 'node:path';
import type { Interference } from '../../model/domain/interference.ts';
import { allowedCores, CpuCgroups } from './cpuAllowance.ts';
import { type HostTicks, parseCpuCount, parseHostStat, parseRunTimeNs, tickUs } from './procStat.ts';
import { type ProcessScan, type ProcessTable, cpuBetween } from './processTable.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** What is counted at one edge of a measured window; two of them make an {@link Interference}. */
export interface HostEdge {
  /** When the machine was read, monotonic. */
  atMs: number;
  ticks: HostTicks;
  /** The cores of the machine, including those that we may not use. */
  cores: number;
  /** Those that we may use, see `allowedCores`. */
  allowedCores: number;
  /** CPU time so far of all who share our CPU limit, in µs; null without a limit. */
  limitUsedUs: number | null;
  ours: ProcessScan;
  /** CPU time so far of those of them that have one thread, in ns, which the kernel reports to the nanosecond; by pid. */
  runTimeNs: ReadonlyMap<number, number>;
}

/** Reads the machine and our processes together: about 1 ms for 50 processes, and the same at both edges, so that it cancels. */
export class HostEdgeReader {
  readonly #cgroups: CpuCgroups;

  constructor(
    private readonly procDir = '/proc',
    cgroupDir = '/sys/fs/cgroup',
  ) {
    this.#cgroups = new CpuCgroups(procDir, cgroupDir);
  }

  /** `roots` and `ownRoots` as in `ProcessTable.scan`. `null` where /proc does not have it. */
  read(table: ProcessTable, roots: readonly number[], ownRoots: readonly number[]): HostEdge | null {
    const atMs = performance.now();
    const stat = readSmallFile(join(this.procDir, 'stat')) ?? '';
    const ticks = parseHostStat(stat);
    if (ticks === null) return null;
    const limit = this.#cgroups.limit();
    const ours = table.scan(roots, ownRoots);
    const runTimeNs = new Map<number, number>();
    for (const { pid, threads } of ours.processes.values()) {
      if (threads !== 1) continue;
      const ns = parseRunTimeNs(readSmallFile(join(this.procDir, String(pid), 'schedstat')) ?? '');
      if (ns !== null) runTimeNs.set(pid, ns);
    }
    return {
      atMs,
      ticks,
      cores: parseCpuCount(stat) ?? os.cpus().length,
      allowedCores: allowedCores(this.#cgroups),
      limitUsedUs: limit?.usedUs ?? null,
      ours,
      runTimeNs,
    };
  }
}

/** Shorter windows hold too few clock ticks of 10 ms to show anything. */
const leastWindowMs = 50;

/** CPU time that our processes used between two edges, in µs: to the nanosecond where they have one thread, else in steps of 10 ms each. */
export function ownCpuUs(before: HostEdge, after: HostEdge): number {
  let sum = 0;
  for (const [pid, us] of cpuBetween(before.ours, after.ours)) {
    const [first, last] = [before.ours.processes.get(pid), after.ours.processes.get(pid)];
    const [firstNs, lastNs] = [before.runTimeNs.get(pid), after.runTimeNs.get(pid)];
    const same = first !== undefined && first.startTicks === last?.startTicks;
    const inTicks = same ? tickUs * Math.max(0, last.ownTicks - first.ownTicks) : 0;
    sum += same && firstNs !== undefined && lastNs !== undefined ? us - inTicks + Math.max(0, lastNs - firstNs) / 1000 : us;
  }
  return sum;
}

/**
 * The CPU that other programs and the hypervisor used between two edges, as shares of the CPU that we may use. Others' CPU is the time minus idleness, steal,
 * interrupts and our own CPU time. The kernel counts idleness exactly (NO_HZ), but busy time by looking 100 to 1,000 times a second, which errs by 5 % of a
 * second and more where programs wake by a timer. On a machine of two cores, 1 s is exact to about 0.5 %; never below 0. Interrupts are nobody's (most are our
 * own traffic on loopback); where the kernel has them in the processes' time as well (no IRQ_TIME_ACCOUNTING), others' share is too low by that much. `null`
 * when the window is too short or the machine does not count.
 */
export function interferenceBetween(before: HostEdge, after: HostEdge): Interference | null {
  const windowMs = after.atMs - before.atMs;
  const windowUs = windowMs * 1000;
  const cores = after.cores;
  if (windowMs < leastWindowMs || before.cores !== cores) return null;
  const grown = (of: keyof HostTicks): number => tickUs * Math.max(0, after.ticks[of] - before.ticks[of]);
  const [idle, steal, interrupts] = [grown('idle'), grown('steal'), grown('interrupts')];
  // Some sandboxes have a /proc/stat that never changes.
  if (idle + steal + interrupts + grown('processes') < 0.5 * windowUs * cores) return null;
  const oursUs = ownCpuUs(before, after);
  const inCores = (us: number): number => Math.max(0, us) / windowUs;
  const stealCores = Math.min(cores, inCores(steal));
  const otherCores = Math.min(cores - stealCores, inCores(windowUs * cores - idle - steal - interrupts - oursUs));
  // Who shares our limit takes from it, whatever the machine has left.
  const sharingCores =
    before.limitUsedUs === null || after.limitUsedUs === null ? 0 : inCores(after.limitUsedUs - before.limitUsedUs - oursUs);
  const allowed = after.allowedCores;
  const leftByMachine = cores - otherCores - stealCores;
  const leftByLimit = allowed - sharingCores;
  const takenPercent = Math.min(100, Math.max(0, 100 * (1 - Math.min(allowed, leftByMachine, leftByLimit) / allowed)));
  const stealShare = leftByLimit < leftByMachine || stealCores + otherCores === 0 ? 0 : stealCores / (stealCores + otherCores);
  return { takenPercent, stealPercent: takenPercent * stealShare, otherPercent: takenPercent * (1 - stealShare) };
}
