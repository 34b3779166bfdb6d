import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { durationsBetween } from '../../src/engine/probe/durations.ts';
import type { PoolReport } from '../../src/model/probe.ts';
import { ClosedLoop } from '../fixtures/jvmProbe/closedLoop.ts';
import { newerJdks, ownJdk, pathOf } from '../fixtures/jvmProbe/jdks.ts';
import type { Jdk } from '../fixtures/jvmProbe/jdks.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { ownSessions, SampleStack, repositoryDir, requireSamples } from '../support/samples.ts';
import type { SampleApp } from '../support/samples.ts';
import { slowHalf } from '../support/slowHalf.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const size = 8;
const holdMs = 20;
const callerCount = 16;
const changeTimeoutMs = 40_000;
const stack = new SampleStack();
let probe: ProbeListener;
let app: SampleApp | null = null;
let loop: ClosedLoop | null = null;

beforeAll(async () => {
  requireSamples();
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  await stack.start();
});
beforeEach(async () => {
  probe = await ProbeListener.start();
});
afterEach(async () => {
  await loop?.stop();
  await app?.stop();
  [loop, app] = [null, null];
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(() => stack.stop());

/** Starts the sample with as many connections open as its pool has, and callers who never pause. */
async function call(jdk: Jdk, environment: Record<string, string>): Promise<PoolReport> {
  app = await stack.app('lab-java', {
    PATH: pathOf(jdk),
    DB_POOL_SIZE: String(size),
    DB_POOL_TIMEOUT_MS: '30000',
    JAVA_TOOL_OPTIONS: `-javaagent:${jarFile}`,
    ...environment,
    ...probe.env,
  });
  await probe.attached();
  loop = new ClosedLoop(app.port, `/wait?ms=${holdMs}`, callerCount);
  return waitFor(
    async () => {
      const [pool] = (await probe.get()).pools;
      return pool?.busy === size && pool.pending === callerCount - size ? pool : null;
    },
    { timeoutMs: 20_000, what: 'the pool is full' },
  );
}

/** Which connections the sample has, as the server has it. */
async function open(): Promise<number[]> {
  const rows = await stack.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE ${ownSessions} ORDER BY pid`);
  return rows.map(({ pid }) => pid);
}

async function lend(id: string, limit: number | null): Promise<void> {
  const applied = await probe.lend(id, limit);
  expect(applied).toMatchObject({ ok: true, max: size, effective: size, message: null });
  expect(applied.tookMs).toBeLessThan(100);
}

/** What a pool does: connections in use and callers waiting, by Little’s law, and the most that was seen in use. */
async function use(id: string): Promise<{ busy: number; pending: number; mostBusy: number }> {
  const [before, startMs] = [await probe.pool(id), performance.now()];
  let mostBusy = 0;
  while (performance.now() - startMs < 1_000) mostBusy = Math.max(mostBusy, (await probe.pool(id)).busy);
  const [after, endMs] = [await probe.pool(id), performance.now()];
  const mean = (of: 'acquire' | 'hold'): number => durationsBetween(before[of], after[of]).sumUs / 1000 / (endMs - startMs);
  return { busy: mean('hold'), pending: mean('acquire'), mostBusy };
}

async function expectUsed(id: string, most: number): Promise<void> {
  await waitFor(async () => (await probe.pool(id)).busy <= most, { what: `no more than ${most} are in use` });
  const used = await use(id);
  expect(used.mostBusy).toBe(most);
  expect(used.busy).toBeGreaterThan(0.75 * most);
  expect(used.busy).toBeLessThan(1.15 * most);
  expect(used.pending).toBeGreaterThan(0.6 * (callerCount - most));
}

interface Tried {
  label: string;
  jdk: Jdk;
  environment: Record<string, string>;
}
const [newer = ownJdk] = newerJdks;
const further: Tried[] = [
  { label: 'Hikari, on a newer JDK', jdk: newer, environment: {} },
  { label: 'Hikari, asked by virtual threads', jdk: newer, environment: { HTTP_THREADS_KIND: 'virtual' } },
  { label: 'dbcp2', jdk: ownJdk, environment: { DB_POOL_LIBRARY: 'dbcp2' } },
];
describe.each([{ label: 'Hikari', jdk: ownJdk, environment: {} }])('the pool of $label', lendsFewer);
describe.each(further)('the pool of $label', slowHalf, lendsFewer);

function lendsFewer({ jdk, environment }: Tried): void {
  it('lends as few as it is told, as if it had no more, and keeps them all', async () => {
    const { id } = await call(jdk, environment);
    expect(await probe.pool(id)).toMatchObject({ lendable: true, lendLimit: null });
    const opened = await open();
    expect(opened).toHaveLength(size);
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
    expect(await open()).toEqual(opened);
    for (const max of [4, 1, 2]) {
      expect(await probe.set('pool', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max });
      await expectUsed(id, max);
    }
    await loop?.stop();
    expect(loop?.failed).toEqual([]);
    const last = await waitFor(async () => {
      const pool = await probe.pool(id);
      return pool.busy === 0 ? pool : null;
    });
    expect(last).toMatchObject({ pending: 0, timeouts: 0 });
    expect(last.acquire.count).toBe(last.hold.count);
  });
}
