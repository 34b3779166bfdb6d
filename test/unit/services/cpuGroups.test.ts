import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type KernelFiles, makeCpuGroup } from '../../../src/engine/services/cpuGroups.ts';
import { allowedCores } from '../../../src/engine/services/cpuShare.ts';
import { type ProcessIdentity, identityTag, processIdentity } from '../../../src/engine/supervise/identity.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Files as a kernel has them, in a folder of the test: what a process's own groups are, what is mounted, and which groups there are. */
function kernel(own: string, mounts: string, groups: Record<string, Record<string, string>>): KernelFiles {
  const root = mkdtempSync(path.join(tmpdir(), 'benchside-cgroup-'));
  folders.push(root);
  const files = { proc: path.join(root, 'proc'), sys: path.join(root, 'sys') };
  mkdirSync(path.join(files.proc, 'self'), { recursive: true });
  writeFileSync(path.join(files.proc, 'self/cgroup'), own);
  writeFileSync(path.join(files.proc, 'self/mounts'), mounts);
  for (const [group, contents] of Object.entries(groups)) {
    mkdirSync(path.join(files.sys, group), { recursive: true });
    for (const [name, text] of Object.entries(contents)) writeFileSync(path.join(files.sys, group, name), text);
  }
  return files;
}

const read = (dir: string, name: string): string => readFileSync(path.join(dir, name), 'utf8');
const mountedV1 =
  'tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n';

describe('a control group of ours', () => {
  it('is made by version 2 where the group of the session hands CPU time on, with a quota of its period', () => {
    const files = kernel('0::/user.slice/session.scope\n', 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n', {
      '.': { 'cgroup.controllers': 'cpuset cpu io' },
      'user.slice': { 'cgroup.controllers': 'cpu memory', 'cgroup.subtree_control': 'cpu' },
      'user.slice/session.scope': { 'cgroup.controllers': 'memory' },
    });
    const group = makeCpuGroup(0.5, files);
    expect(group).toMatchObject({ version: 2, parent: path.join(files.sys, 'user.slice') });
    expect(read(group!.dir, 'cpu.max')).toBe('5000 10000');
    expect(read(group!.parent, 'cgroup.subtree_control')).toBe('cpu');
  });

  it('is made by version 1 where the CPU controller belongs to that, also when its path lies outside of the container', () => {
    const groups = { 'cpu,cpuacct': {}, unified: { 'cgroup.controllers': '' } };
    const files = kernel('4:cpu,cpuacct:/docker/abc\n0::/\n', mountedV1, groups);
    const group = makeCpuGroup(2, files);
    expect(group).toMatchObject({ version: 1, parent: path.join(files.sys, 'cpu,cpuacct') });
    expect([read(group!.dir, 'cpu.cfs_period_us'), read(group!.dir, 'cpu.cfs_quota_us')]).toEqual(['10000', '20000']);
  });

  it('never has a quota below the millisecond that the kernel demands', () => {
    const files = kernel('4:cpu,cpuacct:/\n', mountedV1, { 'cpu,cpuacct': {} });
    const group = makeCpuGroup(0.05, files);
    expect([read(group!.dir, 'cpu.cfs_period_us'), read(group!.dir, 'cpu.cfs_quota_us')]).toEqual(['20000', '1000']);
  });

  it('is not made, and nothing is left of the attempt, where there is no CPU controller', () => {
    expect(
      makeCpuGroup(1, kernel('0::/\n', 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n', { '.': { 'cgroup.controllers': 'memory' } })),
    ).toBeNull();
    expect(makeCpuGroup(1, kernel('', '', {}))).toBeNull();
  });

  it('takes away the groups of engines that are gone, and no others', () => {
    const self = processIdentity(process.pid)!;
    const group = (changes: Partial<ProcessIdentity>, number: number): string =>
      `benchside-${identityTag({ ...self, ...changes })}-${number}`;
    const gone = [group({ pid: 4_194_400 }, 1), group({ startTime: '1' }, 2)];
    const kept = [group({}, 900), group({ pidNamespace: '1', pid: 4_194_400 }, 3), 'somebody'];
    const files = kernel('4:cpu,cpuacct:/\n', mountedV1, Object.fromEntries([...gone, ...kept].map((name) => [`cpu,cpuacct/${name}`, {}])));
    makeCpuGroup(1, files);
    const there = (name: string): boolean => existsSync(path.join(files.sys, 'cpu,cpuacct', name));
    expect(gone.filter(there)).toEqual([]);
    expect(kept.filter(there)).toEqual(kept);
  });
});

it.each([
  ['0-3,8', [0, 1, 2, 3, 8]],
  ['5', [5]],
])('the cores of %s are told apart', (list, cores) => {
  expect(allowedCores(`Name:\tnode\nCpus_allowed_list:\t${list}\n`)).toEqual(cores);
});
