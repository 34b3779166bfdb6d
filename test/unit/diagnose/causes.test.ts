import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import {
  type CauseSignals,
  type StallSignals,
  type TailCause,
  stallsOf,
  tailOf,
  workerPoolOf,
} from '../../../src/engine/diagnose/causes.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import type { CausesWindow, SeenPause } from '../../../src/engine/probe/causesWindow.ts';
import { emptyDurations } from '../../../src/model/domain/probe.ts';
import type { StatementUse } from '../../../src/model/domain/statement.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { noCauses, nodeSignals, pool, signals } from './exampleSignals.ts';

function pauses(...all: readonly (readonly [atMs: number, ms: number])[]): SeenPause[] {
  return all.map(([atMs, ms]) => ({ kind: 'loop', pid: 1, atMs, ms, cpuMs: ms }));
}

function windowOf(seen: SeenPause[], spanMs: number, processes = 1): CausesWindow {
  return { spanMs, processes, pauses: seen, workerPool: null, warming: null, startedThreads: null, opened: null };
}

/** 400 ms every 2 s. */
const blocked = windowOf(pauses([1_000, 400], [3_000, 400], [5_000, 400]), 6_000);

describe('what stands still', () => {
  it('makes a request that comes at any time late by Σ L² ÷ 2T', () => {
    expect(stallsOf(blocked)).toEqual([
      { kind: 'loop', count: 3, share: 0.2, totalMs: 1_200, maxMs: 400, lateMs: 40, computes: 1, cpuMs: 400 },
    ]);
  });

  it('counts for as much less as there are processes that go on meanwhile', () => {
    expect(stallsOf({ ...blocked, processes: 2 })[0]).toMatchObject({ share: 0.1, lateMs: 20 });
  });
});

describe('the slowest requests', () => {
  it('meet what they wait for, more of them than chance would have it', () => {
    const slowest = { endMs: [1_400, 3_400, 5_400, 2_500], tookMs: [390, 380, 370, 360] };
    const tail = tailOf([{ causes: blocked, slowest }]);
    expect(tail).toMatchObject({ requests: 4, fromMs: 360 });
    expect(tail?.by[0]).toMatchObject({ kind: 'loop', overlapping: 0.75, ofAllTime: 0.2 });
    // (400 + d) of every 2,000 ms.
    expect(tail?.by[0]?.byChance).toBeCloseTo((400 + 375) / 2_000, 6);
  });

  it('meet what has nothing to do with them as often as chance would have it', () => {
    const seen = fc.tuple(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 300, max: 900 }), fc.integer({ min: 10, max: 400 }));
    fc.assert(
      fc.property(seen, ([ms, everyMs, took]) => {
        const span = 60_000;
        const at = Array.from({ length: Math.floor((span - 2_000) / everyMs) }, (_, index): [number, number] => [
          1_000 + index * everyMs,
          ms,
        ]);
        // Requests that end all over the time, in step with nothing (golden ratio): of a few hundred, some periods are nearly a multiple of its steps.
        const ends = Array.from({ length: 3_000 }, (_, index) => took + (span - took) * ((index * 0.618_033_988_75) % 1));
        const tail = tailOf([{ causes: windowOf(pauses(...at), span), slowest: { endMs: ends, tookMs: ends.map(() => took) } }]);
        const { overlapping = 0, byChance = 0 } = tail?.by[0] ?? {};
        expect(Math.abs(overlapping - byChance)).toBeLessThan(0.05);
      }),
    );
  });

  it('are not known where no probe looked, or no request was kept', () => {
    expect(tailOf([{ causes: null, slowest: { endMs: [1], tookMs: [1] } }])).toBeNull();
    expect(tailOf([{ causes: blocked, slowest: undefined }])).toBeNull();
  });
});

/** At a fixed rate: most of a request’s 41.7 ms is a wait for the loop. */
function paced(causes: Partial<CauseSignals>, more: Partial<Signals> = {}): Signals {
  return nodeSignals({
    load: 'paced',
    throughput: 200,
    attempts: 1_200,
    meanMs: 41.7,
    eventLoop: 0.22,
    appCpuPercent: 24,
    pgCpuPercent: 0,
    pool: null,
    sessions: null,
    interferenceShare: 0,
    causes: { ...noCauses, ...causes },
    ...more,
  });
}
const stalls = stallsOf(blocked);

