import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoolReport, ProbeReport } from '../../src/model/domain/probe.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import { withProbe } from '../../src/engine/probe/probeLaunch.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { type ProbedApp, Callers, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { nodeOfMajor } from '../support/nodeRecording.ts';
import { repositoryDir, SampleStack } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const stack = new SampleStack();
const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  await stack.start();
  const common = { bundle: true, platform: 'node', minify: true, external: ['pg-native', 'pg-cloudflare'] } satisfies BuildOptions;
  const entryPoints = [path.join(apps.folder, 'expressApp.cjs')];
  await build({ ...common, entryPoints, outfile: path.join(apps.folder, 'bundled.cjs') });
  await build({
    ...common,
    entryPoints,
    outfile: path.join(apps.folder, 'mangled.cjs'),
    mangleProps: /^_(pulseQueue|clients|idle|pendingQueue|isFull|remove)$/,
  });
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  await server.close();
  apps.remove();
}, 30_000);

/** An app of the fixtures on a database of which only its connections have this name. */
async function start(file: string, env: Record<string, string> = {}): Promise<{ app: ProbedApp; probe: ProbeSession; name: string }> {
  const name = `probe-${file.replace(/\W/g, '-')}-${(starts += 1)}`;
  const url = new URL(stack.databaseUrl);
  url.searchParams.set('application_name', name);
  const app = await startProbedApp(supervisor, server, path.join(apps.folder, file), { env: { DATABASE_URL: url.href, ...env } });
  return { app, probe: await probeOf(app.group, file), name };
}
let starts = 0;

async function onlyPool(probe: ProbeSession): Promise<PoolReport> {
  const { pools } = await probe.get();
  expect(pools).toHaveLength(1);
  return pools[0] as PoolReport;
}

/** How many connections of that name the database itself sees. */
async function connections(name: string): Promise<number> {
  const rows = await stack.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [name],
  );
  return rows[0]?.n ?? 0;
}

function meanMs({ count, sumUs }: { count: number; sumUs: number }): number {
  return sumUs / count / 1000;
}

describe.each(['expressApp.cjs', 'bundled.cjs'])('in %s', resizedUnderLoad);
describe.each(['fastifyApp.mjs'])('in %s', slowHalf, resizedUnderLoad);

function resizedUnderLoad(file: string): void {
  let app: ProbedApp;
  let probe: ProbeSession;
  let name: string;
  beforeAll(async () => {
    ({ app, probe, name } = await start(file, { DB_POOL_SIZE: '2' }));
  });
  afterAll(() => app.child.stop());

  it('waits, holds and requests are counted for every way of asking the pool, and are as long as they were', async () => {
    const before = await onlyPool(probe);
    expect(before).toMatchObject({ id: 'pg-1', kind: 'pg', max: 2, total: 0, idle: 0, busy: 0, pending: 0, resizable: true, note: null });
    expect(before.name).toContain('127.0.0.1:');
    expect(before.name).not.toContain('postgres:');
    const callers = new Callers(app.port, ['/query?ms=10', '/transaction?ms=10', '/callback?ms=10'], 12);
    await callers.until(30);
    await waitFor(async () => (await onlyPool(probe)).busy === 2);
    // So many that a moment in which the callers themselves had to wait for a core is a small part.
    await callers.until(200);
    await callers.stop();
    const report = await waitFor(async () => {
      const now = await probe.get();
      return now.http?.requests.count === callers.answered ? now : null;
    });
    const [pool] = report.pools as [PoolReport];
    expect([...callers.statuses.keys()]).toEqual([200]);
    expect([pool.acquire.count, pool.hold.count]).toEqual([callers.answered, callers.answered]);
    // Each holds a connection for 10 ms and a bit; twelve at two connections wait for five turns of others.
    expect(meanMs(pool.hold)).toBeGreaterThan(9.5);
    expect(meanMs(pool.acquire)).toBeGreaterThan(1.2 * meanMs(pool.hold));
    expect(meanMs(pool.acquire)).toBeLessThan(30 * meanMs(pool.hold));
    expect(pool).toMatchObject({ total: 2, idle: 2, busy: 0, pending: 0, timeouts: 0 });
    expect(meanMs(report.http?.requests ?? pool.hold)).toBeGreaterThan(meanMs(pool.acquire) + meanMs(pool.hold));
    expect(report.http?.inFlight).toBe(0);
  });

  it('the pool grows and shrinks under load again and again, as the database sees it too, and no request fails', slowHalf, async () => {
    const { id: poolId } = await onlyPool(probe);
    const callers = new Callers(app.port, ['/query?ms=4', '/transaction?ms=4', '/callback?ms=4', '/query'], 24);
    await callers.until(24);
    for (const max of [16, 1, 8, 2]) {
      const applied = await probe.set({ what: 'pool', poolId, max, timeoutMs: 5_000 });
      expect(applied).toMatchObject({ ok: true, max, message: null });
      expect(applied.effective).toBeLessThanOrEqual(max);
      await callers.until(48);
      await waitFor(async () => (await onlyPool(probe)).total === max, { what: `${max} connections in the pool` });
      await waitFor(async () => (await connections(name)) === max, { what: `${max} connections in the database` });
    }
    await callers.stop();
    expect([...callers.statuses.keys()]).toEqual([200]);
    // Nobody asks any more: what is idle is closed.
    expect(await probe.set({ what: 'pool', poolId, max: 1, timeoutMs: 2_000 })).toMatchObject({ ok: true, max: 1, effective: 1 });
  });
}

