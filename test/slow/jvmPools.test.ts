import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { PoolReport } from '../../src/model/probe.ts';
import { newerJdks, ownJdk } from '../fixtures/jvmProbe/jdks.ts';
import type { Jdk } from '../fixtures/jvmProbe/jdks.ts';
import { buildPoolCallers, startPoolCallers } from '../fixtures/jvmProbe/poolCallers.ts';
import type { LibraryAge, PoolCallers } from '../fixtures/jvmProbe/poolCallers.ts';
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
    await waitFor(() => started.connections().open === load.size, { what: 'the pool is older than the probe' });
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
async function expectTimed(kind: PoolReport['kind'], size: number): Promise<PoolReport> {
  await thePool(({ busy, pending }) => busy === size && pending === 3 * size);
  const before = await thePool();
  expect(before).toMatchObject({ kind, max: size, total: size, timeouts: 0 });
  const after = await thePool(({ hold }) => hold.count >= before.hold.count + 100);
  const means = between(before, after);
  expect(means.holdMs).toBeGreaterThanOrEqual(holdMs - 1);
  // Three, less what a busy machine keeps the callers from asking.
  expect(means.waitMs / means.holdMs).toBeGreaterThan(1.5);
  expect(means.waitMs / means.holdMs).toBeLessThan(3.5);
  return after;
}

const resized: readonly PoolReport['kind'][] = ['tomcat-jdbc'];

describe.each(resized)('the pool of %s', (kind) => {
  it.each(cases)('%s, %s: is seen, timed, and resized under load without a failed call', async (age, way, jdk) => {
    const callers = await call(kind, age, { way, jdk, size: 8, callers: 32 });
    const { id } = await expectTimed(kind, 8);
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
    expect(timeouts).toBeLessThanOrEqual(callers.failed().length + 16);
  });
});
