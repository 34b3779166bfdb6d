import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostCounters, HostReader, hostUse } from '../../../src/engine/observe/hostUse.ts';

const zero: HostCounters = {
  ticks: { processes: 0, user: 0, interrupts: 0, idle: 0, ioWait: 0, steal: 0 },
  contextSwitches: 1_000,
  pressureUs: 0,
  throttledPeriods: 0,
  freeMemoryBytes: 1,
};

describe('use of the machine', () => {
  it('is in percent of all cores, and others’ is what is not ours', () => {
    const after: HostCounters = {
      ticks: { processes: 120, user: 90, interrupts: 10, idle: 60, ioWait: 20, steal: 10 },
      contextSwitches: 7_000,
      pressureUs: 250_000,
      throttledPeriods: 3,
      freeMemoryBytes: 77,
    };
    expect(hostUse(zero, after, 2000, 1_000_000)).toEqual({
      cpuPercent: 65,
      stealPercent: 5,
      otherPercent: 10,
      pressureSomePercent: 12.5,
      throttledPeriods: 3,
      freeMemoryBytes: 77,
      // As vmstat has it: 45 us + 20 sy + 20 id + 10 wa + 5 st.
      userPercent: 45,
      systemPercent: 20,
      idlePercent: 20,
      contextSwitchesPerS: 3_000,
    });
  });

  it('has no negative others’ share when ours is counted a tick ahead', () => {
    const after: HostCounters = { ...zero, ticks: { ...zero.ticks, processes: 100, idle: 100 } };
    expect(hostUse(zero, after, 1000, 1_010_000)?.otherPercent).toBe(0);
  });

  it('is unknown in no time', () => {
    expect(hostUse(zero, zero, 1000, 0)).toBeNull();
  });

  it('leaves out what the kernel does not tell', () => {
    const after: HostCounters = {
      ...zero,
      ticks: { ...zero.ticks, processes: 1, idle: 1 },
      contextSwitches: null,
      pressureUs: null,
      throttledPeriods: null,
    };
    expect(hostUse({ ...zero, pressureUs: null }, after, 1000, 0)).toMatchObject({
      pressureSomePercent: null,
      throttledPeriods: null,
      contextSwitchesPerS: null,
    });
  });
});

describe('reading the machine', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'observe-'));
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    writeFileSync(join(root, 'proc/stat'), 'cpu 10 0 5 100 0 0 1 2 0 0\nintr 5 0 1\nctxt 4321\nbtime 9\n');
    writeFileSync(join(root, 'proc/meminfo'), 'MemTotal: 100 kB\nMemAvailable: 50 kB\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function cgroup(path: string, throttled: number): void {
    mkdirSync(join(root, 'cgroup', path), { recursive: true });
    writeFileSync(join(root, 'cgroup', path, 'cpu.stat'), `nr_periods 9\nnr_throttled ${throttled}\n`);
  }
  const read = (): HostCounters | null => new HostReader(join(root, 'proc'), join(root, 'cgroup')).read();

  it('counts throttling of our cgroup and of those above it, version 2', () => {
    writeFileSync(join(root, 'proc/self/cgroup'), '0::/user/session\n');
    cgroup('user', 4);
    cgroup('user/session', 1);
    cgroup('other', 100);
    expect(read()?.throttledPeriods).toBe(5);
  });

  it('counts throttling of our cgroup, version 1', () => {
    writeFileSync(join(root, 'proc/self/cgroup'), '2:cpu,cpuacct:/docker/abc\n0::/x\n');
    cgroup('cpu,cpuacct', 2);
    cgroup('cpu,cpuacct/docker/abc', 1);
    expect(read()?.throttledPeriods).toBe(3);
  });

  it('does without cgroups and pressure', () => {
    expect(read()).toEqual({
      ticks: { processes: 15, user: 10, interrupts: 1, idle: 100, ioWait: 0, steal: 2 },
      delayedAcks: null,
      contextSwitches: 4_321,
      pressureUs: null,
      throttledPeriods: null,
      freeMemoryBytes: 51_200,
    });
  });

  it('is nothing without /proc', () => {
    expect(new HostReader(join(root, 'nowhere'), join(root, 'cgroup')).read()).toBeNull();
  });
});
