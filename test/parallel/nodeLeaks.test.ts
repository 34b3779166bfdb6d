import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { type ProbedApp, Callers, copyProbeApps, probeOf, startProbedApp } from '../support/probeApps.ts';
import { SampleStack } from '../support/samples.ts';
import { slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const stack = new SampleStack();
const supervisor = new Supervisor();
const size = 4;
let server: ProbeServer;
let apps: Awaited<ReturnType<typeof copyProbeApps>>;

beforeAll(async () => {
  [apps, server] = [await copyProbeApps(), await ProbeServer.start()];
  await stack.start();
}, 120_000);

afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
  await server.close();
  apps.remove();
}, 30_000);

interface Started {
  app: ProbedApp;
  /** The pool, when it is as it is wanted. */
  until: (is: (pool: PoolReport) => boolean) => Promise<PoolReport>;
}

async function start(kind: string, timeoutMs: number): Promise<Started> {
  const env = { KIND: kind, DATABASE_URL: stack.databaseUrl, DB_POOL_SIZE: String(size), DB_POOL_TIMEOUT_MS: String(timeoutMs) };
  const app = await startProbedApp(supervisor, server, path.join(apps.folder, 'leakApp.mjs'), { env });
  const probe = await probeOf(app.group, 'leakApp.mjs');
  let seen: PoolReport | undefined;
  const until: Started['until'] = (is) =>
    waitFor(
      async () => {
        [seen] = (await probe.get()).pools;
        return seen !== undefined && is(seen) ? seen : null;
      },
      { timeoutMs: 15_000, what: 'the pool as it is wanted' },
    ).catch((error: unknown) => {
      throw new Error(`The pool is ${JSON.stringify({ ...seen, acquire: null, hold: null })}`, { cause: error });
    });
  return { app, until };
}

const isStuck = ({ busy, pending }: PoolReport): boolean => busy === size && pending > 0;

describe.each(['pg'])('connections of %s', isQuoted);
describe.each(['knex', 'generic-pool'])('connections of %s', slowHalf, isQuoted);

function isQuoted(kind: string): void {
  it.each([0, 1_500])('that requests left behind are known, with a time-out of %i ms', async (timeoutMs) => {
    const { app, until } = await start(kind, timeoutMs);
    const callers = new Callers(app.port, [...Array.from({ length: 12 }, () => '/proper'), '/leak'], 6);
    const dry = await until((pool) => isStuck(pool) && pool.outlived?.held === size);
    expect(dry.outlived).toMatchObject({ held: size, cameBack: 0 });
    for (const { at } of dry.outlived?.places ?? []) expect(at).toContain('/leak (leakApp.mjs:');
    expect(dry.outlived?.places?.length).toBeGreaterThan(0);
    await app.child.stop();
    await callers.stop();
  });

  it('that all requests left behind at once are known, though those who wait began before', async () => {
    const { app, until } = await start(kind, 0);
    const callers = new Callers(app.port, ['/leakLater'], 4 * size);
    const dry = await until((pool) => isStuck(pool) && pool.outlived?.held === size);
    expect(dry.outlived).toMatchObject({ held: size, cameBack: 0 });
    for (const { at } of dry.outlived?.places ?? []) expect(at).toContain('/leakLater (leakApp.mjs:');
    await app.child.stop();
    await callers.stop();
  });

  it.each([0, 1_500])('that requests under way hold are none of them, with a time-out of %i ms', async (timeoutMs) => {
    const { app, until } = await start(kind, timeoutMs);
    // All at once, so that nobody gets a second one.
    const callers = new Callers(app.port, ['/nested'], 4 * size);
    await until(isStuck);
    const stuckMs = performance.now();
    // Longer than a connection may come back after the answer, and not as long as the time-out.
    const later = await until((pool) => isStuck(pool) && performance.now() > stuckMs + 1_000);
    expect(later.outlived).toEqual({ held: 0, cameBack: 0 });
    await app.child.stop();
    await callers.stop();
  });
}

describe('connections of pg', () => {
  it('belong to requests that their clients have left, as long as these go on', async () => {
    const { app, until } = await start('pg', 0);
    const leaving = new AbortController();
    const left = Array.from({ length: 4 * size }, () =>
      fetch(`http://127.0.0.1:${app.port}/nested`, { signal: leaving.signal }).catch(() => null),
    );
    await until(isStuck);
    leaving.abort();
    await Promise.all(left);
    const leftMs = performance.now();
    const callers = new Callers(app.port, ['/proper'], 2);
    const later = await until((pool) => isStuck(pool) && performance.now() > leftMs + 1_000);
    expect(later.outlived).toEqual({ held: 0, cameBack: 0 });
    await app.child.stop();
    await callers.stop();
  });

  it('that come back after the answer are counted as such', async () => {
    const { app, until } = await start('pg', 0);
    await app.ask('/behind');
    await until(({ outlived }) => outlived?.held === 1);
    expect((await until(({ busy }) => busy === 0)).outlived).toEqual({ held: 0, cameBack: 1 });
    await app.child.stop();
  });
});