describe('a change of size', () => {
  it('is not said to be done while the app holds more connections, and is completed when it gives them back', async () => {
    const { app, probe } = await start('expressApp.cjs', { DB_POOL_SIZE: '3', DB_POOL_MIN: '3' });
    const { id: poolId } = await onlyPool(probe);
    const held = Array.from({ length: 3 }, () => app.ask('/transaction?ms=1500'));
    await waitFor(async () => (await onlyPool(probe)).busy === 3);
    const early = await probe.set({ what: 'pool', poolId, max: 1, timeoutMs: 100 });
    expect(early).toMatchObject({
      ok: false,
      max: 1,
      effective: 3,
      message: expect.stringContaining('3 connections are still open') as string,
    });
    const superseded = probe.set({ what: 'pool', poolId, max: 2, timeoutMs: 5_000 });
    const done = await probe.set({ what: 'pool', poolId, max: 1, timeoutMs: 5_000 });
    expect(await superseded).toMatchObject({ ok: false, message: expect.stringContaining('Another size') as string });
    expect(done).toMatchObject({ ok: true, max: 1, effective: 1 });
    expect(done.tookMs).toBeGreaterThan(100);
    expect(await Promise.all(held)).toEqual(Array(3).fill('{"one":1}'));
    expect(await onlyPool(probe)).toMatchObject({ max: 1, min: 1, total: 1 });
    await probe.set({ what: 'pool', poolId, max: 5, timeoutMs: 1_000 });
    expect(await onlyPool(probe)).toMatchObject({ max: 5, min: 3 });
    await app.child.stop();
  });

  it('opens connections for those who wait already, without anybody giving one back', longTest, async () => {
    const { app, probe } = await start('fastifyApp.mjs', { DB_POOL_SIZE: '1' });
    const { id: poolId } = await onlyPool(probe);
    const all = Array.from({ length: 6 }, () => app.ask('/query?ms=1500'));
    await waitFor(async () => (await onlyPool(probe)).pending === 5);
    expect(await probe.set({ what: 'pool', poolId, max: 6, timeoutMs: 1_000 })).toMatchObject({ ok: true, max: 6 });
    await waitFor(async () => (await onlyPool(probe)).pending === 0, { timeoutMs: 1_000 });
    expect(await onlyPool(probe)).toMatchObject({ total: 6, busy: 6 });
    await Promise.all(all);
    await app.child.stop();
  });
});

it('callers that give up are counted, whether they queued or asked through query', async () => {
  const { app, probe } = await start('expressApp.cjs', { DB_POOL_SIZE: '1', DB_POOL_TIMEOUT_MS: '400' });
  const holder = app.ask('/transaction?ms=1500');
  await waitFor(async () => (await onlyPool(probe)).busy === 1);
  const refused = await Promise.all(['/query', '/transaction', '/callback', '/query'].map((target) => app.ask(target)));
  expect(refused.every((text) => text.includes('timeout exceeded'))).toBe(true);
  await holder;
  expect(await app.ask('/query')).toBe('{"one":1}');
  const pool = await onlyPool(probe);
  expect(pool).toMatchObject({ timeouts: 4, pending: 0 });
  expect(pool.acquire.count).toBe(2);
  await app.child.stop();
});

