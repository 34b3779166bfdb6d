import { describe, expect, it } from 'vitest';
import type { GroupReport } from '../../../src/engine/probe/groupReport.ts';
import { poolUseOf } from '../../../src/engine/probe/probeWindow.ts';
import { joinedWindow, windowOfSlices } from '../../../src/engine/probe/slicedWindow.ts';
import { type DurationHistogram, type PoolReport, type ProbeReport, emptyDurations } from '../../../src/model/domain/probe.ts';
import { Durations } from '../../../src/probe/node/durations.ts';

/** So many durations of so many ms, after those before. */
function grown(before: DurationHistogram, count: number, ms: number): DurationHistogram {
  const made = new Durations();
  for (let n = 0; n < count; n += 1) made.record(ms * 1000);
  const more = made.report();
  const buckets = new Map(before.buckets);
  for (const [bucket, many] of more.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + many);
  return {
    count: before.count + more.count,
    sumUs: before.sumUs + more.sumUs,
    maxUs: Math.max(before.maxUs, more.maxUs),
    buckets: [...buckets].sort(([a], [b]) => a - b),
  };
}

/** A process as its probe reports it, cumulative from the start. */
class App {
  #atMs = 0;
  #acquire = emptyDurations;
  #hold = emptyDurations;
  #activeUs = 0;
  #pauseUs = 0;

  /** A slice of 100 ms: so many requests, each of which waits and holds for so long. */
  slice(requests: number, waitMs: number, holdMs: number, utilisation: number, pauseMs = 0): this {
    this.#atMs += 100;
    this.#acquire = grown(this.#acquire, requests, waitMs);
    this.#hold = grown(this.#hold, requests, holdMs);
    this.#activeUs += utilisation * 100_000;
    this.#pauseUs += pauseMs * 1000;
    return this;
  }

  idle(ms: number): this {
    this.#atMs += ms;
    return this;
  }

  read(): GroupReport {
    const pool: PoolReport = {
      id: 'pg-1',
      kind: 'pg',
      name: 'shop',
      max: 8,
      min: null,
      total: 8,
      idle: 8,
      busy: 0,
      pending: 0,
      acquire: this.#acquire,
      hold: this.#hold,
      timeouts: 0,
      resizable: true,
      lendable: true,
      lendLimit: null,
      note: null,
    };
    const report: ProbeReport = {
      timeUs: this.#atMs * 1000,
      pools: [pool],
      threadPools: [],
      eventLoop: { activeUs: this.#activeUs, idleUs: this.#atMs * 1000 - this.#activeUs, delay: emptyDurations },
      gc: { count: 0, pauseUs: this.#pauseUs, maxPauseUs: 0, full: null, pauses: null },
      heap: null,
      http: null,
      threads: null,
      resources: null,
      notes: [],
    };
    return { atMs: this.#atMs, byProcess: new Map([[100, report]]) };
  }
}

describe('what a probe saw of an app that is asked in slices', () => {
  it('is that of the time in which it was asked: a loop that is full in half of it is full', () => {
    const app = new App();
    const before = app.read();
    for (let n = 0; n < 5; n += 1) app.slice(10, 0, 5, 1).idle(100);
    const window = windowOfSlices(before, app.read(), [], 500);
    expect(window.eventLoopUtilisation).toBeCloseTo(1, 6);
    // Fifty requests that held a connection for 5 ms each, in half a second.
    expect(poolUseOf([window], 50)).toMatchObject({ busy: 0.5, perRequest: 1 });
  });

  it('belongs to the side that was asked, where several share a process', () => {
    const app = new App();
    const before = app.read();
    const edges: { small: [GroupReport, GroupReport][]; large: [GroupReport, GroupReport][] } = { small: [], large: [] };
    for (let n = 0; n < 4; n += 1) {
      const [first, second, third] = [app.read(), app.slice(20, 15, 5, 0.4, 1).read(), app.slice(20, 0, 20, 0.8, 3).read()];
      edges.small.push([first, second]);
      edges.large.push([second, third]);
    }
    const whole = windowOfSlices(before, app.read(), [], 800);
    const [small, large] = [joinedWindow(whole, edges.small, 400), joinedWindow(whole, edges.large, 400)];
    expect(poolUseOf([small], 80)).toMatchObject({ busy: 1, pending: 3, waitMs: 15, holdMs: 5 });
    expect(poolUseOf([large], 80)).toMatchObject({ busy: 4, pending: 0, waitMs: 0, holdMs: 20 });
    expect([small.eventLoopUtilisation, large.eventLoopUtilisation].map((share) => Number(share?.toFixed(3)))).toEqual([0.4, 0.8]);
    expect([small.gc?.pauseShare, large.gc?.pauseShare]).toEqual([0.01, 0.03]);
    expect([small.gcPauseMs, large.gcPauseMs]).toEqual([4, 12]);
  });

  it('is full where its loop is, though it was read a while before and after the load', () => {
    const app = new App();
    const before = app.read();
    const edges: [GroupReport, GroupReport][] = [];
    for (let n = 0; n < 4; n += 1) edges.push([app.idle(5).read(), app.idle(2).slice(20, 15, 5, 1).idle(5).read()]);
    const whole = windowOfSlices(before, app.read(), [], 400);
    expect(joinedWindow(whole, edges, 400).eventLoopUtilisation).toBeCloseTo(1, 6);
  });

  it('is of all requests between its readings, of which a block leaves out those at the edges of slices', () => {
    const app = new App();
    const before = app.read();
    const window = windowOfSlices(before, app.slice(20, 15, 5, 0.4, 1).read(), [], 100);
    expect(poolUseOf([{ ...window, requests: 20 }], 15)?.perRequest).toBe(1);
    expect(poolUseOf([window], 20)?.perRequest).toBe(1);
  });
});
