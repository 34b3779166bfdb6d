import { describe, expect, it } from 'vitest';
import { maxBetweenUs } from '../../../src/engine/statistics/durations.ts';
import type { GroupReport } from '../../../src/engine/probe/groupReport.ts';
import { mostWaitedIn, windowBetween } from '../../../src/engine/probe/probeWindow.ts';
import { type DurationHistogram, type PoolReport, type ProbeReport, emptyDurations } from '../../../src/model/domain/probe.ts';
import { Durations } from '../../../src/probe/node/durations.ts';

/** Durations in ms. */
function durations(...all: number[]): DurationHistogram {
  const made = new Durations();
  for (const ms of all) made.record(ms * 1000);
  return made.report();
}

function pool(changes: Partial<PoolReport>): PoolReport {
  return {
    id: 'pg-1',
    kind: 'pg',
    name: 'shop',
    max: 2,
    min: null,
    total: 2,
    idle: 0,
    busy: 2,
    pending: 0,
    acquire: emptyDurations,
    hold: emptyDurations,
    timeouts: 0,
    resizable: true,
    lendable: true,
    lendLimit: null,
    note: null,
    ...changes,
  };
}

function reading(atMs: number, ...processes: Partial<ProbeReport>[]): GroupReport {
  const none = { pools: [], threadPools: [], eventLoop: null, gc: null, heap: null, http: null, threads: null, resources: null, notes: [] };
  return { atMs, byProcess: new Map(processes.map((changes, index) => [100 + index, { timeUs: atMs * 1000, ...none, ...changes }])) };
}

describe('connections that outlived their request', () => {
  it('are those at the end of a window, of all processes together, and how many more than at its beginning', () => {
    const lent = (held: number, cameBack = 0): { pools: PoolReport[] } => ({ pools: [pool({ pending: 1, outlived: { held, cameBack } })] });
    expect(windowBetween(reading(0, lent(1), lent(0)), reading(1000, lent(3, 2), lent(1))).pool?.outlived).toEqual({
      held: 4,
      grew: 3,
      cameBack: 2,
      lentInAll: 4,
    });
  });

  it('were taken at the places that any of the processes knows, the most first', () => {
    const lost = (...places: { at: string; count: number }[]): { pools: PoolReport[] } => ({
      pools: [pool({ pending: 1, outlived: { held: 3, cameBack: 0, places } })],
    });
    const after = reading(1000, lost({ at: 'a (x.js:1)', count: 2 }, { at: 'b (x.js:9)', count: 1 }), lost({ at: 'b (x.js:9)', count: 3 }));
    expect(windowBetween(reading(0, lost(), lost()), after).pool?.outlived?.places).toEqual([
      { at: 'b (x.js:9)', count: 4 },
      { at: 'a (x.js:1)', count: 2 },
    ]);
  });

  it('are not known of a probe that does not tell', () => {
    const silent = { pools: [pool({})] };
    expect(windowBetween(reading(0, silent), reading(1000, silent)).pool?.outlived).toBeUndefined();
  });
});

describe('connections to another service in a window', () => {
  const outbound = (changes: Partial<PoolReport>): PoolReport => pool({ id: 'undici-1', kind: 'undici', name: 'http://a:1', ...changes });

  it('are those of the fullest pool, busy and pending by Little’s law, and never those of the database', () => {
    const quiet = outbound({ id: 'undici-2', name: 'http://b:1', max: 10, busy: 3 });
    const database = pool({ busy: 2, hold: durations(500, 500) });
    const before = reading(0, { pools: [database, quiet, outbound({ acquire: durations(5), hold: durations(7) })] });
    const after = reading(1000, {
      pools: [database, quiet, outbound({ acquire: durations(5, 300, 500), hold: durations(7, 900, 900), timeouts: 1 })],
    });
    const during = reading(500, { pools: [database, quiet, outbound({ busy: 1, pending: 3 })] });
    expect(windowBetween(before, after, [during]).outbound).toEqual({
      kind: 'undici',
      name: 'http://a:1',
      max: 2,
      busy: 1.8,
      busyReadings: [1],
      // Three waited at that moment, and have not got theirs by the end.
      pending: 3,
      waitMs: 400,
      holdMs: 900,
      taken: 2,
      timeouts: 1,
    });
  });

  it('of several processes to one service are one pool; one that is not timed is told by what it said at the moments', () => {
    const client = (busy: number, pending: number): Partial<ProbeReport> => ({
      pools: [pool({ id: 'http-client', kind: 'http-client', name: 'http://a:1', busy, pending })],
    });
    const [before, during, after] = [
      reading(0, client(0, 0), client(0, 0)),
      reading(5, client(2, 4), client(1, 0)),
      reading(9, client(0, 0)),
    ];
    expect(windowBetween(before, after, [during]).outbound).toMatchObject({ max: 2, busy: 3, pending: 4, waitMs: null, holdMs: null });
    const both = windowBetween(before, reading(9, client(0, 0), client(0, 0)), [during]).outbound;
    expect(both).toMatchObject({ max: 4, busy: 3, pending: 4 });
  });

  it('are none where the app has none', () => {
    expect(windowBetween(reading(0, { pools: [pool({})] }), reading(9, { pools: [pool({})] })).outbound).toBeNull();
  });
});

