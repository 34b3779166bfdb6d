import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { type Jdk, newerJdks, ownJdk } from '../fixtures/jvmProbe/jdks.ts';
import { type LibraryAge, buildPoolCallers, startLeavingServer } from '../fixtures/jvmProbe/poolCallers.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { buildSpringBootApp, startSpringBootApp } from '../fixtures/jvmProbe/springBootApp.ts';
import { Callers } from '../support/probeApps.ts';
import { type SampleApp, SampleStack, repositoryDir, requireSamples } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const javaArguments = [`-javaagent:${jarFile}`];
const size = 4;
/** Longer than any of these tests looks at a pool that is stuck. */
const patienceMs = 60_000;
const stack = new SampleStack();
const supervisor = new Supervisor();
let probe: ProbeListener;
let callers: Callers | null = null;
let lab: SampleApp | null = null;

beforeAll(async () => {
  requireSamples();
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  buildSpringBootApp();
  await stack.start();
}, 600_000);
beforeEach(async () => {
  probe = await ProbeListener.start();
});
afterEach(async () => {
  // First the app: who waits for it would wait for its pool.
  for (const child of supervisor.children) await child.stop(0);
  await lab?.stop();
  lab = null;
  await callers?.stop();
  callers = null;
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
}, 30_000);

/** The pool, when it is as it is wanted. */
async function until(is: (pool: PoolReport) => boolean): Promise<PoolReport> {
  let seen: PoolReport | undefined;
  return waitFor(
    async () => {
      const { pools, notes } = await probe.get();
      expect(notes.filter((note) => /looked into|no method|no longer timed/.test(note))).toEqual([]);
      [seen] = pools;
      return seen !== undefined && is(seen) ? seen : null;
    },
    { timeoutMs: 20_000, what: 'the pool as it is wanted' },
  ).catch((error: unknown) => {
    throw new Error(`The pool is ${JSON.stringify({ ...seen, acquire: null, hold: null })}`, { cause: error });
  });
}

const isStuck = ({ busy, pending }: PoolReport): boolean => busy === size && pending > 0;

/** The pool, when it has been stuck for longer than a connection may come back after the answer. */
async function stuckForLong(): Promise<PoolReport> {
  await until(isStuck);
  const stuckMs = performance.now();
  return until((pool) => isStuck(pool) && performance.now() > stuckMs + 1_000);
}

function call(port: number, paths: readonly string[], count: number): void {
  callers = new Callers(port, paths, count);
}

const seldom = (path: string, among: string): string[] => [...Array.from({ length: 12 }, () => among), path];

describe.each(['hikari'] as const)('connections of %s that requests to Tomcat take', { timeout: 120_000 }, isQuoted);
describe.each(['dbcp2'] as const)('connections of %s that requests to Tomcat take', { timeout: 120_000, ...slowHalf }, isQuoted);

