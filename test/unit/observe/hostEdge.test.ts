import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Interference, interferenceSchema } from '../../../src/model/domain/interference.ts';
import { allowedCores, CpuCgroups } from '../../../src/engine/observe/cpuAllowance.ts';
import { type HostEdge, interferenceBetween, HostEdgeReader, ownCpuUs } from '../../../src/engine/observe/hostEdge.ts';
import { type ProcStat, parseProcStat } from '../../../src/engine/observe/procStat.ts';
import { ProcessTable } from '../../../src/engine/observe/processTable.ts';
import { Sampler } from '../../../src/engine/observe/sampler.ts';

const app: ProcStat = {
  pid: 7,
  command: 'app',
  state: 'R',
  parent: 1,
  group: 7,
  session: 7,
  ownTicks: 0,
  reapedTicks: 0,
  threads: 4,
  startTicks: 5,
};

interface Seen {
  idle?: number;
  steal?: number;
  interrupts?: number;
  processes?: number;
  ours?: number;
  limitUsedUs?: number | null;
  allowed?: number;
  threads?: number;
  runTimeNs?: number;
}

/** An edge of a machine of two cores; counts in ticks of 10 ms. */
function edge(atMs: number, seen: Seen = {}): HostEdge {
  const processes = new Map([[app.pid, { ...app, ownTicks: seen.ours ?? 0, threads: seen.threads ?? 4 }]]);
  return {
    atMs,
    ticks: {
      processes: seen.processes ?? 0,
      user: 0,
      interrupts: seen.interrupts ?? 0,
      idle: seen.idle ?? 0,
      ioWait: 0,
      steal: seen.steal ?? 0,
    },
    cores: 2,
    allowedCores: seen.allowed ?? 2,
    limitUsedUs: seen.limitUsedUs ?? null,
    ours: { uptimeTicks: 100, processes, trees: new Map() },
    runTimeNs: seen.runTimeNs === undefined ? new Map() : new Map([[app.pid, seen.runTimeNs]]),
  };
}

const within = (after: Seen, before: Seen = {}): Interference | null => interferenceBetween(edge(0, before), edge(1000, after));

describe('the interference of a window', () => {
  it('is what others used and what the hypervisor took, in shares of all cores', () => {
    // Of 200 ticks: 60 idle, 10 stolen, 4 in interrupts, 90 ours; 36 are others’.
    const seen = within({ idle: 60, steal: 10, interrupts: 4, processes: 126, ours: 90 });
    expect(seen?.takenPercent).toBeCloseTo(23);
    expect(seen?.stealPercent).toBeCloseTo(5);
    expect(seen?.otherPercent).toBeCloseTo(18);
  });

  it('goes by idleness, not by the ticks in which processes were caught', () => {
    expect(within({ idle: 100, processes: 80, ours: 100 })?.takenPercent).toBeCloseTo(0);
    expect(within({ idle: 100, processes: 115, ours: 100 })?.takenPercent).toBeCloseTo(0);
  });

  it('is none of a limit that leaves us less than the machine has', () => {
    // Others use half of a core of two, and we may use one: it is there.
    expect(within({ idle: 50, processes: 150, ours: 100, allowed: 1 })?.takenPercent).toBe(0);
    // They use one and a half: half of what we may use is gone.
    const busy = within({ idle: 0, steal: 50, processes: 150, ours: 50, allowed: 1 });
    expect(busy?.takenPercent).toBeCloseTo(50);
    expect(busy?.stealPercent).toBeCloseTo(50 / 3);
  });

  it('counts who shares our limit, whatever the machine has left', () => {
    const seen = within({ idle: 100, processes: 100, ours: 75, allowed: 1, limitUsedUs: 5_000_000 }, { limitUsedUs: 4_000_000 });
    expect(seen).toEqual({ takenPercent: expect.closeTo(25), stealPercent: 0, otherPercent: expect.closeTo(25) });
  });

  it('takes the exact time of processes with one thread', () => {
    const [before, after] = [edge(0, { threads: 1, runTimeNs: 1_000 }), edge(1000, { threads: 1, runTimeNs: 504_001_000, ours: 51 })];
    expect(ownCpuUs(before, after)).toBe(504_000);
    expect(ownCpuUs(edge(0), edge(1000, { ours: 51 }))).toBe(510_000);
  });

  it('is unknown in no time, where nothing is counted, and when cores came or went', () => {
    expect(interferenceBetween(edge(0), edge(0))).toBeNull();
    expect(within({})).toBeNull();
    expect(interferenceBetween({ ...edge(0), cores: 4 }, edge(1000, { idle: 200 }))).toBeNull();
  });

  it('is a share between 0 and 100 of which steal and others are the parts, whatever was counted', () => {
    const ticks = fc.integer({ min: 0, max: 250 });
    fc.assert(
      fc.property(
        ticks,
        ticks,
        ticks,
        ticks,
        ticks,
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        (idle, steal, irq, processes, ours, allowed) => {
          fc.pre(idle + steal + irq + processes >= 100);
          const seen = interferenceSchema.parse(within({ idle, steal, interrupts: irq, processes, ours, allowed }));
          expect(seen.stealPercent + seen.otherPercent).toBeCloseTo(seen.takenPercent);
        },
      ),
    );
  });
});

