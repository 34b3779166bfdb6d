import { existsSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { parseCfsQuota, parseCgroupPaths, parseCpuMax, parseCpuUsageUs } from './procStat.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** The CPU limit that binds us: the least of our cgroup and of those above it. */
export interface CpuLimit {
  /** May be a fraction, e.g. 1.5. */
  cores: number;
  /** CPU time so far of all in the cgroup that has the limit, in µs: they share it. Null where it is unknown. */
  usedUs: number | null;
}

interface CgroupFolders {
  /** From our own cgroup up to the root of the tree. */
  cpu: readonly string[];
  /** The same cgroups where version 1 counts CPU time; version 2 counts it in `cpu.stat`. */
  accounting: readonly string[];
}

/** Our cgroups of the CPU controller, for both versions of cgroups; none where there are no cgroups. */
export class CpuCgroups {
  readonly #folders: CgroupFolders;

  constructor(procDir = '/proc', cgroupDir = '/sys/fs/cgroup') {
    this.#folders = findFolders(readSmallFile(join(procDir, 'self', 'cgroup')) ?? '', cgroupDir);
  }

  /** Every cpu.stat from our cgroup up to the root of the tree. */
  get cpuStatFiles(): readonly string[] {
    return this.#folders.cpu.map((folder) => join(folder, 'cpu.stat')).filter((file) => existsSync(file));
  }

  /** Null without a limit. A limit can be changed while we run, so it is read each time. */
  limit(): CpuLimit | null {
    let least: { cores: number; index: number } | null = null;
    for (const [index, folder] of this.#folders.cpu.entries()) {
      const cores =
        parseCpuMax(readSmallFile(join(folder, 'cpu.max')) ?? '') ??
        parseCfsQuota(readSmallFile(join(folder, 'cpu.cfs_quota_us')) ?? '', readSmallFile(join(folder, 'cpu.cfs_period_us')) ?? '');
      if (cores !== null && (least === null || cores < least.cores)) least = { cores, index };
    }
    if (least === null) return null;
    const accounting = this.#folders.accounting[least.index];
    const usageNs = accounting === undefined ? null : readSmallFile(join(accounting, 'cpuacct.usage'));
    const stat = readSmallFile(join(this.#folders.cpu[least.index] ?? '', 'cpu.stat'));
    return { cores: least.cores, usedUs: usageNs === null ? parseCpuUsageUs(stat ?? '') : Number(usageNs) / 1000 };
  }
}

function findFolders(cgroupText: string, cgroupDir: string): CgroupFolders {
  const { v1, v2 } = parseCgroupPaths(cgroupText);
  // In a mixed set-up version 2 is under `unified`, and version 1 has the limits.
  const cpuRoot = v1 === null ? undefined : mounted(cgroupDir, ['cpu', 'cpu,cpuacct', 'cpuacct,cpu']);
  if (v1 === null || cpuRoot === undefined) return { cpu: v2 === null ? [] : upwards(cgroupDir, v2), accounting: [] };
  return { cpu: upwards(cpuRoot, v1), accounting: upwards(mounted(cgroupDir, ['cpuacct']) ?? cpuRoot, v1) };
}

function mounted(cgroupDir: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(cgroupDir, name)).find((folder) => existsSync(folder));
}

function upwards(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    folders.push(join(root, folder));
    if (folder === '/' || folder === '.') return folders;
  }
}

let ownCgroups: CpuCgroups | null = null;

/**
 * Cores that we may use: those that our affinity allows, or what a container's CPU limit leaves of them (then it may be a fraction). A limit
 * is the machine's size: whatever asks how many cores there are asks here. Above 0.
 */
export function allowedCores(cgroups: CpuCgroups = (ownCgroups ??= new CpuCgroups()), affinityCores = os.availableParallelism()): number {
  return Math.min(affinityCores, cgroups.limit()?.cores ?? affinityCores);
}
