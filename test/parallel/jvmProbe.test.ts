import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadProbe } from '../support/loadProbe.ts';
import type { DurationHistogram } from '../../src/model/domain/probe.ts';
import { ClosedLoop } from '../fixtures/jvmProbe/closedLoop.ts';
import { type Jdk, newerJdks, ownJdk, pathOf } from '../fixtures/jvmProbe/jdks.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { type SampleApp, ownSessions, SampleStack, repositoryDir, requireSamples } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const pool = 'hikari:database';
const threads = 'jetty:http';
/** Opening 30 connections takes a JVM that has just started seconds, on a machine that is busy with other tests many. */
const changeTimeoutMs = 40_000;
/** Longer than any wait of these tests on a slow machine: a request that fails has another cause. */
const poolTimeoutMs = '30000';

const stack = new SampleStack();
const listeners: ProbeListener[] = [];
const apps: SampleApp[] = [];
const loops: ClosedLoop[] = [];

beforeAll(async () => {
  requireSamples();
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  await stack.start();
});
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.stop();
  for (const app of apps.splice(0)) await app.stop();
  for (const listener of listeners.splice(0)) {
    await listener.close();
    expect(listener.broken).toEqual([]);
  }
});
afterAll(() => stack.stop());

async function listen(): Promise<ProbeListener> {
  const listener = await ProbeListener.start();
  listeners.push(listener);
  return listener;
}

async function launch(jdk: Jdk, environment: Record<string, string>, javaOptions = ''): Promise<SampleApp> {
  // The lab’s program is the sample with further pools to choose from.
  const app = await stack.app('lab-java', {
    PATH: pathOf(jdk),
    DB_POOL_TIMEOUT_MS: poolTimeoutMs,
    JAVA_TOOL_OPTIONS: javaOptions,
    ...environment,
  });
  apps.push(app);
  return app;
}

/** The Java sample with a probe from its start on. */
async function probed(jdk: Jdk, environment: Record<string, string> = {}): Promise<{ app: SampleApp; probe: ProbeListener }> {
  const probe = await listen();
  const app = await launch(jdk, { ...probe.env, ...environment }, `-javaagent:${jarFile}`);
  await probe.attached();
  return { app, probe };
}

function load(app: SampleApp, target: string, connections: number): ClosedLoop {
  const loop = new ClosedLoop(app.port, target, connections);
  loops.push(loop);
  return loop;
}

async function untilDone(loop: ClosedLoop, more: number): Promise<void> {
  const wanted = loop.done + more;
  await waitFor(() => loop.done >= wanted, { timeoutMs: 30_000, what: `${more} more requests are answered` });
}

/** Connections of the sample as the server counts them, not as its pool does. */
async function connectionsOfServer(): Promise<number> {
  const [row] = await stack.query<{ n: number }>(`SELECT count(*)::integer AS n FROM pg_stat_activity WHERE ${ownSessions}`);
  return row?.n ?? -1;
}

/** 20 ms are in bucket 97, which begins at 18.432 ms. */
function shorterThan20Ms(histogram: DurationHistogram): number {
  return histogram.buckets.filter(([bucket]) => bucket < 97).reduce((sum, [, count]) => sum + count, 0);
}

function meanMs(before: DurationHistogram, after: DurationHistogram): number {
  return (after.sumUs - before.sumUs) / (after.count - before.count) / 1000;
}

describe.each([ownJdk])('the probe in the Java sample, on $label', fromTheStart);
describe.each(newerJdks)('the probe in the Java sample, on $label', slowHalf, fromTheStart);

