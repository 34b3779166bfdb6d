import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import type { LiveEvent } from '../../src/model/protocol/live.ts';
import { appTarget, commandLine, failureOf, removeTemporaryFolders, TestEngine, untilGone } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

type EventOf<T extends LiveEvent['type']> = Extract<LiveEvent, { type: T }>;

let engine: TestEngine;
let events: LiveEvent[];

beforeAll(async () => {
  engine = await TestEngine.start({
    file: {
      targets: [appTarget('poolless', 'steadyService.mjs', { settings: { pool: { min: 1, max: 64, default: 4, env: 'POOL' } } })],
    },
  });
  engine.client.on('live/event', (event) => events.push(event));
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

function all<T extends LiveEvent['type']>(type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

function next<T extends LiveEvent['type']>(type: T, timeoutMs = 40_000): Promise<EventOf<T>> {
  return waitFor(() => all(type).at(-1), { timeoutMs, what: `an event “${type}”` });
}

/** Starts a session and waits until its load runs. */
async function start(
  request: Parameters<TestEngine['request']>[1] & object,
): Promise<{ ended: Promise<{ runId: string | null }>; running: EventOf<'running'> }> {
  events = [];
  const ended = engine.request('live/start', request as never) as Promise<{ runId: string | null }>;
  // Whoever awaits the end of a session reports its failure.
  ended.catch(() => undefined);
  const running = await Promise.race([next('running'), ended.then(() => Promise.reject(new Error('it ended before the load ran')))]);
  return { ended, running };
}

/** Mean throughput of the samples between two moments of the session. */
function throughputBetween(fromMs: number, toMs: number): number {
  const samples = all('sample').filter(({ sample }) => sample.timeMs > fromMs && sample.timeMs <= toMs);
  return samples.reduce((sum, { sample }) => sum + sample.throughput, 0) / samples.length;
}

describe('a live session on the Node sample', () => {
  it(
    'answers a moved pool within two seconds, cuts the load into segments, and is kept as a run',
    { timeout: 90_000, ...longTest },
    async () => {
      const { ended, running } = await start({
        target: 'node',
        settings: { pool: 1 },
        route: '/wait?ms=20',
        connections: 16,
        load: 'brief',
        maxS: 120,
      });
      expect(running).toMatchObject({ target: 'node', targetLabel: 'Node', connections: 16, routes: ['GET /wait?ms=20'] });
      expect(running.controls).toHaveLength(1);
      expect(running.controls[0]).toMatchObject({ setting: 'pool', label: 'Pool size', min: 1, value: 1, problem: null });
      await waitFor(() => all('sample').length >= 4, { what: 'samples' });
      const before = all('sample').at(-1)?.sample;
      // One connection that is held 20 ms at a time answers 50 requests/s, whatever the machine.
      expect(before?.throughput).toBeLessThan(55);
      expect(before?.pool).toMatchObject({ max: 1, total: 1 });
      expect(before?.pool?.pending).toBeGreaterThan(10);

      const change = await engine.request('live/set', { setting: 'pool', value: 6 });
      expect(change).toMatchObject({ setting: 'pool', from: 1, to: 6, ok: true, message: null });
      const answered = await waitFor(() => all('sample').find(({ sample }) => sample.timeMs > change.timeMs && sample.throughput > 100), {
        what: 'more requests/s',
      });
      expect(answered.sample.timeMs - change.timeMs).toBeLessThan(2_000);

      // A slider passes many values; the app goes to the last of them, and everybody who asked receives the outcome.
      await waitFor(() => all('sample').filter(({ sample }) => sample.timeMs > change.timeMs + 1_000).length >= 3, {
        what: 'samples at 6',
      });
      const values = [12, 11, 10, 9, 8, 5, 4, 3, 2];
      const changes = await Promise.all(values.map((value) => engine.request('live/set', { setting: 'pool', value })));
      expect(changes.at(-1)).toMatchObject({ to: 2, ok: true });
      expect(new Set(changes.map(({ to }) => to)).size).toBeLessThan(values.length);
      const last = changes.at(-1)?.timeMs ?? 0;
      await waitFor(() => all('sample').filter(({ sample }) => sample.timeMs > last + 1_800).length >= 3, { what: 'samples at 2' });
      expect(throughputBetween(last + 1_800, Infinity)).toBeLessThan(108);
      expect(all('sample').at(-1)?.sample.pool).toMatchObject({ max: 2, total: 2 });

      const { runId } = await engine.request('live/keep', {});
      expect((await engine.request('live/stop', {})).stopped).toBe(true);
      expect(await ended).toEqual({ runId });
      expect(all('ended').at(-1)).toMatchObject({ reason: { code: 'stopped' }, failure: null, runId });

      const segments = all('segment').map(({ segment }) => segment);
      expect(segments.slice(0, 3).map(({ settings }) => settings)).toEqual([{ pool: 1 }, { pool: 6 }, { pool: 2 }]);
      expect(segments[0]?.throughput).toBeLessThan(51);
      expect(segments[1]?.throughput).toBeGreaterThan(100);
      const { run } = await engine.request('runs/get', { id: runId });
      expect(run).toMatchObject({
        title: 'Node: live session',
        valid: false,
        recommendations: [],
        plan: { mode: 'live' },
        request: { settings: { pool: [1, 2, 6] } },
      });
      expect(run.trials.map(({ key, valid, blocks }) => ({ key, valid, blocks: blocks.length }))).toEqual([
        { key: 'node|pool=1|c=16', valid: false, blocks: 1 },
        { key: 'node|pool=6|c=16', valid: false, blocks: 1 },
        { key: 'node|pool=2|c=16', valid: false, blocks: 1 },
      ]);
      for (const trial of run.trials) expect(trial.reasons[0]).toEqual({ code: 'by-hand' });
      expect(run.trials[0]?.pool?.holdMs).toBeGreaterThan(19);
      expect(run.trials[0]?.pool?.busy).toBeCloseTo(1, 0);
      expect(run.trials[0]?.resources.app.cpuUsPerRequest).toBeGreaterThan(0);
      expect(run.trials.map(({ histogram }) => histogram)).toEqual(['latency-1.hdr', 'latency-2.hdr', 'latency-3.hdr']);
      expect(run.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['ticks.ndjson', 'samples.ndjson', 'process-1.log']));
      expect(engine.runFolders()).toEqual([runId]);
    },
  );
});

describe('a live session on the Java sample', () => {
  it('moves pool and threads, refuses what cannot be done with a cure, and goes on', { timeout: 90_000, ...slowHalf }, async () => {
    expect(await failureOf(engine.request('live/set', { setting: 'pool', value: 4 }))).toMatchObject({ code: 'no-live-session' });
    const { ended, running } = await start({
      target: 'java',
      settings: { pool: 1, threads: 40 },
      route: '/wait?ms=20',
      connections: 16,
      load: 'brief',
      maxS: 60,
    });
    expect(running.controls.map(({ setting, value, problem }) => ({ setting, value, problem }))).toEqual([
      { setting: 'pool', value: 1, problem: null },
      { setting: 'threads', value: 40, problem: null },
    ]);
    expect(noteTexts(running.notes).join(' ')).toMatch(/16 connections, so that http threads above 16 changes nothing/);
    const most = running.controls[0]?.max ?? 0;
    expect(await failureOf(engine.request('live/set', { setting: 'heapMb', value: 4 }))).toMatchObject({
      code: 'setting-unknown',
      cure: 'It has: pool, threads.',
    });
    expect(await failureOf(engine.request('live/set', { setting: 'pool', value: 0 }))).toMatchObject({
      code: 'setting-value',
      cure: `Choose a whole number from 1 to ${most}.`,
    });
    expect(await failureOf(engine.request('live/set', { setting: 'pool', value: most + 1 }))).toMatchObject({ code: 'setting-value' });
    expect(await failureOf(engine.measure({ kind: 'run', targets: ['poolless'], load: 'brief' }))).toMatchObject({
      code: 'run-in-progress',
    });

    const pool = await engine.request('live/set', { setting: 'pool', value: 6 });
    expect(pool).toMatchObject({ ok: true, message: null });
    const answered = await waitFor(() => all('sample').find(({ sample }) => sample.timeMs > pool.timeMs && sample.throughput > 100), {
      what: 'more requests/s',
    });
    expect(answered.sample.timeMs - pool.timeMs).toBeLessThan(2_000);
    const threads = await engine.request('live/set', { setting: 'threads', value: 16 });
    expect(threads).toMatchObject({ from: 40, to: 16, ok: true, message: null });
    await waitFor(() => all('sample').at(-1)?.sample.threads?.max === 16, { what: 'a sample with 16 threads' });
    await engine.request('live/stop', {});
    expect(await ended).toEqual({ runId: null });
  });
});

describe('a live session on other apps', () => {
  it('says why a setting cannot be moved, ends by itself, and leaves nothing behind', { timeout: 60_000, ...slowHalf }, async () => {
    const { ended, running } = await start({ target: 'poolless', load: 'brief', maxS: 5 });
    expect(running.controls).toHaveLength(1);
    expect(running.controls[0]?.problem).toEqual({ code: 'none-seen', of: 'pool' });
    expect(await failureOf(engine.request('live/set', { setting: 'pool', value: 8 }))).toMatchObject({ code: 'not-live' });
    const processes = engine.processes();
    expect(await ended).toEqual({ runId: null });
    expect(all('ended').at(-1)).toMatchObject({ reason: { code: 'time-over', maxMs: 5000 }, failure: null });
    expect(all('segment')).toHaveLength(1);
    const left = new Set(engine.processes().map(({ pid }) => pid));
    await untilGone(
      processes.filter(({ pid }) => !left.has(pid)),
      5_000,
    );
    expect(left.size).toBeLessThan(processes.length);
  });

  it('ends with the target’s last words when that dies', { timeout: 60_000 }, async () => {
    const { ended } = await start({ target: 'poolless', load: 'brief', maxS: 60 });
    const app = engine.processes().find(({ pid }) => commandLine(pid).includes('steadyService'));
    process.kill(app?.pid ?? 0, 'SIGKILL');
    expect(await failureOf(ended)).toMatchObject({
      code: 'target-exited',
      message: expect.stringContaining('while it was under load') as string,
    });
    expect(all('ended').at(-1)?.failure?.code).toBe('target-exited');
  });

  it('is cancelled while it warms up', { timeout: 60_000, ...slowHalf }, async () => {
    events = [];
    const ended = engine.request('live/start', { target: 'poolless', load: 'steady' });
    await waitFor(() => all('starting').some(({ doing }) => doing.code === 'warming-rate'), { timeoutMs: 20_000, what: 'the warm-up' });
    await engine.request('run/cancel', {});
    expect(await ended).toEqual({ runId: null });
    expect(all('ended')).toHaveLength(1);
    expect(all('running')).toHaveLength(0);
  });
});
