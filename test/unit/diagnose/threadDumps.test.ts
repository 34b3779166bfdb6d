import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { diagnoseWithDumps, wantsThreadDumps } from '../../../src/engine/diagnose/threadDumps.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

/** 16 requests that take 84 ms, and nothing that is watched accounts for it. */
const unknown = signals({
  appCpuPercent: 20,
  pgCpuPercent: 5,
  throughput: 190,
  meanMs: 84,
  pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
});

const idle = { state: 'TIMED_WAITING', where: 'idle: waits for work', count: 30 };
const files = ['dump-1.txt', 'dump-2.txt', 'dump-3.txt'];

describe('thread dumps', () => {
  it('are wanted where it is not known what requests wait for', () => {
    const wants = (of: Signals): boolean => wantsThreadDumps(diagnose(of), of);
    expect(wants(unknown)).toBe(true);
    expect(wants(signals())).toBe(false);
    expect(wantsThreadDumps(null, unknown)).toBe(false);
    const stolen = { ...unknown, voidReasons: ['The hypervisor took 8 % of the CPU for other machines, limit 2 %.'] };
    expect(wants(stolen)).toBe(true);
    expect(wants({ ...stolen, voidReasons: ['The load generator was saturated.'] })).toBe(false);
  });

  it('are wanted where other programs fill the machine, but not where the app does', () => {
    const filled = { ...unknown, otherPercent: 80 };
    expect(diagnose(filled).kind).toBe('cpu');
    expect(wantsThreadDumps(diagnose(filled), filled)).toBe(true);
    const busy = signals({ appCpuPercent: 190 });
    expect(diagnose(busy).kind).toBe('cpu');
    expect(wantsThreadDumps(diagnose(busy), busy)).toBe(false);
  });

  it('tell what a measurement would have shown from which CPU was taken away', () => {
    const stolen = { ...unknown, voidReasons: ['The hypervisor took 8 % of the CPU for other machines, limit 2 %.'] };
    const locked = { threads: 46, groups: [{ state: 'BLOCKED', where: 'monitor of app.Lock', count: 15 }] };
    const diagnosis = diagnoseWithDumps(stolen, [locked], files);
    expect(diagnosis).toMatchObject({ kind: 'invalid', leavingThatAside: { kind: 'application-lock' }, threadDumps: files });
  });

  it('show the lock that most threads at work wait for; idle ones do not count', () => {
    const blocked = {
      threads: 46,
      groups: [
        idle,
        { state: 'BLOCKED', where: 'monitor of bulletin.limits.SharedLock', count: 15 },
        { state: 'TIMED_WAITING', where: 'sleep in bulletin.limits.Pause', count: 1 },
      ],
    };
    const diagnosis = diagnoseWithDumps(unknown, [blocked, blocked, blocked], files);
    expect(diagnosis).toMatchObject({ kind: 'application-lock', confident: true, threadDumps: files });
    expect(diagnosis.headline).toBe(
      'A lock in the app is the limit: 15 of 16 request threads waited for it (monitor of bulletin.limits.SharedLock).',
    );
  });

  it('show a pool that no probe watched', () => {
    const waiting = (where: string): Parameters<typeof diagnoseWithDumps>[1] => [
      { threads: 44, groups: [idle, { state: 'TIMED_WAITING', where, count: 14 }] },
    ];
    const unwatched = { ...unknown, pool: null, knobs: { ...sampleKnobs, pool: knob('pool', 2) } };
    expect(diagnoseWithDumps(unwatched, waiting('dbcp2 borrowObject'), files)).toMatchObject({ kind: 'pool-limited' });
    expect(diagnoseWithDumps(unwatched, waiting('HttpClient pool lease'), files)).toMatchObject({ kind: 'outbound-pool' });
  });

  it('leave an unknown wait unknown where they show nothing, and are attached to it', () => {
    const sleeping = { threads: 46, groups: [idle, { state: 'TIMED_WAITING', where: 'sleep in app.Slow', count: 16 }] };
    expect(diagnoseWithDumps(unknown, [sleeping], files)).toMatchObject({ kind: 'unknown-wait', threadDumps: files });
    expect(diagnoseWithDumps(unknown, [], [])).toEqual(diagnose(unknown));
  });
});
