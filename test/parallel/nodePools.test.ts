import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { durationsBetween } from '../../src/engine/statistics/durations.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { MysqlServer } from '../support/mysqlServer.ts';
import { type ProbedApp, Callers, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { SampleStack } from '../support/samples.ts';
import { slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const stack = new SampleStack();
const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;
let mysql: MysqlServer;
/** Another service, which answers after as many ms as its path says. */
const upstream = createServer((request, response) => {
  setTimeout(() => response.end('1'), Number(new URL(request.url ?? '/', 'http://upstream').searchParams.get('ms')) + 1);
});

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  await stack.start();
  mysql = await MysqlServer.start(apps.folder);
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  await mysql.stop();
  upstream.close();
  await server.close();
  apps.remove();
}, 30_000);

/** An app of the fixtures, which uses a package by a name of its own for each version, as it is or bundled and minified. */
interface Tried {
  file: string;
  kind: PoolReport['kind'];
  of: string;
  bundled: boolean;
  /** Ways in which one call takes one connection once. */
  ways: readonly string[];
  name: RegExp;
  /** How many connections there are, as the other end has it. */
  open: (started: Started) => Promise<number>;
}
interface Started {
  app: ProbedApp;
  probe: ProbeSession;
  name: string;
}

let starts = 0;
async function start(
  { file, of, bundled }: Pick<Tried, 'file' | 'of' | 'bundled'>,
  size: number,
  further: Record<string, string> = {},
): Promise<Started> {
  const name = `pools-${(starts += 1)}`;
  let script = path.join(apps.folder, file);
  if (bundled) {
    const outfile = script.replace('.mjs', `-${starts}-bundle.mjs`);
    await build({
      entryPoints: [script],
      outfile,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      // For packages that are CommonJS.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
    script = outfile;
  }
  const url = new URL(stack.databaseUrl);
  url.searchParams.set('application_name', name);
  const env = {
    DATABASE_URL: url.href,
    MYSQL_PORT: String(mysql.port),
    UPSTREAM: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    DB_POOL_SIZE: String(size),
    ...(bundled ? {} : { PACKAGE: of }),
    ...further,
  };
  const app = await startProbedApp(supervisor, server, script, { env });
  return { app, probe: await probeOf(app.group, script), name };
}

async function onlyPool(probe: ProbeSession): Promise<PoolReport> {
  const { pools } = await probe.get();
  expect(pools).toHaveLength(1);
  return pools[0] as PoolReport;
}

function meanMs({ count, sumUs }: { count: number; sumUs: number }): number {
  return sumUs / count / 1000;
}

const postgresJs: Omit<Tried, 'of' | 'bundled'> = {
  file: 'postgresJsApp.mjs',
  kind: 'postgres.js',
  ways: ['query', 'transaction', 'unsafe'],
  name: /^\w+ at 127\.0\.0\.1:\d+$/,
  open: async ({ name }) => {
    const rows = await stack.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [name],
    );
    return rows[0]?.n ?? 0;
  },
};
const mysql2: Omit<Tried, 'of' | 'bundled'> = {
  file: 'mysqlApp.mjs',
  kind: 'mysql2',
  ways: ['query', 'transaction', 'callback'],
  name: /^shop at 127\.0\.0\.1:\d+$/,
  open: () => Promise.resolve(mysql.open),
};
const genericPool: Omit<Tried, 'of' | 'bundled'> = {
  file: 'genericPoolApp.mjs',
  kind: 'generic-pool',
  ways: ['acquire'],
  name: /^generic-pool$/,
  open: async ({ app }) => (JSON.parse(await app.ask('/open')) as { one: number }).one,
};
const undici: Omit<Tried, 'of' | 'bundled'> = {
  file: 'undiciApp.mjs',
  kind: 'undici',
  ways: ['request'],
  name: /^http:\/\/127\.0\.0\.1:\d+$/,
  open: () => new Promise((resolve) => upstream.getConnections((_error, count) => resolve(count))),
};
const all = [...postgresJs.ways, 'reserve', 'cursor'];
const newest: Tried[] = [{ ...postgresJs, of: 'postgres', bundled: true, ways: all }];
const further: Tried[] = [
  { ...postgresJs, of: 'postgres', bundled: false, ways: all },
  { ...postgresJs, of: 'postgres-oldest', bundled: false },
  { ...mysql2, of: 'mysql2', bundled: false },
  { ...mysql2, of: 'mysql2', bundled: true },
  { ...mysql2, of: 'mysql2-oldest', bundled: false },
  { ...genericPool, of: 'generic-pool', bundled: true },
  { ...genericPool, of: 'generic-pool-oldest', bundled: false },
  { ...undici, of: 'undici-newest', bundled: false },
  { ...undici, of: 'undici-oldest', bundled: false },
  { ...undici, of: 'undici', bundled: true },
];

describe.each(newest)('$of, bundled: $bundled', isUnderstood);
describe.each(further)('$of, bundled: $bundled', slowHalf, isUnderstood);

function isUnderstood(tried: Tried): void {
  it('shows its pool, times waits and holds, and is resized under load', async () => {
    const started = await start(tried, 2);
    const { app, probe } = started;
    const called = (ms: number): string[] => tried.ways.map((way) => `/${way}?ms=${ms}`);
    // A pool may show itself with the first connection that it opens.
    await Promise.all([1, 2].map(() => app.ask(called(20)[0])));
    const before = await onlyPool(probe);
    expect(before).toMatchObject({ kind: tried.kind, max: 2, total: 2, idle: 2, busy: 0, pending: 0, resizable: true, note: null });
    expect(before.name).toMatch(tried.name);
    const callers = new Callers(app.port, called(10), 6);
    await waitFor(async () => (await onlyPool(probe)).busy === 2);
    await callers.until(24);
    await callers.stop();
    const after = await waitFor(async () => {
      const pool = await onlyPool(probe);
      return pool.busy === 0 ? pool : null;
    });
    expect([...callers.statuses.keys()]).toEqual([200]);
    const [acquire, hold] = [durationsBetween(before.acquire, after.acquire), durationsBetween(before.hold, after.hold)];
    expect([acquire.count, hold.count]).toEqual([callers.answered, callers.answered]);
    // Six callers at two connections, each for 10 ms and a bit, wait for two turns of others.
    expect(meanMs(hold)).toBeGreaterThan(9.5);
    expect(meanMs(acquire)).toBeGreaterThan(0.5 * meanMs(hold));
    expect(meanMs(acquire)).toBeLessThan(10 * meanMs(hold));
    expect(after).toMatchObject({ total: 2, idle: 2, pending: 0 });

    const busy = new Callers(app.port, called(4), 16);
    for (const max of [6, 1, 4]) {
      const applied = await probe.set({ what: 'pool', poolId: after.id, max, timeoutMs: 5_000 });
      expect(applied).toMatchObject({ ok: true, max, message: null });
      expect(applied.effective).toBeLessThanOrEqual(max);
      await busy.until(16);
      const both = async (): Promise<number[]> => [(await onlyPool(probe)).total, await tried.open(started)];
      await waitFor(async () => (await both()).every((count) => count === max), { what: `${max} connections` });
    }
    await busy.stop();
    expect([...busy.statuses.keys()]).toEqual([200]);
    // Nobody asks any more: what is idle is closed.
    expect(await probe.set({ what: 'pool', poolId: after.id, max: 1, timeoutMs: 2_000 })).toMatchObject({ ok: true, effective: 1 });
    await waitFor(async () => (await tried.open(started)) === 1);
    await app.child.stop();
  });
}

it('postgres.js before 3.1 shows its pool and its times, and is said why it cannot be resized', slowHalf, async () => {
  const { app, probe } = await start({ ...postgresJs, of: 'postgres-3.0', bundled: false }, 2);
  await Promise.all([1, 2, 3, 4].map(() => app.ask('/query?ms=20')));
  const pool = await onlyPool(probe);
  expect(pool).toMatchObject({ max: 2, total: 2, idle: 2, resizable: false, note: expect.stringContaining('3.1') as string });
  expect(pool.hold.count).toBeGreaterThanOrEqual(2);
  const refused = await probe.set({ what: 'pool', poolId: pool.id, max: 4, timeoutMs: 500 });
  expect(refused).toMatchObject({ ok: false, message: pool.note });
  await app.child.stop();
});

it('generic-pool: what is destroyed is given back, too, and who gives up is counted', slowHalf, async () => {
  const tried = { ...genericPool, of: 'generic-pool', bundled: false };
  const { app, probe } = await start(tried, 1, { DB_POOL_TIMEOUT_MS: '200' });
  const holder = app.ask('/destroy?ms=1000');
  await waitFor(async () => (await onlyPool(probe)).busy === 1);
  expect(await Promise.all([1, 2].map(() => app.ask('/acquire')))).toEqual(Array(2).fill('ResourceRequest timed out'));
  await holder;
  const pool = await onlyPool(probe);
  expect(pool).toMatchObject({ timeouts: 2, busy: 0, acquire: { count: 1 }, hold: { count: 1 } });
  expect(pool.hold.sumUs).toBeGreaterThan(950_000);
  await app.child.stop();
});
