import { describe, expect, it } from 'vitest';
import { causesWindow, joinCauses } from '../../../src/engine/probe/causesWindow.ts';
import type { GroupReport } from '../../../src/engine/probe/groupReport.ts';
import { type Pause, type ProbeReport, emptyDurations } from '../../../src/model/domain/probe.ts';

const none = { pools: [], threadPools: [], eventLoop: null, gc: null, heap: null, http: null, threads: null, resources: null, notes: [] };

function reading(atMs: number, ...processes: Partial<ProbeReport>[]): GroupReport {
  return { atMs, byProcess: new Map(processes.map((changes, index) => [100 + index, { timeUs: 0, ...none, pauses: [], ...changes }])) };
}

/** In ms. */
function pause(kind: Pause['kind'], atMs: number, ms: number): Pause {
  return { kind, atUs: atMs * 1_000, us: ms * 1_000 };
}

describe('pauses between two readings', () => {
  it('are each counted once, though several readings tell of them, and none that came before', () => {
    const [old, first, second] = [pause('loop', 10, 50), pause('loop', 400, 80), pause('loop', 900, 30)];
    const before = reading(0, { pauses: [old] });
    const during = [reading(500, { pauses: [old, first] })];
    const causes = causesWindow(before, reading(1_000, { pauses: [old, first, second] }), during);
    expect(causes?.pauses.map(({ atMs, ms }) => [atMs, ms])).toEqual([
      [400, 80],
      [900, 30],
    ]);
    expect(causes).toMatchObject({ spanMs: 1_000, processes: 1 });
  });

  it('have their nearest name: a collector blocks the loop, and behind a blocked loop nobody hears of a free thread', () => {
    const all = [
      pause('collector', 100, 40),
      pause('loop', 95, 50),
      pause('loop', 300, 90),
      pause('worker-pool', 310, 70),
      pause('worker-pool', 600, 30),
    ];
    const causes = causesWindow(reading(0, {}), reading(1_000, { pauses: all }), []);
    expect(causes?.pauses.map(({ kind, atMs }) => `${kind} ${atMs}`)).toEqual(['collector 100', 'loop 300', 'worker-pool 600']);
  });

  it('are not known of a probe that does not tell them', () => {
    const silent = { atMs: 0, byProcess: new Map([[100, { timeUs: 0, ...none }]]) };
    expect(causesWindow(silent, { ...silent, atMs: 1_000 }, [])).toBeNull();
  });
});

describe('connections that an app begins', () => {
  const called = (first: number, second: number): Partial<ProbeReport> => ({
    tlsOpened: second,
    peers: [
      { host: 'a', port: 1, opened: first },
      { host: 'b', port: 443, opened: second },
    ],
  });

  it('are those of the window, of all processes, to whom there are most', () => {
    const causes = causesWindow(reading(0, called(90, 1), called(0, 0)), reading(1_000, called(92, 30), called(1, 5)), []);
    expect(causes?.opened).toEqual({ tls: 34, most: { to: 'b:443', count: 34 } });
  });
});

it('several windows are one: pauses side by side, times and counts together', () => {
  const workers = { size: 4, wait: { ...emptyDurations, count: 2, sumUs: 100, maxUs: 60 }, busyWith: null };
  const one = causesWindow(
    reading(0, { workerPool: { ...workers, wait: emptyDurations } }),
    reading(500, { pauses: [pause('loop', 1, 20)], workerPool: workers }),
    [],
  );
  if (one === null) throw new Error('nothing was seen');
  const both = joinCauses([one, one]);
  expect(both).toMatchObject({ spanMs: 1_000, processes: 1, workerPool: { size: 4, wait: { count: 4, sumUs: 200 } } });
  expect(both?.pauses).toHaveLength(2);
  expect(joinCauses([])).toBeNull();
});