describe('an event loop that is blocked now and then', () => {
  it('is the limit where requests mostly wait for it, though it is idle most of the time', () => {
    const diagnosis = diagnose(paced({ stalls }));
    expect(diagnosis).toMatchObject({ kind: 'event-loop', confident: true });
    expect(headlineOf(diagnosis)).toBe(
      'The event loop is blocked for up to 400 ms at a time, 20 % of the time: a request waits 40.0 ms of its 41.7 ms for that.',
    );
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'record', event: 'cpu' });
  });

  it('waits for something where the process does not compute meanwhile', () => {
    const idle = stalls.map((stall): StallSignals => ({ ...stall, computes: 0.02, cpuMs: 8 }));
    const diagnosis = diagnose(paced({ stalls: idle }));
    expect(diagnosis.kind).toBe('event-loop');
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'record', event: 'wall' });
  });

  it('is not what limits where it waited for its turn on the CPU that others took', () => {
    const idle = stalls.map((stall): StallSignals => ({ ...stall, computes: 0.01, cpuMs: 4 }));
    const unsure = diagnose(paced({ stalls: idle }, { interferenceShare: 0.6 }));
    expect(unsure.kind).not.toBe('event-loop');
    expect(headlineOf(unsure)).not.toContain('nothing here watches');
    // 160 ms of CPU each are no little work that only waits.
    const starved = stalls.map((stall): StallSignals => ({ ...stall, computes: 0.4, cpuMs: 160 }));
    expect(diagnose(paced({ stalls: starved }, { interferenceShare: 0.6 }))).toMatchObject({ kind: 'event-loop', confident: false });
  });

  it('is not what limits a closed loop that it stops for a fifth of the time', () => {
    expect(diagnose(nodeSignals({ causes: { ...noCauses, stalls } })).kind).toBe(diagnose(nodeSignals()).kind);
  });
});

describe('a collector that stops an app seldom and for long', () => {
  it('is the limit where requests mostly wait for it', () => {
    const collector = stalls.map((stall): StallSignals => ({ ...stall, kind: 'collector' }));
    const diagnosis = diagnose(paced({ stalls: collector }, { gc: { pauseShare: 0.05, maxPauseMs: 400 } }));
    expect(diagnosis.kind).toBe('gc');
    expect(explanationOf(diagnosis)).toContain('A request waits 40.0 ms of its 41.7 ms for it.');
  });
});

describe('the CPU of a Node app outside of its event loop', () => {
  const said = (more: Partial<Signals>): boolean =>
    explanationOf(diagnose(nodeSignals({ appCpuPercent: 180, pgCpuPercent: 5, ...more }))).includes('outside of its event loop');

  it('is said by what its threads use, however busy the loop seems that waits for its turn', () => {
    expect(said({ eventLoop: 0.7, firstThreadShare: 0.1 })).toBe(true);
    expect(said({ eventLoop: 0.2, firstThreadShare: 0.9 })).toBe(false);
  });

  it('is said of a loop that is mostly idle, where the CPU of threads is not seen', () => {
    expect(said({ eventLoop: 0.2 })).toBe(true);
    expect(said({ eventLoop: 0.7 })).toBe(false);
  });
});

describe('libuv’s pool of threads', () => {
  const full = { size: 1, waitMs: 150, busyWith: '15 PBKDF2Job' };

  it('is busy with tasks of the app, of which the one that times it is none', () => {
    const busyWith = (resources: Record<string, number>): string | null | undefined =>
      workerPoolOf({ ...blocked, workerPool: { size: 4, wait: emptyDurations, busyWith: resources } })?.busyWith;
    expect(busyWith({ FSReqCallback: 1, Timeout: 2 })).toBeNull();
    expect(busyWith({ FSReqCallback: 3, GetAddrInfoReqWrap: 5 })).toBe('5 GetAddrInfoReqWrap, 2 FSReqCallback');
  });

  it('is the limit where a task waits for most of a request’s time for one', () => {
    const diagnosis = diagnose(
      paced({ workerPool: full }, { load: 'closed', meanMs: 160, throughput: 100, appCpuPercent: 100, eventLoop: 0.03 }),
    );
    expect(diagnosis).toMatchObject({ kind: 'thread-pool', confident: true });
    expect(explanationOf(diagnosis)).toContain('Under way were 15 PBKDF2Job.');
  });

  it('is not, where the loop is full and hears late of what is done', () => {
    const diagnosis = diagnose(
      paced({ workerPool: full }, { load: 'closed', meanMs: 160, throughput: 100, appCpuPercent: 100, eventLoop: 0.99 }),
    );
    expect(diagnosis.kind).toBe('event-loop');
  });
});