function isQuoted(dataSource: 'hikari' | 'dbcp2'): void {
  async function start(jdk: Jdk = ownJdk, env: Record<string, string> = {}): Promise<number> {
    const started = await startSpringBootApp(supervisor, {
      jdk,
      databaseUrl: stack.databaseUrl,
      dataSource,
      env: {
        SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE: String(size),
        SPRING_DATASOURCE_HIKARI_CONNECTIONTIMEOUT: String(patienceMs),
        SPRING_DATASOURCE_DBCP2_MAXTOTAL: String(size),
        SPRING_DATASOURCE_DBCP2_MAXWAIT: `PT${patienceMs / 1000}S`,
        ...probe.env,
        ...env,
      },
      javaArguments,
    });
    await probe.attached();
    return started.port;
  }

  it('and leave behind on an early return are known, with the line that took them', longTest, () => leavesBehind('return'));
  it('and leave behind on an early error are known, with the line that took them', slowHalf, () => leavesBehind('error'));

  async function leavesBehind(by: 'return' | 'error'): Promise<void> {
    call(await start(), seldom(`/leave?by=${by}`, '/proper'), 6);
    const { outlived } = await until((pool) => isStuck(pool) && pool.outlived?.held === size);
    expect(outlived).toMatchObject({ held: size, cameBack: 0 });
    const places = outlived?.places ?? [];
    expect(places.length).toBeGreaterThan(0);
    for (const { at } of places) expect(at).toMatch(/^fixture\.HeldConnections\.leave \(HeldConnections\.java:\d+\)$/);
  }

  it('and all leave behind at once are known, though those who wait have asked before', slowHalf, async () => {
    call(await start(), ['/leave'], 4 * size);
    expect((await until((pool) => isStuck(pool) && pool.outlived?.held === size)).outlived).toMatchObject({ held: size, cameBack: 0 });
  });

  it('and hold while they wait for a second one are none of them', slowHalf, async () => {
    call(await start(), ['/nested'], 4 * size);
    expect((await stuckForLong()).outlived).toMatchObject({ held: 0, cameBack: 0 });
  });

  it('and give back behind the answer are counted as such', slowHalf, async () => {
    const port = await start();
    call(port, ['/proper'], 1);
    await callers?.until(5);
    expect(await (await fetch(`http://127.0.0.1:${port}/behind`)).text()).toBe('answered');
    await until(({ outlived }) => outlived?.held === 1);
    await until(({ outlived }) => outlived?.held === 0 && outlived.cameBack === 1);
  });

  it('and other threads hold for them, while nobody answers, are known by the oldest of them', slowHalf, async () => {
    const port = await start();
    call(port, ['/later/nested'], 4 * size);
    expect((await stuckForLong()).outlived).toMatchObject({ held: 0, cameBack: 0 });
  });

  it('and other threads leave behind are known', slowHalf, async () => {
    call(await start(), seldom('/later/leave', '/later/proper'), 6);
    // The last of them may have been taken when one that waits now had begun already.
    await until((pool) => isStuck(pool) && (pool.outlived?.held ?? 0) >= size / 2);
  });

  it.runIf(newerJdks.length > 0)('are known on virtual threads, too', slowHalf, async () => {
    const [jdk = ownJdk] = newerJdks;
    const port = await start(jdk, { SPRING_THREADS_VIRTUAL_ENABLED: 'true' });
    call(port, seldom('/leave', '/proper'), 6);
    await until((pool) => isStuck(pool) && pool.outlived?.held === size);
  });
}

describe('connections that requests to the lab take, which is served by Jetty', { timeout: 120_000, ...longTest }, () => {
  async function start(): Promise<number> {
    lab = await stack.app('lab-java', {
      DB_POOL_SIZE: String(size),
      DB_POOL_TIMEOUT_MS: String(patienceMs),
      JAVA_TOOL_OPTIONS: `-javaagent:${jarFile}`,
      ...probe.env,
    });
    await probe.attached();
    return lab.port;
  }

  it('and leave behind are known, with the line that took them', async () => {
    call(await start(), ['/leave?every=12&way=error'], 6);
    const { outlived } = await until((pool) => isStuck(pool) && pool.outlived?.held === size);
    for (const { at } of outlived?.places ?? [])
      expect(at).toMatch(
        /^bulletin\.database\.HikariConnections\.borrow \(.+\), called by bulletin\.limits\.LeftConnections\.leave \(LeftConnections\.java:\d+\)/,
      );
    expect(outlived?.places?.length).toBeGreaterThan(0);
  });

  it('and hold while they wait for a second one are none of them', async () => {
    call(await start(), ['/nested?id=1'], 4 * size);
    expect((await stuckForLong()).outlived).toMatchObject({ held: 0, cameBack: 0 });
  });
});

const servers: readonly [server: string, library: string, age: LibraryAge][] = [
  ['jdk', 'tomcat-jdbc', 'newest'],
  ['jetty', 'agroal', 'newest'],
  ['undertow', 'c3p0', 'newest'],
  ['undertow', 'hikari', 'oldest'],
  ['jdk', 'agroal', 'oldest'],
];

describe('connections that requests to further servers take', { timeout: 120_000, ...slowHalf }, () => {
  beforeAll(() => {
    buildPoolCallers('oldest');
    buildPoolCallers('newest');
  }, 600_000);

  it.each(servers)('%s, of a pool of %s, the %s: what is left behind is known', async (server, library, age) => {
    const { port } = await startLeavingServer(supervisor, { age, server, library, size, env: probe.env, javaArguments });
    await probe.attached();
    call(port, seldom('/leave', '/proper'), 6);
    const { outlived } = await until((pool) => isStuck(pool) && pool.outlived?.held === size);
    for (const { at } of outlived?.places ?? []) expect(at).toMatch(/^fixture\.LeavingServer\.answer /);
    expect(outlived?.places?.length).toBeGreaterThan(0);
  });

  it.each(servers)('%s, of a pool of %s, the %s: what waits for a second one is not', async (server, library, age) => {
    const { port } = await startLeavingServer(supervisor, { age, server, library, size, env: probe.env, javaArguments });
    await probe.attached();
    call(port, ['/nested'], 4 * size);
    expect((await stuckForLong()).outlived).toMatchObject({ held: 0, cameBack: 0 });
  });
});
