import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { durationsBetween } from '../../src/engine/statistics/durations.ts';
import { LiveSettings } from '../../src/engine/probe/liveSettings.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import type { ProbeSession } from '../../src/engine/probe/probeSession.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { MysqlServer } from '../support/mysqlServer.ts';
import { type ProbedApp, Callers, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { SampleStack } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

/** Long, so that a busy machine keeps callers from asking for a small part of the time only. */
const holdMs = 50;
const size = 8;
const callerCount = 16;
const stack = new SampleStack();
const supervisor = new Supervisor();
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;
let mysql: MysqlServer;

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  await stack.start();
  mysql = await MysqlServer.start(apps.folder);
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  await mysql.stop();
  await server.close();
  apps.remove();
}, 30_000);

/** A pool of an app of the fixtures, and a route that holds one of its connections. */
interface Tried {
  kind: PoolReport['kind'];
  file: string;
  route: string;
  /** The package by a name of its own for each version, where there are several. */
  of?: string;
}

class Lent {
  private constructor(
    readonly app: ProbedApp,
    readonly probe: ProbeSession,
    readonly id: string,
    private readonly name: string,
    private readonly kind: PoolReport['kind'],
  ) {}

  /** With as many connections open as it has. */
  static async start({ kind, file, route, of }: Tried, further: Record<string, string> = {}): Promise<Lent> {
    const name = `lending-${kind}-${(starts += 1)}`;
    const url = new URL(stack.databaseUrl);
    url.searchParams.set('application_name', name);
    const packages = of === undefined ? {} : { PACKAGE: of };
    const env = { DATABASE_URL: url.href, MYSQL_PORT: String(mysql.port), DB_POOL_SIZE: String(size), ...packages, ...further };
    const script = path.join(apps.folder, file);
    const app = await startProbedApp(supervisor, server, script, { env });
    const probe = await probeOf(app.group, script);
    const pool = await waitFor(
      async () => {
        await app.ask(route);
        return (await probe.get()).pools.find((one) => one.kind === kind) ?? null;
      },
      { what: 'the pool is seen' },
    );
    const lent = new Lent(app, probe, pool.id, name, kind);
    await lent.resize(size);
    await waitFor(async () => {
      await Promise.all(Array.from({ length: size }, () => app.ask(`${route}?ms=200`)));
      return (await lent.pool()).total === size;
    });
    expect(await lent.pool()).toMatchObject({ max: size, lendable: true, lendLimit: null });
    return lent;
  }

  async pool(): Promise<PoolReport> {
    return (await this.probe.get()).pools.find(({ id }) => id === this.id) as PoolReport;
  }

  async resize(max: number): Promise<void> {
    expect(await this.probe.set({ what: 'pool', poolId: this.id, max, timeoutMs: 5_000 })).toMatchObject({ ok: true, max });
  }

  async lend(limit: number | null): Promise<void> {
    const applied = await this.probe.lend(this.id, limit);
    expect(applied).toMatchObject({ ok: true, max: size, effective: size, message: null });
    expect(applied.tookMs).toBeLessThan(100);
  }

  /** Which connections are open, as the other end has it. */
  async open(): Promise<number[]> {
    if (this.kind === 'mysql2') return [mysql.opened];
    if (this.kind === 'generic-pool') return [(JSON.parse(await this.app.ask('/opened')) as { one: number }).one];
    const rows = await stack.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() ORDER BY pid',
      [this.name],
    );
    return rows.map(({ pid }) => pid);
  }

  /**
   * What it does under callers who never pause: connections in use and callers waiting, by Little’s law, and the most that was seen. The callers live in this process:
   * `paused` is the share of the time in which it did not get to run, and nobody asked.
   */
  async use(): Promise<{ busy: number; pending: number; mostBusy: number; paused: number }> {
    const [before, startMs] = [await this.pool(), performance.now()];
    let [mostBusy, lastMs, pausedMs] = [0, startMs, 0];
    // Asked without a pause, the app would be busy with answering that.
    while (lastMs - startMs < 1_000) {
      mostBusy = Math.max(mostBusy, (await this.pool()).busy);
      await new Promise((resolve) => setTimeout(resolve, 10));
      const gapMs = performance.now() - lastMs;
      if (gapMs > holdMs) pausedMs += gapMs;
      lastMs += gapMs;
    }
    const [after, endMs] = [await this.pool(), performance.now()];
    const mean = (of: 'acquire' | 'hold'): number => durationsBetween(before[of], after[of]).sumUs / 1000 / (endMs - startMs);
    return { busy: mean('hold'), pending: mean('acquire'), mostBusy, paused: pausedMs / (endMs - startMs) };
  }
}
let starts = 0;