describe('reading the machine at an edge', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'edge-'));
    mkdirSync(join(root, 'proc/self'), { recursive: true });
    mkdirSync(join(root, 'proc/7'));
    writeFileSync(join(root, 'proc/stat'), 'cpu 10 0 5 100 0 0 1 2 0 0\ncpu0 5 0 3 50 0 0 1 1 0 0\ncpu1 5 0 2 50 0 0 0 1 0 0\nctxt 1\n');
    writeFileSync(join(root, 'proc/uptime'), '1.00 1.00\n');
    writeFileSync(join(root, 'proc/7/stat'), `7 (app) S 1 7 7 0 -1 0 0 0 0 0 3 4 0 0 20 0 1 0 5 ${'0 '.repeat(30)}\n`);
    writeFileSync(join(root, 'proc/7/schedstat'), '71234567 1 9\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const file = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const read = (): HostEdge | null =>
    new HostEdgeReader(join(root, 'proc'), join(root, 'cgroup')).read(new ProcessTable(join(root, 'proc')), [7], []);

  it('has the machine’s ticks and our processes', () => {
    expect(read()).toMatchObject({ cores: 2, ticks: { idle: 100, steal: 2 }, limitUsedUs: null });
    expect(read()?.ours.processes.get(7)?.ownTicks).toBe(7);
    expect(read()?.runTimeNs).toEqual(new Map([[7, 71_234_567]]));
  });

  it('takes the least limit of our cgroup and of those above it, version 2, and what all in it have used', () => {
    file('proc/self/cgroup', '0::/box/session\n');
    file('cgroup/box/cpu.max', '50000 100000\n');
    file('cgroup/box/cpu.stat', 'usage_usec 1234\nnr_throttled 3\n');
    file('cgroup/box/session/cpu.max', 'max 100000\n');
    file('cgroup/box/session/cpu.stat', 'usage_usec 99\n');
    expect(read()).toMatchObject({ allowedCores: 0.5, limitUsedUs: 1234 });
  });

  it('takes the limit of version 1, also where CPU time is counted in a tree of its own', () => {
    file('proc/self/cgroup', '2:cpuacct:/docker/a\n1:cpu:/docker/a\n0::/\n');
    file('cgroup/cpu/docker/a/cpu.cfs_quota_us', '150000\n');
    file('cgroup/cpu/docker/a/cpu.cfs_period_us', '100000\n');
    file('cgroup/cpu/cpu.cfs_quota_us', '-1\n');
    file('cgroup/cpu/cpu.cfs_period_us', '100000\n');
    file('cgroup/cpuacct/docker/a/cpuacct.usage', '2000000\n');
    const cgroups = new CpuCgroups(join(root, 'proc'), join(root, 'cgroup'));
    expect(allowedCores(cgroups, 4)).toBe(1.5);
    expect(allowedCores(cgroups, 1)).toBe(1);
    expect(read()?.limitUsedUs).toBe(2000);
  });

  it('has all cores without a limit', () => {
    expect(allowedCores(new CpuCgroups(join(root, 'proc'), join(root, 'cgroup')), 3)).toBe(3);
  });
});

describe.runIf(process.platform === 'linux')('a program beside us', () => {
  it('is at least the CPU time it used itself, and nothing of it is ours', async () => {
    // Started by somebody else: not a descendant of this process.
    const loop = spawn('sh', ['-c', `"${process.execPath}" -e 'const end=Date.now()+60000;while(Date.now()<end);' >/dev/null & echo $!`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [data] = (await once(loop.stdout, 'data')) as [Buffer];
    const pid = Number(data.toString());
    try {
      await once(loop, 'exit');
      const sampler = new Sampler({
        roots: () => ({ app: null, postgres: [], generator: [] }),
        trialKey: () => null,
        now: () => performance.now(),
      });
      const usedMs = (): number => 10 * (parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.ownTicks ?? Number.NaN);
      const before = await sampler.hostCounters();
      const usedBefore = usedMs();
      while (usedMs() - usedBefore < 600) await new Promise((resolve) => setImmediate(resolve));
      const used = usedMs() - usedBefore;
      const after = await sampler.hostCounters();
      if (before === null || after === null) throw new Error('/proc tells nothing');
      const interference = interferenceBetween(before, after);
      const windowMs = after.atMs - before.atMs;
      const share = (100 * used) / windowMs / os.cpus().length;
      // Interrupts of other programs and the clock’s 10 ms may hide some of it.
      expect(interference?.otherPercent).toBeGreaterThan(0.85 * share - 2);
      expect(interference?.takenPercent).toBeLessThanOrEqual(100);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  }, 30_000);
});