function fromTheStart(jdk: Jdk): void {
  let app: SampleApp;
  let probe: ProbeListener;

  beforeAll(async () => {
    probe = await ProbeListener.start();
    app = await stack.app('java', {
      PATH: pathOf(jdk),
      DB_POOL_TIMEOUT_MS: poolTimeoutMs,
      DB_POOL_SIZE: '16',
      JAVA_TOOL_OPTIONS: `-javaagent:${jarFile}`,
      ...probe.env,
    });
    await probe.attached();
  });
  afterAll(async () => {
    await app.stop();
    await probe.close();
    expect(probe.broken).toEqual([]);
  });

  it('changes the size of the pool under load, down and up, without a failed request', async () => {
    expect(probe.hello).toMatchObject({ runtime: 'jvm', pid: app.child.pid, main: 'target/bulletin-board.jar' });
    const loop = load(app, '/wait?ms=20', 40);
    await untilDone(loop, 50);

    for (const max of [2, 32, 4]) {
      expect(await probe.set('pool', pool, max, changeTimeoutMs)).toMatchObject({ ok: true, max, effective: max, message: null });
      for (let look = 0; look < 5; look += 1) {
        await untilDone(loop, 10);
        const now = await probe.pool(pool);
        expect(now.busy).toBeLessThanOrEqual(max);
        expect(now.total).toBeLessThanOrEqual(max);
        expect(now).toMatchObject({ max, resizable: true });
      }
      // The server learns of a connection that was closed a moment later.
      await waitFor(async () => (await connectionsOfServer()) === max, { what: `the server has ${max} connections` });
    }
    expect(loop.failed).toEqual([]);
    expect((await probe.pool(pool)).timeouts).toBe(0);
  }, 150_000);

  it('times waiting and holding: four callers to a connection wait up to three times as long as they hold it', async () => {
    expect(await probe.set('pool', pool, 2, changeTimeoutMs)).toMatchObject({ ok: true });
    const loop = load(app, '/wait?ms=20', 8);
    await untilDone(loop, 20);
    const before = await probe.pool(pool);
    const [done, latency] = [loop.done, loop.latencySumMs];
    await untilDone(loop, 150);
    const after = await probe.pool(pool);
    const clientMs = (loop.latencySumMs - latency) / (loop.done - done);

    const holdMs = meanMs(before.hold, after.hold);
    const acquireMs = meanMs(before.acquire, after.acquire);
    expect(holdMs).toBeGreaterThanOrEqual(20);
    expect(acquireMs + holdMs).toBeLessThan(clientMs * 1.1);
    // Three, less what a busy machine keeps the callers themselves from asking.
    expect(acquireMs / holdMs).toBeGreaterThan(1.5);
    expect(acquireMs / holdMs).toBeLessThan(3.3);
    // Nobody can have held one for less than the database waits.
    expect(shorterThan20Ms(after.hold)).toBe(shorterThan20Ms(before.hold));
    expect(after.hold.buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(after.hold.count);
  });

  it('changes the number of threads under load, down and up, and says how many can work', slowHalf, async () => {
    expect(await probe.set('pool', pool, 64, changeTimeoutMs)).toMatchObject({ ok: true });
    const loop = load(app, '/wait?ms=20', 64);
    await untilDone(loop, 200);
    expect(await probe.threads(threads)).toMatchObject({ max: 50, resizable: true });

    for (const max of [8, 64]) {
      expect(await probe.set('threads', threads, max, changeTimeoutMs)).toMatchObject({ ok: true, max, effective: max });
      for (let look = 0; look < 5; look += 1) {
        await untilDone(loop, 20);
        const now = await probe.threads(threads);
        expect(now).toMatchObject({ max, effectiveMax: max });
        expect(now.busy).toBeLessThanOrEqual(max);
        // Two of them accept and select: the others each hold one connection at most.
        expect((await probe.pool(pool)).busy).toBeLessThanOrEqual(max - 2);
      }
    }
    expect((await probe.set('threads', threads, 2)).message).toMatch(/^Jetty needs more than 2 threads for itself/);
    expect(await probe.threads(threads)).toMatchObject({ max: 64 });
    expect(loop.failed).toEqual([]);

    const report = await probe.get();
    expect(report.gc?.count).toBeGreaterThan(0);
    expect(report.heap?.usedBytes).toBeGreaterThan(1e6);
    expect(report.threads).toBeGreaterThan(50);
    expect(report.notes).toEqual([]);
  });
}

const [tried = ownJdk, ...others] = [...newerJdks, ownJdk];
describe.each([tried])('the probe that comes later, on $label', longTest, comesLater);
describe.each(others)('the probe that comes later, on $label', slowHalf, comesLater);

function comesLater(jdk: Jdk): void {
  it('finds pools that are older than itself when it is attached to a running JVM, by two engines at once too', async () => {
    const app = await launch(jdk, { DB_POOL_SIZE: '6' });
    const loop = load(app, '/wait?ms=5', 12);
    await untilDone(loop, 50);
    const [first, second] = [await listen(), await listen()];
    await loadProbe(app.child.pid, { jarFile, group: first });
    await first.attached();
    await waitFor(async () => (await first.pool(pool)).total === 6, { what: 'the pool is full' });
    expect(await first.pool(pool)).toMatchObject({ max: 6 });
    expect(await first.threads(threads)).toMatchObject({ max: 50 });
    await loadProbe(app.child.pid, { jarFile, group: second });
    await second.attached();
    expect(await first.set('pool', pool, 3, changeTimeoutMs)).toMatchObject({ ok: true, effective: 3 });
    expect(await second.pool(pool)).toMatchObject({ max: 3, total: 3 });
    await untilDone(loop, 50);
    expect((await second.pool(pool)).hold.count).toBeGreaterThan(40);
    expect(loop.failed).toEqual([]);
  });
}

it('the pool of PostgreSQL’s driver is timed and counted, and said not to be resizable', slowHalf, async () => {
  const { app, probe } = await probed(ownJdk, { DB_POOL_LIBRARY: 'pgjdbc', DB_POOL_SIZE: '2' });
  const loop = load(app, '/wait?ms=20', 6);
  await untilDone(loop, 20);
  const id = (await probe.get()).pools[0]?.id ?? '';
  const before = await probe.pool(id);
  const done = loop.done;
  await untilDone(loop, 40);
  const after = await probe.pool(id);
  expect(after).toMatchObject({ kind: 'pgjdbc', max: 2, total: 2, resizable: false });
  expect(after.busy).toBeGreaterThan(0);
  expect(meanMs(before.hold, after.hold)).toBeGreaterThanOrEqual(20);
  expect(Math.abs(after.hold.count - before.hold.count - (loop.done - done))).toBeLessThan(10);
  expect((await probe.set('pool', id, 5)).message).toContain('before its first use');
  expect(loop.failed).toEqual([]);
  expect((await probe.get()).notes).toEqual([]);
});

describe('an engine that is gone', () => {
  it('has its sizes put back: neither pool nor threads stay as nobody would know of', async () => {
    const { app, probe } = await probed(ownJdk, { DB_POOL_SIZE: '6' });
    expect(await probe.set('pool', pool, 2, changeTimeoutMs)).toMatchObject({ ok: true });
    expect(await probe.set('threads', threads, 6, changeTimeoutMs)).toMatchObject({ ok: true });
    probe.hangUp();
    await waitFor(async () => (await connectionsOfServer()) === 6, { what: 'the pool has its own size again' });
    const next = await listen();
    await loadProbe(app.child.pid, { jarFile, group: next });
    await next.attached();
    await waitFor(async () => (await next.threads(threads)).effectiveMax === 50, { what: 'the threads have their own number again' });
  });

  it('is not noticed when it never was there, nor when it speaks another language', slowHalf, async () => {
    const absent = await launch(
      ownJdk,
      { BENCHSIDE_PROBE_ADDRESS: 'unix:/nowhere/probe.sock', BENCHSIDE_PROBE_TOKEN: 'x' },
      `-javaagent:${jarFile}`,
    );
    expect((await absent.ask('/ads/1')).status).toBe(200);
    const { app, probe } = await probed(ownJdk);
    probe.sendRaw('{"type":"set","id":{}}\n');
    await waitFor(() => !probe.isConnected, { what: 'the probe hangs up' });
    expect((await app.ask('/ads/1')).status).toBe(200);
    for (const one of [absent, app]) {
      const others = one.child.log
        .text()
        .split('\n')
        .filter((line) => line !== '' && !/Picked up JAVA_TOOL_OPTIONS|VM warning: Sharing| INFO /.test(line));
      expect(others).toEqual([]);
    }
  });
});

describe('the probe refuses', () => {
  it('a pool that is not there, and a size that connections in use do not let it have in time', slowHalf, async () => {
    const { app, probe } = await probed(ownJdk, { DB_POOL_SIZE: '1' });
    expect(await probe.set('pool', 'hikari:other', 3)).toMatchObject({
      ok: false,
      message: 'This app has no pool “hikari:other” at present.',
    });
    // A connection that is held for longer than the change may take cannot be retired in time.
    expect(await probe.set('pool', pool, 2)).toMatchObject({ ok: true });
    const slow = load(app, '/wait?ms=2000', 2);
    await waitFor(async () => (await probe.pool(pool)).busy === 2, { what: 'both connections are in use' });
    const late = await probe.set('pool', pool, 1, 200);
    expect(late).toMatchObject({ ok: false, max: 1, effective: 2 });
    expect(late.message).toMatch(/^2 connections were still open when the time was over/);
    await waitFor(async () => (await probe.pool(pool)).total === 1, { what: 'the surplus went when it was given back' });
    expect(slow.failed).toEqual([]);
  });

  it.runIf(newerJdks.length > 0)('to bound virtual threads, and counts them', async () => {
    const [jdk = ownJdk] = newerJdks;
    const { app, probe } = await probed(jdk, { HTTP_THREADS_KIND: 'virtual', DB_POOL_SIZE: '2' });
    const loop = load(app, '/wait?ms=20', 16);
    await untilDone(loop, 20);
    const virtual = (await probe.get()).threadPools.filter(({ kind }) => kind === 'virtual');
    expect(virtual.reduce((sum, { busy }) => sum + busy, 0)).toBeGreaterThan(8);
    expect(virtual.every(({ resizable, note }) => !resizable && note !== null)).toBe(true);
    expect((await probe.set('threads', virtual[0]?.id ?? '', 8)).message).toMatch(/^Virtual threads have no limit/);
  });
});
