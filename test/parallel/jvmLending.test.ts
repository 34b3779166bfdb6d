import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { durationsBetween } from '../../src/engine/statistics/durations.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { ClosedLoop } from '../fixtures/jvmProbe/closedLoop.ts';
import { type Jdk, newerJdks, ownJdk, pathOf } from '../fixtures/jvmProbe/jdks.ts';
import { type LibraryAge, buildPoolCallers, startPoolCallers } from '../fixtures/jvmProbe/poolCallers.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { loadProbe } from '../support/loadProbe.ts';
import { ownSessions, SampleStack, repositoryDir, requireSamples } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const size = 8;
/** Long, so that a busy machine keeps callers from asking for a small part of the time only. */
const holdMs = 50;
const callerCount = 16;
const changeTimeoutMs = 40_000;
const stack = new SampleStack();
const supervisor = new Supervisor();
let probe: ProbeListener;
let running: Running | null = null;

beforeAll(async () => {
  requireSamples();
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  await stack.start();
});
beforeEach(async () => {
  probe = await ProbeListener.start();
});
afterEach(async () => {
  await running?.stop();
  running = null;
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(async () => {
  await supervisor.stopAll();
  await stack.stop();
});

/** Callers of a pool who never pause. */
interface Running {
  pid: number;
  /** Which connections are open, or how many are and were ever opened, as the other end has it. */
  connections(): Promise<unknown>;
  failed(): string[];
  stop(): Promise<void>;
}

/** The sample, whose connections lead to PostgreSQL. */
async function sample(jdk: Jdk, environment: Record<string, string>): Promise<Running> {
  const app = await stack.app('lab-java', {
    PATH: pathOf(jdk),
    DB_POOL_SIZE: String(size),
    DB_POOL_TIMEOUT_MS: '30000',
    JAVA_TOOL_OPTIONS: `-javaagent:${jarFile}`,
    ...environment,
    ...probe.env,
  });
  const loop = new ClosedLoop(app.port, `/wait?ms=${holdMs}`, callerCount);
  return {
    pid: app.child.pid,
    connections: () => stack.query(`SELECT pid FROM pg_stat_activity WHERE ${ownSessions} ORDER BY pid`),
    failed: () => loop.failed,
    stop: async () => {
      await loop.stop();
      await app.stop();
    },
  };
}

/** Callers on threads of their own, whose connections lead nowhere. */
async function callers(library: string, age: LibraryAge, { patienceMs = 30_000, late = false } = {}): Promise<Running> {
  buildPoolCallers(age);
  const load = { age, library, size, callers: callerCount, holdMs, patienceMs };
  const started = await startPoolCallers(
    supervisor,
    late ? { ...load, env: {}, javaArguments: [] } : { ...load, env: probe.env, javaArguments: [`-javaagent:${jarFile}`] },
  );
  return {
    pid: started.child.pid,
    // It reports them a moment later.
    connections: () => waitFor(() => (started.connections().open === size ? started.connections() : null)),
    failed: started.failed,
    stop: async () => {
      await started.child.stop();
    },
  };
}

/** The pool, when all its connections are lent and all other callers wait. */
async function fullPool(): Promise<PoolReport> {
  await probe.attached();
  return waitFor(
    async () => {
      const [pool] = (await probe.get()).pools;
      return pool?.busy === size && pool.pending === callerCount - size ? pool : null;
    },
    { timeoutMs: 20_000, what: 'the pool is full' },
  );
}

async function lend(id: string, limit: number | null): Promise<void> {
  const applied = await probe.lend(id, limit);
  expect(applied).toMatchObject({ ok: true, max: size, effective: size, message: null });
  expect(applied.tookMs).toBeLessThan(100);
}

/** Looks for a second at what a pool does: connections in use and callers waiting, by Little’s law. */
async function expectUsed(id: string, most: number, isFair = true): Promise<void> {
  // Who waited in the pool itself when the limit was set still gets a connection, one after the other.
  const limited = await probe.pool(id);
  const isServed = ({ acquire }: PoolReport): boolean => durationsBetween(limited.acquire, acquire).count >= callerCount;
  await waitFor(
    async () => {
      const now = await probe.pool(id);
      return isServed(now) && now.busy <= most;
    },
    { what: `no more than ${most} are in use` },
  );
  const [before, startMs] = [await probe.pool(id), performance.now()];
  let mostBusy = 0;
  while (performance.now() - startMs < 1_000) mostBusy = Math.max(mostBusy, (await probe.pool(id)).busy);
  const [after, endMs] = [await probe.pool(id), performance.now()];
  const mean = (of: 'acquire' | 'hold'): number => durationsBetween(before[of], after[of]).sumUs / 1000 / (endMs - startMs);
  expect(mostBusy).toBe(most);
  expect(mean('hold')).toBeGreaterThan(0.7 * most);
  expect(mean('hold')).toBeLessThan(1.2 * most);
  if (isFair) expect(mean('acquire')).toBeGreaterThan(0.25 * (callerCount - most));
}

interface Tried {
  label: string;
  start: () => Promise<Running>;
  late?: boolean;
}
const [newer = ownJdk] = newerJdks;
const always: Tried[] = [{ label: 'Hikari', start: () => sample(ownJdk, {}) }];
const further: Tried[] = [
  { label: 'Hikari, on a newer JDK', start: () => sample(newer, {}) },
  { label: 'Hikari, asked by virtual threads', start: () => sample(newer, { HTTP_THREADS_KIND: 'virtual' }) },
  { label: 'dbcp2', start: () => sample(ownJdk, { DB_POOL_LIBRARY: 'dbcp2' }) },
  ...(['hikari', 'dbcp2', 'tomcat-jdbc'] as const).flatMap((library) => [
    { label: `${library}, the oldest`, start: () => callers(library, 'oldest') },
    { label: `${library}, the newest, attached`, start: () => callers(library, 'newest', { late: true }), late: true },
  ]),
];
describe.each(always)('the pool of $label', lendsFewer);
describe.each(further)('the pool of $label', slowHalf, lendsFewer);

function lendsFewer({ start, late = false }: Tried): void {
  it('lends as few as it is told, as if it had no more, and keeps them all', longTest, async () => {
    running = await start();
    if (late) await loadProbe(running.pid, { jarFile, group: probe });
    const { id, lendable, lendLimit } = await fullPool();
    expect({ lendable, lendLimit }).toEqual({ lendable: true, lendLimit: null });
    const opened = await running.connections();
    for (const limit of [4, 1, 2, size]) {
      await lend(id, limit);
      await expectUsed(id, limit);
      expect(await probe.pool(id)).toMatchObject({ max: size, total: size, lendLimit: limit });
    }
    for (let turns = 0; turns < 100; turns += 1) {
      await lend(id, [1, 3, size, 2, null][turns % 5] ?? null);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await lend(id, null);
    await waitFor(async () => (await probe.pool(id)).busy === size, { what: 'all are lent again' });
    expect(await probe.pool(id)).toMatchObject({ max: size, total: size, lendLimit: null });
    // None was closed, and none was opened.
    expect(await running.connections()).toEqual(opened);
    for (const max of [4, 1, 2]) {
      expect(await probe.set('pool', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max });
      // A caller may take again what he has just given back, before those who wait: at the gate everyone has his turn.
      await expectUsed(id, max, false);
    }
    expect(running.failed()).toEqual([]);
    expect(await probe.pool(id)).toMatchObject({ timeouts: 0 });
    expect((await probe.get()).notes).toEqual([]);
  });
}

it.each([
  ['hikari', /SQLTransientConnectionException: orders - Connection is not available, request timed out after \d+ms/],
  ['dbcp2', /SQLException: Cannot get a connection, pool error Timeout waiting for idle object/],
  ['tomcat-jdbc', /PoolExhaustedException: Timeout: Pool empty/],
] as const)(
  'who waits too long for %s while it lends fewer is told so as by the pool, and when the engine has gone all are lent',
  slowHalf,
  async (library, said) => {
    running = await callers(library, 'newest', { patienceMs: 500 });
    const { id, timeouts } = await fullPool();
    // One connection serves ten in that time; the sixteen need longer.
    await lend(id, 1);
    const told = running.failed().length;
    await waitFor(() => (running?.failed().length ?? 0) >= told + 3, { what: 'three callers gave up' });
    for (const line of running.failed()) expect(line).toMatch(said);
    expect((await probe.pool(id)).timeouts).toBeGreaterThanOrEqual(timeouts + 3);
    expect(await probe.pool(id)).toMatchObject({ total: size, busy: 1 });
    probe.hangUp();
    const next = await ProbeListener.start();
    try {
      await loadProbe(running.pid, { jarFile, group: next });
      await next.attached();
      const pool = await waitFor(async () => {
        const now = await next.pool(id);
        return now.busy === size ? now : null;
      });
      expect(pool).toMatchObject({ total: size, lendLimit: null });
    } finally {
      await next.close();
    }
  },
);

it.each(['agroal', 'c3p0'])('the pool of %s says that it cannot be told', slowHalf, async (library) => {
  running = await callers(library, 'newest');
  const { id } = await fullPool();
  expect(await probe.lend(id, 2)).toMatchObject({
    ok: false,
    max: size,
    message: 'This pool cannot be told how many of its connections to lend.',
  });
  expect(await probe.pool(id)).toMatchObject({ lendable: false, lendLimit: null });
  expect(await probe.lend('hikari:other', 2)).toMatchObject({ ok: false, message: 'This app has no pool “hikari:other” at present.' });
});
