import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { identityTagPattern, isOfGone, ownIdentityTag } from '../supervise/identity.ts';
import { namesIn } from '../supervise/smallFile.ts';

/** Where the kernel's files lie; a test may lay out others. */
export interface KernelFiles {
  proc: string;
  sys: string;
}
export const kernelFiles: KernelFiles = { proc: '/proc', sys: '/sys/fs/cgroup' };

/** A control group that Benchside made, with a limit on its CPU time. */
export interface CpuGroup {
  version: 1 | 2;
  dir: string;
  /** The group from which our processes came, and to which they go back. */
  parent: string;
}

/** The names of our groups contain their owner, so that a later engine can prove that nobody needs them. */
const ownName = new RegExp(String.raw`^benchside-${identityTagPattern}-\d+$`);
let made = 0;

/**
 * Length of the period in which a group gets its quota, in µs. Shorter than the kernel's usual 100 ms, within which a process with half a core would be paused
 * for 50 ms at a time and all latencies would show it; a quota is at least 1 ms (kernel.org, "CFS Bandwidth Control").
 */
function periodUs(cores: number): number {
  return cores < 0.1 ? 20_000 : 10_000;
}

/** Makes a group that gets `cores` of CPU time, where the kernel's version 2 or 1 of control groups lets us; null where neither does. */
export function makeCpuGroup(cores: number, files = kernelFiles): CpuGroup | null {
  for (const { version, parent } of possibleParents(files)) {
    clearLeftovers(parent);
    made += 1;
    const dir = path.join(parent, `benchside-${ownIdentityTag()}-${made}`);
    try {
      if (version === 2 && !namesCpu(path.join(parent, 'cgroup.subtree_control')))
        writeFileSync(path.join(parent, 'cgroup.subtree_control'), '+cpu');
      mkdirSync(dir);
      setQuota({ version, dir }, cores);
      return { version, dir, parent };
    } catch {
      removeQuietly(dir);
    }
  }
  return null;
}

/** Lets a group use at most so many cores; all cores, where it is null. Throws what the kernel says where that is not possible. */
export function setQuota({ version, dir }: Pick<CpuGroup, 'version' | 'dir'>, cores: number | null): void {
  if (cores === null) {
    if (version === 2) writeFileSync(path.join(dir, 'cpu.max'), 'max');
    else writeFileSync(path.join(dir, 'cpu.cfs_quota_us'), '-1');
    return;
  }
  const period = periodUs(cores);
  const quota = Math.max(1_000, Math.round(cores * period));
  if (version === 2) {
    writeFileSync(path.join(dir, 'cpu.max'), `${quota} ${period}`);
  } else {
    writeFileSync(path.join(dir, 'cpu.cfs_period_us'), String(period));
    writeFileSync(path.join(dir, 'cpu.cfs_quota_us'), String(quota));
  }
}

/** Moves a process with all its threads into a group; what it forks later is in it from its first moment. False when there is no such process. */
export function moveInto(dir: string, pid: number): boolean {
  try {
    writeFileSync(path.join(dir, 'cgroup.procs'), String(pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export function membersOf(dir: string): number[] {
  return readLines(path.join(dir, 'cgroup.procs')).filter(Boolean).map(Number);
}

/** Removes a group, after its living processes have moved back to their former group. False when the kernel still holds it. */
export function removeCpuGroup(group: CpuGroup): boolean {
  for (const pid of membersOf(group.dir)) {
    try {
      moveInto(group.parent, pid);
    } catch {
      // It cannot go back: then the group stays until it has ended.
    }
  }
  return removeQuietly(group.dir);
}

function removeQuietly(dir: string): boolean {
  // It may still be in use, or never have been made.
  attempt(() => rmdirSync(dir), undefined);
  return !existsSync(dir);
}

/** Takes away the groups of engines that were killed; one in which something still runs the kernel does not let go. */
function clearLeftovers(parent: string): void {
  for (const name of namesIn(parent)) if (isOfGone(name, ownName)) removeQuietly(path.join(parent, name));
}

/**
 * Groups below which ours might be made, most likely first. Version 2: from our own group upwards, since a group that has processes itself may not hand its CPU
 * time on to groups below (kernel.org, "No Internal Process Constraint"), but its parent may.
 */
function possibleParents({ proc, sys }: KernelFiles): { version: 1 | 2; parent: string }[] {
  const own = readLines(path.join(proc, 'self/cgroup'));
  const mounts = readLines(path.join(proc, 'self/mounts')).map((line) => line.split(' '));
  const found: { version: 1 | 2; parent: string }[] = [];
  const unified = mounts.find(([, , type]) => type === 'cgroup2')?.[1];
  const ownUnified = own.find((line) => line.startsWith('0::'))?.slice(3);
  if (unified !== undefined && ownUnified !== undefined) {
    const root = relocated(unified, sys);
    for (let group = ownUnified; ; group = path.posix.dirname(group)) {
      const parent = path.join(root, group);
      if (namesCpu(path.join(parent, 'cgroup.controllers'))) found.push({ version: 2, parent });
      if (group === '/' || group === '.') break;
    }
  }
  const old = mounts.find(([, , type, options]) => type === 'cgroup' && options?.split(',').includes('cpu'))?.[1];
  const ownOld = own.find((line) => line.split(':')[1]?.split(',').includes('cpu'))?.split(':')[2];
  // In a container the reported path may lie outside of what is mounted: then the mount is our group.
  if (old !== undefined && ownOld !== undefined) {
    const [mount, inside] = [relocated(old, sys), path.join(relocated(old, sys), ownOld)];
    found.push({ version: 1, parent: existsSync(inside) ? inside : mount });
  }
  return found;
}

/** Whether a list of controllers has that of the CPU. */
function namesCpu(file: string): boolean {
  return readFileSafely(file).split(/\s+/).includes('cpu');
}

function relocated(mount: string, sys: string): string {
  return mount.startsWith(kernelFiles.sys) ? path.join(sys, mount.slice(kernelFiles.sys.length)) : mount;
}

function readLines(file: string): string[] {
  return readFileSafely(file).split('\n');
}

function readFileSafely(file: string): string {
  return attempt(() => readFileSync(file, 'utf8'), '');
}