it('each worker of a cluster has a probe and pools of its own', longTest, async () => {
  const { app } = await start('clusterApp.cjs', { DB_POOL_SIZE: '3' });
  const workers = await waitFor(() => {
    const found = app.group.sessions.filter(({ hello }) => hello.pid !== app.child.pid);
    return found.length === 2 ? found : null;
  });
  const callers = new Callers(app.port, ['/query?ms=2'], 16);
  await callers.until(64);
  for (const probe of workers) {
    const pool = await onlyPool(probe);
    expect(await probe.set({ what: 'pool', poolId: pool.id, max: 1, timeoutMs: 5_000 })).toMatchObject({ ok: true, max: 1, effective: 1 });
    expect(pool.acquire.count).toBeGreaterThan(0);
  }
  await callers.stop();
  expect([...callers.statuses.keys()]).toEqual([200]);
  const reports = await Promise.all(workers.map((probe) => probe.get()));
  expect(reports.reduce((sum, { http }) => sum + (http?.requests.count ?? 0), 0)).toBe(callers.answered);
  await app.child.stop();
});

it('a pool whose inner names a bundler has changed is said to be out of sight; what cannot be changed is refused with a sentence', async () => {
  const { app, probe } = await start('mangled.cjs', { DB_POOL_SIZE: '2' });
  await app.ask('/query');
  const pool = await onlyPool(probe);
  expect(pool).toMatchObject({
    kind: 'pg',
    max: 2,
    total: 1,
    idle: 1,
    resizable: false,
    note: expect.stringContaining('not visible') as string,
  });
  const applied = await probe.set({ what: 'pool', poolId: pool.id, max: 4, timeoutMs: 500 });
  expect(applied).toMatchObject({ ok: false, message: pool.note });
  const threads = await probe.set({ what: 'threads', poolId: pool.id, max: 2, timeoutMs: 500 });
  expect(threads).toMatchObject({ ok: false, message: expect.stringContaining('no pool of threads') as string });
  const unknown = await probe.set({ what: 'pool', poolId: 'pg-9', max: 2, timeoutMs: 500 });
  expect(unknown).toMatchObject({ ok: false, message: 'There is no pool pg-9 in this process.' });
  await app.child.stop();
});

it('the pools of knex and Sequelize are resized under load, beside those of other packages', slowHalf, async () => {
  const { app, probe, name } = await start('otherPools.mjs');
  await waitFor(async () => (await app.ask('/others')) === 'ok' && (await probe.get()).pools.length === 5);
  const { pools } = await probe.get();
  const of = (kind: PoolReport['kind']): PoolReport => pools.find((pool) => pool.kind === kind) as PoolReport;
  expect(of('mysql2')).toMatchObject({ name: 'shop at 127.0.0.1:9', max: 7, total: 0, resizable: true });
  expect(of('generic-pool')).toMatchObject({ max: 5, min: 1, total: 1, idle: 1, busy: 0, resizable: true });
  expect(of('undici')).toMatchObject({ name: `http://127.0.0.1:${app.port}`, max: 3, total: 1, resizable: true });
  expect(of('tarn')).toMatchObject({ name: 'knex', max: 4, min: 2, resizable: true });
  expect(of('sequelize')).toMatchObject({ name: 'sequelize', max: 6, min: 3, resizable: true });
  expect(pools.every(({ resizable, note }) => resizable === (note === null))).toBe(true);

  for (const [kind, route] of [
    ['tarn', '/knex?ms=4'],
    ['sequelize', '/sequelize?ms=4'],
  ] as const) {
    const before = (await probe.get()).pools.find((pool) => pool.kind === kind) as PoolReport;
    const others = (await connections(name)) - before.total;
    const callers = new Callers(app.port, [route], 16);
    await callers.until(16);
    for (const max of [10, 2, 7]) {
      expect(await probe.set({ what: 'pool', poolId: before.id, max, timeoutMs: 5_000 })).toMatchObject({ ok: true, max });
      await callers.until(40);
      await waitFor(async () => (await connections(name)) === max + others, { what: `${max} connections in the database` });
    }
    await callers.stop();
    expect([...callers.statuses.keys()]).toEqual([200]);
    const after = (await probe.get()).pools.find(({ id }) => id === before.id) as PoolReport;
    expect([after.acquire.count - before.acquire.count, after.hold.count - before.hold.count]).toEqual([
      callers.answered,
      callers.answered,
    ]);
    expect(meanMs(after.hold)).toBeGreaterThan(3.5);

    // Surplus is closed as it is given back, although others wait for it.
    const asked = Array.from({ length: 14 }, () => app.ask(route.replace('ms=4', 'ms=500')));
    const now = async (): Promise<PoolReport> => (await probe.get()).pools.find(({ id }) => id === before.id) as PoolReport;
    await waitFor(async () => (await now()).pending === 7);
    expect(await probe.set({ what: 'pool', poolId: before.id, max: 2, timeoutMs: 5_000 })).toMatchObject({
      ok: true,
      max: 2,
      effective: 2,
    });
    expect((await now()).pending).toBeGreaterThan(0);
    expect(await probe.set({ what: 'pool', poolId: before.id, max: 10, timeoutMs: 5_000 })).toMatchObject({ ok: true, max: 10 });
    expect(await Promise.all(asked)).toEqual(Array(14).fill('{"one":1}'));
    expect(await probe.set({ what: 'pool', poolId: before.id, max: 1, timeoutMs: 2_000 })).toMatchObject({
      ok: true,
      max: 1,
      effective: 1,
    });
    await waitFor(async () => (await connections(name)) === 1 + others, { what: 'the surplus is closed when nobody asks' });
  }
  await app.child.stop();
});