describe('latency that piles up at 40 ms', () => {
  const waiting: Partial<Signals> = { load: 'closed', throughput: 380, meanMs: 42, appCpuPercent: 6, eventLoop: 0.05, pool: null };
  const piled = { quantiles: { p50: 41.8, p90: 44 } };

  it('is TCP waiting for itself, for certain where acknowledgements were delayed', () => {
    expect(diagnose(paced({ ...piled, delayedAcks: 1 }, waiting))).toMatchObject({ kind: 'network-or-payload', confident: true });
    expect(diagnose(paced({ ...piled, delayedAcks: null }, waiting))).toMatchObject({ kind: 'network-or-payload', confident: false });
  });

  it('is not sure where none was counted, and something else where it is known what takes the time', () => {
    expect(diagnose(paced({ ...piled, delayedAcks: 0.01 }, waiting))).toMatchObject({ kind: 'network-or-payload', confident: false });
    const held = { pool: pool({ busy: 15, max: 32, holdMs: 40 }), sessions: null };
    expect(diagnose(paced({ ...piled, delayedAcks: 1 }, { ...waiting, ...held })).kind).not.toBe('network-or-payload');
  });
});

describe('what is said beside a verdict', () => {
  const connects = { database: 1, tls: 0, most: { to: '127.0.0.1:5432', perRequest: 1 }, closed: 0 };

  it('begins with connections that each request opens for itself, and what to do', () => {
    const diagnosis = diagnose(nodeSignals({ pgCpuPercent: 170, causes: { ...noCauses, connects } }));
    expect(diagnosis.kind).toBe('database-cpu');
    expect(headlineOf(diagnosis)).toMatch(
      /^Each request opens a connection to PostgreSQL of its own: 2,?000 a second, 1.00 for each request\.$/,
    );
    expect(explanationOf(diagnosis)).toMatch(
      /^PostgreSQL starts a process for each of them; it used \d.*ms of CPU for a request\. The database’s CPU is the limit/,
    );
    expect(diagnosis.actions[0]?.label.code).toBe('one-pool');
    expect(explanationOf(diagnosis)).not.toContain('127.0.0.1:5432');
  });

  it('names the service to which connections are not kept, with their handshakes', () => {
    const most = { to: 'api.example:443', perRequest: 2 };
    const { explanation } = wordedVerdict(
      diagnose(nodeSignals({ causes: { ...noCauses, connects: { database: 0, tls: 2, most, closed: 0 } } })),
    );
    expect(explanation).toContain('for each request the app opens 2.00 to api.example:443, and makes 2.00 TLS handshakes');
  });

  it('begins with the handshakes that a request waits for with the other service, which is then not surely slow', () => {
    const connects = { database: 0, tls: 1, most: { to: 'rates:443', perRequest: 1 }, closed: 0 };
    const outbound = pool({ name: 'rates:443', max: null, busy: 15, holdMs: 150 });
    const asks = { meanMs: 160, throughput: 100, attempts: 800, appCpuPercent: 40, pgCpuPercent: 5, outbound };
    const connecting = diagnose(nodeSignals({ ...asks, causes: { ...noCauses, connects } }));
    expect(connecting).toMatchObject({ kind: 'outbound-service', confident: false });
    expect(headlineOf(connecting)).toMatch(/^Connections are not kept: .* makes 1.00 TLS handshakes\.$/);
    expect(connecting.actions[0]?.label.code).toBe('keep-open');
    expect(explanationOf(connecting)).not.toContain('own settings are not what slows it');
    const kept = { database: 0, tls: 0, most: { to: 'rates:443', perRequest: 0.01 }, closed: 0 };
    const slow = diagnose(nodeSignals({ ...asks, causes: { ...noCauses, connects: kept } }));
    expect(slow).toMatchObject({ kind: 'outbound-service', confident: true });
    expect(headlineOf(slow)).toContain('Another service');
    expect(explanationOf(slow)).toContain('own settings are not what slows it');
  });

  it('advises to keep connections open before it advises another instance', () => {
    const connects = { database: 0, tls: 1, most: { to: 'rates:443', perRequest: 1 }, closed: 0 };
    const { actions } = diagnose(nodeSignals({ eventLoop: 0.99, appCpuPercent: 100, pgCpuPercent: 5, causes: { ...noCauses, connects } }));
    const codes = actions.map(({ label }) => label.code);
    expect(codes).toContain('one-more-instance');
    expect(codes.indexOf('keep-open')).toBeLessThan(codes.indexOf('one-more-instance'));
    expect(codes.indexOf('keep-open')).toBeGreaterThanOrEqual(0);
  });

  it('tells a server that closes its connections, but not a proxy', () => {
    const closing = { ...noCauses, connects: { ...noCauses.connects, closed: 1 } };
    expect(explanationOf(diagnose(nodeSignals({ causes: closing })))).toContain('closes the connection after 100 % of its answers');
    const proxy = { cpuPercent: 5, workers: 1, cores: 1 };
    expect(explanationOf(diagnose(nodeSignals({ causes: closing, proxy })))).not.toContain('closes the connection');
  });

  it('tells it also where opening them fills the load generator, and of nothing else that is discarded', () => {
    const closing = { ...noCauses, connects: { ...noCauses.connects, closed: 1 } };
    const of = (causes: CauseSignals, ...discardReasons: Signals['discardReasons']) =>
      explanationOf(diagnose(nodeSignals({ causes, discardReasons })));
    const full = { code: 'generator-cpu', value: 95, limit: 90 } as const;
    expect(of(closing, full)).toContain('closes the connection after 100 % of its answers');
    expect(of(closing, { code: 'app-restarted' })).not.toContain('closes the connection');
    expect(of(noCauses, full)).not.toContain('closes the connection');
  });

  it('tells a CPU that is used outside of the event loop, and with what', () => {
    const workerPool = { size: 4, waitMs: 400, busyWith: '15 PBKDF2Job' };
    const hashing = nodeSignals({ appCpuPercent: 190, pgCpuPercent: null, eventLoop: 0.03, pool: null, sessions: null });
    const diagnosis = diagnose({ ...hashing, causes: { ...noCauses, workerPool } });
    expect(diagnosis.kind).toBe('cpu');
    expect(explanationOf(diagnosis)).toContain('98 % of the app’s CPU is used outside of its event loop');
    expect(explanationOf(diagnosis)).toContain('Under way were 15 PBKDF2Job.');
    expect(explanationOf(diagnose({ ...hashing, eventLoop: 0.97 }))).not.toContain('outside of its event loop');
  });

  it('tells a query that a request sends again and again, the most frequent first, and not what it sends once', () => {
    const statement = (sql: string, calls: number): StatementUse => ({
      sql,
      database: 'shop',
      calls,
      totalMs: 10,
      meanMs: 0.01,
      share: 0.3,
      rows: calls,
      blocksRead: 0,
      walBytes: 0,
      bypassed: null,
      looks: null,
      plan: null,
    });
    const { attempts } = nodeSignals();
    const statements = [
      statement('SELECT * FROM posts', attempts),
      statement('SELECT name FROM authors WHERE id = $1', 25 * attempts),
      statement('INSERT INTO visits VALUES ($1)', 9 * attempts),
    ];
    const diagnosis = diagnose(nodeSignals({ statements }));
    expect(explanationOf(diagnosis)).toContain('(N+1): 25 times “SELECT name FROM authors WHERE id = $1”.');
    expect(diagnosis.actions.map(({ label }) => label.code)).toContain('one-query');
    expect(explanationOf(diagnose(nodeSignals({ statements: statements.slice(0, 1) })))).not.toContain('N+1');
    // One query in a transaction that is tried 4.4 times on average.
    const tried = { statements: [statement('SELECT sum(balance) FROM account', 4.4 * attempts)] };
    const retries = { ...noCauses, rolledBack: 3.4 };
    expect(explanationOf(diagnose(nodeSignals(tried)))).toContain('N+1');
    expect(explanationOf(diagnose(nodeSignals({ ...tried, causes: retries })))).not.toContain('N+1');
    expect(explanationOf(diagnose(nodeSignals({ statements, causes: retries })))).toContain('N+1');
  });

  describe('what the heaviest statement reads besides its rows', () => {
    const indexScan = 'Limit\n  ->  Index Scan using event_pkey on event';
    const said = (one: Partial<StatementUse>, more: Partial<Signals> = {}) => {
      const sql = 'SELECT id FROM event ORDER BY id LIMIT $1 OFFSET $2';
      const counted = { database: 'shop', calls: 1000, totalMs: 9000, meanMs: 9, share: 0.99, rows: 25_000, blocksRead: 0, walBytes: 0 };
      const statements = [{ ...counted, sql, blocksUsed: 406_000, bypassed: null, looks: null, plan: indexScan, ...one }];
      const diagnosis = diagnose(nodeSignals({ pgCpuPercent: 170, statements, ...more }));
      return diagnosis.actions.map(({ label }) => label.code).find((code) => code === 'page-by-key' || code === 'fewer-columns') ?? null;
    };
    const columns = { sql: 'SELECT id, body FROM document WHERE owner = $1' };

    it('is the pages before, by OFFSET, but not of a page near the beginning', () => {
      expect(said({})).toBe('page-by-key');
      expect(said({ blocksUsed: 40_000 })).toBeNull();
      expect(said({ share: 0.2 })).toBeNull();
    });

    it('is large values or dead rows, where an index alone leads to the rows', () => {
      expect(said({ ...columns, blocksUsed: 196_000 })).toBe('fewer-columns');
      expect(said({ ...columns, blocksUsed: 40_000 })).toBeNull();
      expect(said({ ...columns, plan: 'Seq Scan on document' })).toBeNull();
      // By a key: blocks of the index are more than the row.
      expect(said({ ...columns, rows: 1000, blocksUsed: 8000 })).toBeNull();
    });
  });

  it('is nothing of connections that a pool keeps', () => {
    const kept = { database: 0.002, tls: 0, most: { to: '127.0.0.1:5432', perRequest: 0.002 }, closed: 0 };
    expect(diagnose(nodeSignals({ causes: { ...noCauses, connects: kept } })).why).toEqual(diagnose(nodeSignals()).why);
  });

  it('tells why the slowest are slow, by what they meet beyond chance', () => {
    const by: TailCause = { kind: 'loop', overlapping: 0.98, byChance: 0.4, ofTheirTime: 0.95, ofAllTime: 0.2 };
    const { explanation } = wordedVerdict(
      diagnose(nodeSignals({ causes: { ...noCauses, tail: { requests: 12, fromMs: 377, by: [by] } } })),
    );
    expect(explanation).toContain(
      'Why the slowest 1 % are slow (from 377 ms on): 98 % of them meet a blocked event loop, where chance would give 40 %, and spend 95 % of their time in it.',
    );
  });

  it('blames nothing that they meet as all requests do', () => {
    const by: TailCause = { kind: 'collector', overlapping: 1, byChance: 1, ofTheirTime: 0.35, ofAllTime: 0.3 };
    const { explanation } = wordedVerdict(
      diagnose(nodeSignals({ causes: { ...noCauses, tail: { requests: 12, fromMs: 377, by: [by] } } })),
    );
    expect(explanation).not.toContain('slowest 1 %');
  });

  it('tells a JVM that still compiles', () => {
    const { explanation } = wordedVerdict(diagnose(signals({ causes: { ...noCauses, warming: { compilePercent: 45, classesPerS: 3 } } })));
    expect(explanation).toContain('still warming up while it was measured: its compiler used 45.0 % of a core.');
  });

  it('tells a query that gives a request far more rows than it can need, where the app computes', () => {
    const [calls, totalMs] = [nodeSignals().attempts, 8000];
    const reading = (sql: string, each: number) => {
      const one = {
        sql,
        database: 'a',
        calls,
        totalMs,
        meanMs: 8,
        share: 1,
        rows: each * calls,
        blocksRead: 0,
        walBytes: 0,
        bypassed: null,
        looks: null,
        plan: null,
      };
      return explanationOf(diagnose(nodeSignals({ eventLoop: 0.99, appCpuPercent: 100, pgCpuPercent: 5, statements: [one] })));
    };
    expect(reading('SELECT * FROM products', 4000)).toContain('A request reads 4,000 rows by “SELECT * FROM products”');
    expect(reading('SELECT * FROM products', 40)).not.toContain('rows by');
    expect(reading('UPDATE products SET seen = now()', 4000)).not.toContain('rows by');
  });

  it('tells threads that are started for each request', () => {
    const starting = (startedThreads: number | null) => diagnose(signals({ causes: { ...noCauses, startedThreads } }));
    expect(explanationOf(starting(2.1))).toContain('The app starts 2.10 threads for each request');
    expect(starting(2.1).actions.at(-1)?.label).toEqual({ code: 'threads-once' });
    expect(explanationOf(starting(0.02))).not.toContain('threads for each request');
    expect(explanationOf(starting(null))).not.toContain('threads for each request');
  });

  it('tells pools that would not fit a server as it is usual', () => {
    const { explanation } = wordedVerdict(diagnose(nodeSignals({ pool: pool({ max: 160, processes: 4, busy: 2 }) })));
    expect(explanation).toContain('Together the pools may open 160 connections (40 in each of 4 processes)');
  });
});

describe('a CPU of which others took a part', () => {
  it('is called full by what was asked of it, where that is what makes it full', () => {
    const asked = signals({
      interferenceShare: 0.3,
      allWantedPercent: 190,
      appCpuPercent: 60,
      pgCpuPercent: 25,
      generator: { cpuPercent: 15, loop: 0.2, littleRatio: 0.99 },
    });
    const { headline } = wordedVerdict(diagnose({ ...asked, pool: null, sessions: null, threads: null }));
    expect(headline).not.toMatch(/is full: .* together (?:[1-7]\d|8[0-9]) %/);
  });
});
