import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LiveSettings } from '../../src/engine/probe/liveSettings.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { LiveKnob, PoolReport, ThreadPoolReport } from '../../src/model/domain/probe.ts';
import { type Jdk, newerJdks, ownJdk } from '../fixtures/jvmProbe/jdks.ts';
import { type LibraryAge, type PoolCallers, buildPoolCallers, startPoolCallers } from '../fixtures/jvmProbe/poolCallers.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { loadProbe } from '../support/loadProbe.ts';
import { repositoryDir } from '../support/samples.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const changeTimeoutMs = 20_000;
const holdMs = 20;
const supervisor = new Supervisor();
let probe: ProbeListener;

beforeAll(() => {
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  buildPoolCallers('oldest');
  buildPoolCallers('newest');
}, 600_000);
beforeEach(async () => {
  probe = await ProbeListener.start();
});
afterEach(async () => {
  for (const child of supervisor.children) await child.stop();
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(() => supervisor.stopAll());

/** Those of which connections are counted. */
const kinds: readonly string[] = ['tomcat-jdbc', 'agroal', 'c3p0', 'druid', 'r2dbc'];

type Way = 'from the start' | 'attached while it runs';
/** Each age once, each way once; the newest with the newest JDK there is. */
const cases: readonly [LibraryAge, Way, Jdk][] = [
  ['oldest', 'from the start', ownJdk],
  ['newest', 'attached while it runs', newerJdks[0] ?? ownJdk],
];

/** Starts callers, with the probe from their start on or attached to them. */
async function call(
  library: string,
  age: LibraryAge,
  { way, jdk, ...load }: { way: Way; jdk: Jdk; size: number; callers: number; patienceMs?: number },
): Promise<PoolCallers> {
  const late = way === 'attached while it runs';
  const hasPool = kinds.includes(library);
  const started = await startPoolCallers(supervisor, {
    age,
    library,
    jdk,
    holdMs,
    ...load,
    env: late ? {} : probe.env,
    javaArguments: late ? [] : [`-javaagent:${jarFile}`],
  });
  if (late) {
    if (hasPool) await waitFor(() => started.connections().open === load.size, { what: 'the pool is older than the probe' });
    await loadProbe(started.child.pid, { jarFile, group: probe });
  }
  await probe.attached();
  return started;
}

/** The one pool that the callers have, as soon as it is seen. */
async function thePool(fits: (pool: PoolReport) => boolean = () => true): Promise<PoolReport> {
  return waitFor(
    async () => {
      const { pools } = await probe.get();
      expect(pools.length).toBeLessThanOrEqual(1);
      return pools[0] !== undefined && fits(pools[0]) ? pools[0] : null;
    },
    { timeoutMs: 20_000, what: 'the pool is as it is to be' },
  );
}

/** Means in ms of what came between two reports. */
function between(before: PoolReport, after: PoolReport): { waitMs: number; holdMs: number } {
  const mean = (of: 'acquire' | 'hold'): number => (after[of].sumUs - before[of].sumUs) / (after[of].count - before[of].count) / 1000;
  return { waitMs: mean('acquire'), holdMs: mean('hold') };
}

/** Four callers to a connection: all connections are busy, all others wait, three times as long as they will hold it. */
async function expectTimed(kind: PoolReport['kind'], size: number, isFair = true): Promise<PoolReport> {
  await thePool(({ busy, pending }) => busy === size && pending === 3 * size);
  const before = await thePool();
  expect(before).toMatchObject({ kind, max: size, total: size, timeouts: 0 });
  const after = await thePool(({ hold }) => hold.count >= before.hold.count + 100);
  const means = between(before, after);
  expect(means.holdMs).toBeGreaterThanOrEqual(holdMs - 1);
  // About three, and a busy machine adds to both. Agroal lets a thread take back what it has just returned, before those that wait have woken up.
  expect(means.waitMs / means.holdMs).toBeGreaterThan(isFair ? 0.5 : 0);
  expect(means.waitMs / means.holdMs).toBeLessThan(5);
  return after;
}

const resized: readonly PoolReport['kind'][] = ['tomcat-jdbc', 'agroal', 'c3p0', 'druid'];

describe.each(resized)('the pool of %s', (kind) => {
  it.each(cases)('%s, %s: is seen, timed, and resized under load without a failed call', async (age, way, jdk) => {
    const callers = await call(kind, age, { way, jdk, size: 8, callers: 32 });
    const { id } = await expectTimed(kind, 8, kind !== 'agroal');
    for (const max of [3, 8, 1, 5]) {
      expect(await probe.set('pool', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max, message: null });
      // Not only says so: it uses as many, and no more are open.
      await thePool(({ busy }) => busy === max);
      for (let look = 0; look < 20; look += 1) {
        const now = await thePool();
        expect(now).toMatchObject({ max, resizable: true });
        expect(now.total).toBeLessThanOrEqual(max);
      }
      await waitFor(() => callers.connections().open === max, { what: `${max} connections are open` });
    }
    // Those that were closed were too many; none was closed to be opened again.
    expect(callers.connections().opened).toBe(8 + (8 - 3) + (5 - 1));
    expect(callers.failed()).toEqual([]);
  });

  it('counts callers that give up', async () => {
    const callers = await call(kind, 'newest', { way: 'from the start', jdk: ownJdk, size: 2, callers: 16, patienceMs: 30 });
    await waitFor(() => callers.failed().length >= 3, { what: 'three callers gave up' });
    const { timeouts } = await thePool();
    expect(timeouts).toBeGreaterThanOrEqual(3);
    // Each of the 16 may have one on its way to us; on a busy machine all of them are reported late.
    await waitFor(() => timeouts <= callers.failed().length + 16, { what: 'as many callers have told that they gave up' });
  });
});

describe('the pool of R2DBC', () => {
  it.each(cases)('%s, %s: is seen, timed from the subscription on, and refused to be resized with the reason', async (age, way, jdk) => {
    const callers = await call('r2dbc', age, { way, jdk, size: 8, callers: 32 });
    const { id } = await expectTimed('r2dbc', 8);
    expect(await thePool()).toMatchObject({ resizable: false, idle: 0, note: expect.stringContaining('when it is made') as string });
    expect(await probe.set('pool', id, 3)).toMatchObject({
      ok: false,
      max: 8,
      message: expect.stringContaining('when it is made') as string,
    });
    expect(callers.connections()).toEqual({ open: 8, opened: 8 });
    expect(callers.failed()).toEqual([]);
  });

  it('counts callers that give up', async () => {
    const callers = await call('r2dbc', 'newest', { way: 'from the start', jdk: ownJdk, size: 2, callers: 16, patienceMs: 30 });
    await waitFor(() => callers.failed().length >= 3, { what: 'three callers gave up' });
    expect((await thePool()).timeouts).toBeGreaterThanOrEqual(3);
  });
});

describe('threads', () => {
  /** Those of one kind, as soon as they are seen. */
  async function theThreads(
    kind: ThreadPoolReport['kind'],
    fits: (threads: ThreadPoolReport) => boolean = () => true,
  ): Promise<ThreadPoolReport> {
    return waitFor(async () => (await probe.get()).threadPools.find((one) => one.kind === kind && fits(one)) ?? null, {
      timeoutMs: 20_000,
      what: `threads of ${kind} are as they are to be`,
    });
  }

  it.each(cases)('of Undertow, %s, %s: their work is counted, and their number changed under load', async (age, way, jdk) => {
    const callers = await call('undertow', age, { way, jdk, size: 8, callers: 24 });
    const { id } = await theThreads('undertow', ({ busy, queue }) => busy === 8 && queue > 8);
    // While all have work, the newest lets none go, which is said.
    const fewer = await probe.set('threads', id, 3, 1_000);
    if (!fewer.ok) expect(fewer.message).toMatch(/threads could still work when the time was over/);
    expect(fewer.ok || age === 'newest').toBe(true);
    for (const max of [10, 12]) {
      expect(await probe.set('threads', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max, effective: max, message: null });
      await waitFor(() => callers.most() === max, { what: `${max} requests are at work at once` });
      expect(await probe.threads(id)).toMatchObject({ max, effectiveMax: max, resizable: true });
      await theThreads('undertow', ({ threads, busy }) => threads === max && busy === max);
    }
    expect(callers.failed()).toEqual([]);
  });

  /** Native for Linux on this processor: in the newest only, since the oldest does not run on Java 17 alone. */
  const native = cases.map(([, way, jdk]) => ['netty-epoll', 'newest', way, jdk] as const);
  const isThere = process.platform === 'linux' && process.arch === 'x64';
  it.each([...cases.map((one) => ['netty', ...one] as const), ...(isThere ? native : [])])(
    'of %s, %s, %s: event loops are counted with the share of time that they work, and not resized',
    async (transport, age, way, jdk) => {
      await call(transport, age, { way, jdk, size: 2, callers: 1 });
      const { id } = await theThreads('netty', ({ threads, busy }) => threads === 2 && busy > 0.4 && busy < 0.8);
      const refused = await probe.set('threads', id, 4);
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('as many as it was made with') as string });
    },
  );

  it.runIf(newerJdks.some(({ major }) => major >= 24))(
    'that carry virtual threads: as many tasks compute at once as there are, and their number is changed',
    async () => {
      const [jdk = ownJdk] = newerJdks;
      const callers = await call('virtual', 'newest', { way: 'from the start', jdk, size: 1, callers: 8 });
      const { id, max: own } = await theThreads('carriers');
      expect(own).toBe(availableParallelism());
      const more = availableParallelism() + 2;
      expect(await probe.set('threads', id, more, changeTimeoutMs)).toMatchObject({ ok: true, max: more, effective: more });
      await waitFor(() => callers.most() === more, { timeoutMs: 20_000, what: `${more} tasks compute at once` });
      // As long as there is something to do, the JDK lets none go, which is said.
      const fewer = await probe.set('threads', id, 1, 500);
      if (!fewer.ok) expect(fewer.message).toMatch(/carriers still worked when the time was over/);
    },
  );
});