it('a blocked event loop, collections of garbage and the heap are reported once a second', async () => {
  const { app, probe } = await start('expressApp.cjs');
  const before = await probe.get();
  await app.ask('/block?ms=400');
  const reports: ProbeReport[] = [];
  const unsubscribe = probe.onReport((report) => reports.push(report));
  await waitFor(() => reports.length >= 2, { what: 'two reports' });
  unsubscribe();
  const [first, second] = reports as [ProbeReport, ProbeReport];
  expect(second.timeUs - first.timeUs).toBeGreaterThan(900_000);
  expect(second.eventLoop?.delay.maxUs).toBeGreaterThan(360_000);
  const [active, idle] = (['activeUs', 'idleUs'] as const).map((name) => (second.eventLoop?.[name] ?? 0) - (before.eventLoop?.[name] ?? 0));
  expect(active).toBeGreaterThan(390_000);
  expect(idle).toBeGreaterThan(500_000);
  expect(second.heap?.usedBytes).toBeGreaterThan(1_000_000);
  expect(second.gc?.count).toBeGreaterThan(0);
  expect(second.gc?.pauses).toMatchObject({ count: second.gc?.count, sumUs: second.gc?.pauseUs, maxUs: second.gc?.maxPauseUs });
  expect(second.gc?.full).toBeLessThanOrEqual(second.gc?.count ?? 0);
  expect(second.resources).toBeNull();
  expect(before.resources?.['TCPServerWrap']).toBe(1);
  await app.child.stop();
});

describe.each([20])('on Node %i', isNotNoticed);
describe.each([22, 24])('on Node %i', slowHalf, isNotNoticed);

function isNotNoticed(major: number): void {
  it('an app sees no difference in itself, and ends when it has nothing left to do', async ({ skip }) => {
    const node = await nodeOfMajor(major);
    if (node === null) {
      console.warn(`Node ${major} could not be had from npm: not tried on it.`);
      skip();
      return;
    }
    const run = async (env: Record<string, string>): Promise<{ seen: Record<string, unknown>; printed: string }> => {
      const argv = [node, path.join(apps.folder, 'intact.cjs')];
      const environment = childEnvironment({ DATABASE_URL: stack.databaseUrl, ...env });
      const child = await supervisor.start({ name: 'intact', kind: 'app', argv, cwd: apps.folder, env: environment });
      expect(await child.exited).toMatchObject({ code: 0, signal: null });
      return { seen: JSON.parse(child.log.text()) as Record<string, unknown>, printed: child.log.text() };
    };
    const { env, group } = withProbe({ argv: [], env: {} }, 'node', { server, assetsDir: repositoryDir });
    const attached = group?.attached(10_000);
    const [plain, probed] = [await run({}), await run(env)];
    expect(await attached).toMatchObject({ hello: { version: expect.stringMatching(`^v${major}\\.`) as string } });
    expect(probed.seen).toEqual(plain.seen);
    expect(plain.seen).toMatchObject({
      timeout: 'timeout exceeded when trying to connect',
      unhandled: 'timeout exceeded when trying to connect',
    });
    group?.close();
  });
}