describe('the database’s pool in a window', () => {
  it('is told by what was seen at the moments within, and by how long connections were held', () => {
    const at = (atMs: number, changes: Partial<PoolReport>): GroupReport => reading(atMs, { pools: [pool(changes)] });
    const before = at(0, { busy: 0 });
    const after = at(2000, { busy: 0, acquire: durations(1000, 3000), hold: durations(1500, 1500), timeouts: 3 });
    const during = [at(500, { busy: 2, pending: 6 }), at(1500, { busy: 1, pending: 2 })];
    const window = windowBetween(before, after, during);
    expect(window.pool).toMatchObject({ busySampled: 1.5, busyReadings: [2, 1], pendingSampled: 4, timeouts: 3 });
  });
});

describe('the runtime in a window', () => {
  const gc = (all: number[], full: number | null, changes = {}): ProbeReport['gc'] => {
    const pauses = durations(...all);
    return { count: pauses.count, pauseUs: pauses.sumUs, maxPauseUs: pauses.maxUs, full, pauses, ...changes };
  };

  it('has the pauses of the process that stood still longest, and the longest of them that came within', () => {
    const before = reading(0, { gc: gc([400], 1) }, { gc: gc([1], 0) });
    const after = reading(1000, { gc: gc([400, 100, 50], 2) }, { gc: gc([1, 2], 0) });
    const { gc: seen, gcPauseMs } = windowBetween(before, after);
    expect(seen).toMatchObject({ pauseShare: 0.15 });
    // The 400 ms were before; 100 ms are known to an eighth of an octave.
    expect(seen?.maxPauseMs).toBeGreaterThan(90);
    expect(seen?.maxPauseMs).toBeLessThan(110);
    expect(gcPauseMs).toBe(152);
  });

  it('has the event loops of a JVM that have the least time to spare, in the mean over the readings', () => {
    const group = (kind: 'netty' | 'tomcat', name: string, threads: number, busy: number) => {
      const max = kind === 'netty' ? null : threads;
      const busiest = kind === 'netty' ? { busiest: busy / 4 } : {};
      return { id: name, kind, name, max, min: null, effectiveMax: max, threads, busy, ...busiest, queue: 0, resizable: false, note: null };
    };
    const loops = (serving: number, accepting: number): ProbeReport['threadPools'] => [
      group('netty', 'accepting', 1, accepting),
      group('netty', 'serving', 4, serving),
      group('tomcat', 'http', 2, 2),
    ];
    const during = [reading(300, { threadPools: loops(3.8, 0.1) }), reading(600, { threadPools: loops(4, 0.2) })];
    expect(windowBetween(reading(0, {}), reading(1000, {}), during).serverLoops).toEqual({
      name: 'serving',
      count: 4,
      busy: 3.9,
      busiest: 0.975,
    });
    expect(windowBetween(reading(0, {}), reading(1000, {})).serverLoops).toBeNull();
  });

  it('does without what an older probe does not tell', () => {
    const old = { pauses: null };
    const before = reading(0, { gc: gc([10], null, old) });
    expect(windowBetween(before, reading(100, { gc: gc([10, 30], null, old) })).gc).toEqual({
      pauseShare: 0.3,
      maxPauseMs: 30,
    });
    expect(windowBetween(before, reading(100, { gc: gc([10, 5], null, old) })).gc).toMatchObject({ maxPauseMs: 0 });
    const nothing = windowBetween(reading(0, {}), reading(100, {}));
    expect(nothing).toMatchObject({
      gc: null,
      eventLoopDelayMs: null,
      heap: null,
      http: null,
      outbound: null,
      pool: null,
    });
  });

  it('has the delays of the event loop that was latest', () => {
    const loop = (...delays: number[]): Partial<ProbeReport> => ({ eventLoop: { activeUs: 0, idleUs: 0, delay: durations(...delays) } });
    const { eventLoopDelayMs } = windowBetween(reading(0, loop(1), loop(500)), reading(100, loop(1, 1, 2), loop(500, 20, 40)));
    expect(eventLoopDelayMs?.mean).toBe(30);
    expect(eventLoopDelayMs?.max).toBeGreaterThan(36);
    expect(eventLoopDelayMs?.max).toBeLessThan(44);
  });

  it('has the heap where it was fullest, what the last collection left, and requests under way', () => {
    const at = (atMs: number, usedMb: number, afterMb: number | null, inFlight: number, requests: DurationHistogram): GroupReport =>
      reading(atMs, {
        heap: {
          allocatedBytes: null,
          usedBytes: usedMb * 2 ** 20,
          maxBytes: 64 * 2 ** 20,
          afterGcBytes: afterMb === null ? null : afterMb * 2 ** 20,
        },
        http: { requests, inFlight },
      });
    const before = at(0, 10, null, 0, durations(1));
    const during = [at(10, 60, null, 4, durations(1, 2)), at(20, 20, 12, 6, durations(1, 2))];
    const window = windowBetween(before, at(30, 30, 15, 0, durations(1, 2, 8)), during);
    expect(window.heap).toEqual({ usedMb: 60, maxMb: 64 });
    expect(window.http).toEqual({ inFlight: 5, meanMs: 5 });
  });

  it('of a process that was started again counts from nothing', () => {
    expect(maxBetweenUs(durations(1, 2, 900), durations(3))).toBe(3000);
    expect(maxBetweenUs(durations(5), durations(5))).toBeNull();
    expect(maxBetweenUs(durations(5), durations(5, 80))).toBe(80_000);
  });
});