describe('a setting that a tuning moves, and the slider of a live session', () => {
  const reasons: readonly [library: string, live: LiveKnob, problem: string | null, words?: string[]][] = [
    ['tomcat-jdbc', 'pool', null],
    ['agroal', 'pool', null],
    ['c3p0', 'pool', null],
    ['undertow', 'threads', null],
    ['r2dbc', 'pool', 'takes its size when it is made'],
    ['netty', 'threads', 'as many as it was made with'],
    ['virtual', 'threads', null, ['-Djdk.virtualThreadScheduler.parallelism={value}']],
  ];
  it.each(reasons.filter(([library]) => library !== 'virtual' || newerJdks.some(({ major }) => major >= 24)))(
    'is found behind %s',
    async (library, live, problem, words) => {
      const server = await ProbeServer.start();
      try {
        const group = server.expect();
        const jdk = library === 'virtual' ? (newerJdks[0] ?? ownJdk) : ownJdk;
        const size = library === 'virtual' ? availableParallelism() : 8;
        const javaArguments = [`-javaagent:${jarFile}`];
        await startPoolCallers(supervisor, { age: 'newest', library, size, callers: 16, holdMs, jdk, env: group.env, javaArguments });
        await group.attached(20_000);
        const spec = {
          kind: 'number' as const,
          live,
          min: 1,
          max: 64,
          default: size,
          ...(words === undefined ? { env: 'SIZE' } : { arguments: words }),
        };
        const found = await waitFor(
          async () => {
            const settings = await LiveSettings.find({ probe: group }, { size: spec }, { size }, { code: 'probe-silent' });
            return ['none-seen', 'probe-silent'].includes(settings.problem('size')?.code ?? '') ? null : settings;
          },
          { timeoutMs: 20_000, what: 'the probe sees it' },
        );
        if (problem !== null)
          return expect(found.problem('size')).toEqual({ code: 'refused', message: expect.stringContaining(problem) as string });
        expect(found.problem('size')).toBeNull();
        expect(await found.apply('size', library === 'undertow' ? 12 : 3)).toMatchObject({ ok: true, message: null });
        expect(await found.deviation('size')).toBeNull();
      } finally {
        await server.close();
      }
    },
  );
});
