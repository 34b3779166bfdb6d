import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcStat } from '../../../src/engine/observe/procStat.ts';
import { type ProcessScan, cpuBetween, ProcessTable } from '../../../src/engine/observe/processTable.ts';

let procDir: string;
beforeEach(() => {
  procDir = mkdtempSync(join(tmpdir(), 'observe-'));
  writeFileSync(join(procDir, 'uptime'), '500.25 900.00\n');
});
afterEach(() => rmSync(procDir, { recursive: true }));

function process(pid: number, parent: number, changes: Partial<ProcStat> = {}): ProcStat {
  return {
    pid,
    command: 'a b',
    state: 'S',
    parent,
    group: pid,
    session: pid,
    ownTicks: 0,
    reapedTicks: 0,
    threads: 1,
    startTicks: 100,
    ...changes,
  };
}

function put(one: ProcStat): void {
  mkdirSync(join(procDir, String(one.pid)), { recursive: true });
  const { pid, command, state, parent, group, session, ownTicks, reapedTicks, threads, startTicks } = one;
  writeFileSync(
    join(procDir, String(pid), 'stat'),
    `${pid} (${command}) ${state} ${parent} ${group} ${session} 0 -1 0 0 0 0 0 ${ownTicks} 0 ${reapedTicks} 0 20 0 ${threads} 0 ${startTicks} 0 0\n`,
  );
}

function pidsOf(scan: ProcessScan, root: number): number[] {
  return (scan.trees.get(root) ?? []).map((member) => member.pid).sort((a, b) => a - b);
}

describe('the table of processes', () => {
  it('gives each root its descendants, and the engine what is left of its own', () => {
    const engine = 10;
    [
      process(1, 0),
      process(engine, 1),
      process(20, engine),
      process(21, 20),
      process(22, 21),
      process(30, engine),
      process(31, 30),
      process(40, engine),
      process(99, 1),
    ].forEach(put);
    const scan = new ProcessTable(procDir).scan([20, 30], [engine]);
    expect(pidsOf(scan, 20)).toEqual([20, 21, 22]);
    expect(pidsOf(scan, 30)).toEqual([30, 31]);
    expect(pidsOf(scan, engine)).toEqual([10, 40]);
    expect(scan.processes.has(99)).toBe(false);
    expect(scan.uptimeTicks).toBe(50_025);
  });

  it('keeps a process whose parent ended, by its group', () => {
    [process(1, 0), process(20, 1), process(25, 1, { group: 20 }), process(26, 25, { group: 26 })].forEach(put);
    expect(pidsOf(new ProcessTable(procDir).scan([20], []), 20)).toEqual([20, 25, 26]);
  });

  it('finds processes that come and go between scans', () => {
    [process(1, 0), process(20, 1), process(21, 20), process(50, 1)].forEach(put);
    const table = new ProcessTable(procDir);
    expect(pidsOf(table.scan([20], []), 20)).toEqual([20, 21]);
    rmSync(join(procDir, '21'), { recursive: true });
    put(process(23, 20));
    expect(pidsOf(table.scan([20], []), 20)).toEqual([20, 23]);
  });

  it('does not read a stranger again, until it is made a root', () => {
    [process(1, 0), process(20, 1), process(50, 1)].forEach(put);
    const table = new ProcessTable(procDir);
    table.scan([20], []);
    put(process(50, 20));
    expect(pidsOf(table.scan([20], []), 20)).toEqual([20]);
    put(process(50, 1));
    expect(pidsOf(table.scan([50], []), 50)).toEqual([50]);
  });

  it('bears a process without a stat file, as one that vanishes while it is read', () => {
    [process(1, 0), process(20, 1)].forEach(put);
    mkdirSync(join(procDir, '21'));
    writeFileSync(join(procDir, 'version'), 'no process');
    expect(pidsOf(new ProcessTable(procDir).scan([20], []), 20)).toEqual([20]);
  });

  it('sums the CPU time of the living and the reaped in µs', () => {
    [process(1, 0, { ownTicks: 999 }), process(20, 1, { ownTicks: 10, reapedTicks: 5 }), process(21, 20, { ownTicks: 3 })].forEach(put);
    const table = new ProcessTable(procDir);
    expect(table.cpuTimeUs([20], [])).toBe(180_000);
    expect(table.cpuTimeUs([77], [])).toBeNull();
  });
});

describe('CPU time between two scans', () => {
  const scanOf = (uptimeTicks: number, processes: readonly ProcStat[]): ProcessScan => ({
    uptimeTicks,
    processes: new Map(processes.map((one) => [one.pid, one])),
    trees: new Map(),
  });
  const total = (before: ProcessScan, after: ProcessScan): number =>
    [...cpuBetween(before, after).values()].reduce((sum, us) => sum + us, 0) / 10_000;

  it('is the growth of each process', () => {
    const before = scanOf(1000, [process(20, 1, { ownTicks: 50 })]);
    expect(cpuBetween(before, scanOf(1100, [process(20, 1, { ownTicks: 80 })])).get(20)).toBe(300_000);
  });

  it('counts a process that was started in between from 0, and one that was not from now', () => {
    const before = scanOf(1000, [process(20, 1)]);
    const after = scanOf(1100, [
      process(20, 1),
      process(21, 20, { ownTicks: 7, startTicks: 1050 }),
      process(22, 20, { ownTicks: 5000, startTicks: 90 }),
    ]);
    expect(total(before, after)).toBe(7);
  });

  it('counts what an ended process used since, once, from its parent’s reaped time', () => {
    const before = scanOf(1000, [process(20, 1, { reapedTicks: 40 }), process(21, 20, { ownTicks: 100, reapedTicks: 5 })]);
    expect(total(before, scanOf(1100, [process(20, 1, { reapedTicks: 40 + 105 + 12 })]))).toBe(12);
  });

  it('follows a child and a grandchild that both ended', () => {
    const before = scanOf(1000, [process(20, 1), process(21, 20, { ownTicks: 100 }), process(22, 21, { ownTicks: 30 })]);
    expect(total(before, scanOf(1100, [process(20, 1, { reapedTicks: 100 + 30 + 4 })]))).toBe(4);
  });

  it('is never negative, also when nobody waited for the one that ended', () => {
    const before = scanOf(1000, [process(20, 1, { ownTicks: 9 }), process(21, 20, { ownTicks: 100 })]);
    expect(total(before, scanOf(1100, [process(20, 1, { ownTicks: 11 })]))).toBe(2);
  });

  it('takes a reused pid for a new process', () => {
    const before = scanOf(1000, [process(20, 1), process(21, 20, { ownTicks: 100 })]);
    expect(total(before, scanOf(1100, [process(20, 1, { reapedTicks: 100 }), process(21, 20, { ownTicks: 3, startTicks: 1020 })]))).toBe(3);
  });
});
