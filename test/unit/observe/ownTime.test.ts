import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnTime, countedMs } from '../../../src/engine/observe/ownTime.ts';

describe('what counts of a stretch', () => {
  it.each([
    ['all of it, where nobody waited for a core', { wallMs: 1_000, cpuMs: 300, waitedMs: 0, weWaitedMs: 0 }, 1_000],
    ['all of it, of one that stands still', { wallMs: 1_000, cpuMs: 0, waitedMs: 0, weWaitedMs: 0 }, 1_000],
    ['what is left of it, where one thread waited', { wallMs: 1_000, cpuMs: 200, waitedMs: 700, weWaitedMs: 0 }, 300],
    ['the CPU time that it got, where many threads waited', { wallMs: 1_000, cpuMs: 400, waitedMs: 9_000, weWaitedMs: 0 }, 400],
    ['no more than all, where many threads computed', { wallMs: 1_000, cpuMs: 1_900, waitedMs: 9_000, weWaitedMs: 0 }, 1_000],
    ['what is left of it, where we waited ourselves', { wallMs: 1_000, cpuMs: 100, waitedMs: 300, weWaitedMs: 200 }, 500],
    ['a tenth, where it got nothing', { wallMs: 1_000, cpuMs: 0, waitedMs: 1_000, weWaitedMs: 0 }, 100],
  ])('is %s', (_, stretch, counted) => {
    expect(countedMs(stretch)).toBe(counted);
  });
});

describe.runIf(process.platform === 'linux')('the time of a service', () => {
  const pid = 4242;
  let procDir = '';
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    procDir = mkdtempSync(path.join(tmpdir(), 'benchside-proc-'));
    mkdirSync(path.join(procDir, String(pid)));
    writeFileSync(path.join(procDir, 'uptime'), '1000.00 1000.00\n');
    did({ cpuMs: 0, waitedMs: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(procDir, { recursive: true });
  });

  /** What the kernel counts of it since it was started. */
  function did({ cpuMs, waitedMs }: { cpuMs: number; waitedMs: number }): void {
    const file = (name: string, text: string): void => writeFileSync(path.join(procDir, String(pid), name), text);
    file('stat', `${pid} (app) S 1 ${pid} ${pid} 0 -1 0 0 0 0 0 ${cpuMs / 10} 0 0 0 20 0 1 0 500 0 0\n`);
    file('schedstat', `${cpuMs * 1_000_000} ${waitedMs * 1_000_000} 7\n`);
    file('status', 'voluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1\n');
  }

  it('is over at its limit where it stands still, and says so', () => {
    const own = new OwnTime(pid, procDir);
    vi.advanceTimersByTime(59_000);
    expect(own.isOver(60_000, 3)).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(own.isOver(60_000, 3)).toBe(true);
    expect(own.words(': ')).toBe(': it stands still, after 0 s of CPU time in 61 s');
  });

  it('goes on while it computes, to so many times its limit', () => {
    const own = new OwnTime(pid, procDir);
    vi.advanceTimersByTime(100_000);
    did({ cpuMs: 100_000, waitedMs: 0 });
    expect([own.isOver(60_000), own.isOver(60_000, 3)]).toEqual([true, false]);
    vi.advanceTimersByTime(90_000);
    did({ cpuMs: 190_000, waitedMs: 0 });
    expect(own.isOver(60_000, 3)).toBe(true);
    expect(own.words('; ')).toBe('; it still computes, after 190 s of CPU time in 190 s');
  });

  it('does not pass while the machine has no core for it', () => {
    const own = new OwnTime(pid, procDir);
    vi.advanceTimersByTime(120_000);
    did({ cpuMs: 20_000, waitedMs: 90_000 });
    expect(own.isOver(60_000)).toBe(false);
    expect(own.words(': ')).toBe(': it still computes, after 20 s of CPU time in 120 s, in 90 s of which this machine had no core for it');
  });
});