describe('several pools of a process', () => {
  const main = (changes: Partial<PoolReport> = {}): PoolReport => pool({ max: 10, busy: 1, madeAt: 'app.mjs:4', ...changes });
  const audit = (changes: Partial<PoolReport> = {}): PoolReport => pool({ id: 'pg-2', max: 1, busy: 1, madeAt: 'app.mjs:5', ...changes });
  const used = [main({ hold: durations(300) }), audit({ acquire: durations(900, 600), hold: durations(500, 400) })];

  it('have one that requests wait for most, of all processes together', () => {
    const before = reading(0, { pools: [main(), audit()] }, { pools: [main(), audit()] });
    const most = windowBetween(before, reading(1000, { pools: used }, { pools: used })).pool?.mostWaited;
    expect(most).toMatchObject({ id: 'pg-2', madeAt: 'app.mjs:5', max: 2, pending: 3, isOnlyOfSize: true });
    expect(most?.busy).toBeCloseTo(1.8);
  });

  it('are not told apart by size where both have the same, and one alone is none of several', () => {
    const before = reading(0, { pools: [main({ max: 1 }), audit()] });
    const same = windowBetween(before, reading(1000, { pools: [main({ max: 1, hold: durations(300) }), ...used.slice(1)] }));
    expect(same.pool?.mostWaited?.isOnlyOfSize).toBe(false);
    expect(windowBetween(reading(0, { pools: [main()] }), reading(1000, { pools: used.slice(0, 1) })).pool?.mostWaited).toBeUndefined();
  });

  it('are the same one in several windows, by the mean of them', () => {
    const one = { id: 'pg-1', name: 'shop', madeAt: null, max: 4, isOnlyOfSize: true, acquire: durations(1), hold: durations(2) };
    const joined = mostWaitedIn([
      { ...one, busy: 4, pending: 6 },
      { ...one, id: 'pg-2', busy: 1, pending: 7 },
      { ...one, busy: 2, pending: 4 },
    ]);
    expect(joined).toMatchObject({ id: 'pg-1', busy: 3, pending: 5, hold: { count: 2 } });
    expect(mostWaitedIn([])).toBeNull();
  });
});