const pg: Tried = { kind: 'pg', file: 'expressApp.cjs', route: '/query' };
const always: Tried[] = [pg];
const further: Tried[] = [
  { kind: 'pg', file: 'fastifyApp.mjs', route: '/query' },
  { kind: 'tarn', file: 'otherPools.mjs', route: '/knex' },
  { kind: 'sequelize', file: 'otherPools.mjs', route: '/sequelize' },
  { kind: 'mysql2', file: 'mysqlApp.mjs', route: '/transaction', of: 'mysql2' },
  { kind: 'mysql2', file: 'mysqlApp.mjs', route: '/query', of: 'mysql2-oldest' },
  { kind: 'generic-pool', file: 'genericPoolApp.mjs', route: '/acquire', of: 'generic-pool' },
  { kind: 'generic-pool', file: 'genericPoolApp.mjs', route: '/acquire', of: 'generic-pool-oldest' },
];

describe.each(always)('$kind in $file, of $of', lendsFewer);
describe.each(further)('$kind in $file, of $of', slowHalf, lendsFewer);

function lendsFewer(tried: Tried): void {
  it('lends as few as it is told, as if it had no more, and keeps them all', longTest, async () => {
    const lent = await Lent.start(tried);
    const opened = await lent.open();
    const first = await lent.pool();
    const callers = new Callers(lent.app.port, [`${tried.route}?ms=${holdMs}`], callerCount);
    await callers.until(callerCount);
    /** Turns to a size by one way or the other. */
    const turnTo = async (limit: number, turn: () => Promise<void>): ReturnType<Lent['use']> => {
      await turn();
      await waitFor(async () => (await lent.pool()).busy <= limit, { what: `no more than ${limit} are in use` });
      const use = await lent.use();
      expect(use.mostBusy).toBe(limit);
      return use;
    };
    const expectUse = (use: Awaited<ReturnType<Lent['use']>>, limit: number): void => {
      // What ends in the window counts whole, as much as is left out at its end. On a busy machine the app is late to lend again.
      expect(use.busy).toBeGreaterThan(0.5 * limit * (1 - use.paused));
      expect(use.busy).toBeLessThan(1.2 * limit);
      // Of those who do not hold one, a busy machine keeps any number from asking, but not all of them all the time.
      expect(use.pending).toBeGreaterThan(0);
    };
    for (const limit of [4, 1, 2, size]) {
      const use = await turnTo(limit, () => lent.lend(limit));
      expectUse(use, limit);
      expect(await lent.pool()).toMatchObject({ max: size, total: size, lendLimit: limit });
    }
    // None was closed, and none was opened.
    expect(await lent.open()).toEqual(opened);

    for (let turns = 0; turns < 100; turns += 1) {
      await lent.lend([1, 3, size, 2, null][turns % 5] ?? null);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await lent.lend(null);
    await waitFor(async () => (await lent.pool()).busy === size, { what: 'all are lent again' });
    expect(await lent.pool()).toMatchObject({ max: size, total: size, lendLimit: null });
    expect(await lent.open()).toEqual(opened);

    for (const max of [4, 1, 2]) {
      const use = await turnTo(max, () => lent.resize(max));
      expectUse(use, max);
    }
    await callers.stop();
    expect([...callers.statuses.keys()]).toEqual([200]);
    const last = await waitFor(async () => {
      const pool = await lent.pool();
      return pool.busy === 0 ? pool : null;
    });
    expect(last.acquire.count - first.acquire.count).toBe(callers.answered);
    expect(last.hold.count - first.hold.count).toBe(callers.answered);
    await lent.app.child.stop();
  });

  it('serves who waits when it may lend more again, without anybody giving one back', async () => {
    const lent = await Lent.start(tried);
    await lent.lend(1);
    const asked = Array.from({ length: 6 }, () => lent.app.ask(`${tried.route}?ms=1000`));
    await waitFor(async () => (await lent.pool()).pending === 5);
    expect(await lent.pool()).toMatchObject({ busy: 1, idle: size - 1 });
    await lent.lend(4);
    await waitFor(async () => (await lent.pool()).busy === 4, { timeoutMs: 500 });
    await lent.lend(null);
    await waitFor(async () => (await lent.pool()).busy === 6, { timeoutMs: 500 });
    await Promise.all(asked);
    expect(await lent.pool()).toMatchObject({ busy: 0, pending: 0, total: size });
    await lent.app.child.stop();
  });
}

it('who gives up while fewer are lent is counted, and when the engine has gone all are lent', async () => {
  const lent = await Lent.start(pg, { DB_POOL_TIMEOUT_MS: '400' });
  await lent.lend(1);
  const holder = lent.app.ask('/transaction?ms=1200');
  await waitFor(async () => (await lent.pool()).busy === 1);
  const refused = await Promise.all(['/query', '/transaction', '/callback'].map((target) => lent.app.ask(target)));
  expect(refused.every((text) => text.includes('timeout exceeded'))).toBe(true);
  expect(await lent.pool()).toMatchObject({ timeouts: 3, pending: 0 });
  await holder;
  const held = lent.app.ask('/transaction?ms=900');
  await waitFor(async () => (await lent.pool()).busy === 1);
  const waits = lent.app.ask('/query');
  await waitFor(async () => (await lent.pool()).pending === 1);
  lent.probe.disconnect();
  expect(await waits).toBe('{"one":1}');
  await held;
  await lent.app.child.stop();
});

describe('a setting of a running app', () => {
  const spec = { kind: 'number' as const, live: 'pool' as const, env: 'DB_POOL_SIZE', min: 1, max: 64, default: size };

  it('is turned by lending up to its size, by a resize beyond it, and stands where it stood when lending is over', async () => {
    const lent = await Lent.start(pg);
    const settings = await LiveSettings.find({ probe: lent.app.group }, { size: spec }, { size }, { code: 'probe-silent' });
    const opened = await lent.open();
    expect(settings.canLend('size')).toBe(true);
    const held = Array.from({ length: 4 }, () => lent.app.ask('/query?ms=400'));
    await waitFor(async () => (await lent.pool()).busy === 4);
    expect(await settings.turn('size', 2)).toMatchObject({ ok: true, message: null });
    // Those who have more than that give them back.
    expect([settings.value('size'), await settings.deviation('size')]).toEqual([2, null]);
    await Promise.all(held);
    expect(await settings.deviation('size')).toBeNull();
    expect(await lent.pool()).toMatchObject({ max: size, total: size, lendLimit: 2 });
    expect(await settings.lend('size', size + 1)).toEqual({ code: 'too-few-to-lend', max: size });
    expect([settings.value('size'), (await lent.pool()).lendLimit]).toEqual([size, null]);

    expect(await settings.lend('size', 3)).toBeNull();
    await lent.probe.lend(lent.id, 5);
    expect(await settings.deviation('size')).toEqual({ code: 'limit-reset', limit: 5, wanted: 3 });
    expect(await settings.lend('size', 3)).toBeNull();
    expect(await settings.stopLending('size')).toBeNull();
    expect([settings.value('size'), await settings.deviation('size')]).toEqual([size, null]);
    expect(await lent.open()).toEqual(opened);

    expect(await settings.lend('size', 3)).toBeNull();
    expect(await settings.turn('size', size + 2)).toMatchObject({ ok: true });
    expect([settings.value('size'), await settings.deviation('size')]).toEqual([size + 2, null]);
    expect(await lent.pool()).toMatchObject({ max: size + 2, lendLimit: null });
    expect(await settings.lend('size', 3)).toBeNull();
    expect(await settings.apply('size', 4)).toMatchObject({ ok: true });
    expect([settings.value('size'), await settings.deviation('size')]).toEqual([4, null]);
    expect(await lent.pool()).toMatchObject({ max: 4, lendLimit: null });
    await waitFor(async () => (await lent.open()).length <= 4, { what: 'four are open' });
    expect(await settings.lend('none', 3)).toEqual({ code: 'not-a-setting' });
    await lent.app.child.stop();
  });

  it('is turned by a resize where the pool cannot be told how many to lend', async () => {
    const script = path.join(apps.folder, 'postgresJsApp.mjs');
    const env = { DATABASE_URL: stack.databaseUrl, DB_POOL_SIZE: String(size), PACKAGE: 'postgres' };
    const app = await startProbedApp(supervisor, server, script, { env });
    const probe = await probeOf(app.group, script);
    await app.ask('/query');
    const settings = await LiveSettings.find({ probe: app.group }, { size: spec }, { size }, { code: 'probe-silent' });
    expect(settings.canLend('size')).toBe(false);
    expect(await settings.lend('size', 3)).toEqual({ code: 'lends-all' });
    expect(await settings.turn('size', 3)).toMatchObject({ ok: true, message: null });
    const [pool] = (await probe.get()).pools;
    expect(pool).toMatchObject({ max: 3, lendable: false, lendLimit: null });
    expect(await probe.lend(pool?.id ?? '', 2)).toMatchObject({
      ok: false,
      message: 'This pool cannot be told how many of its connections to lend.',
    });
    expect([settings.value('size'), await settings.deviation('size')]).toEqual([3, null]);
    await app.child.stop();
  });
});
