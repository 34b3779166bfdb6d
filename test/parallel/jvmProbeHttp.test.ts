import { existsSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadProbe } from '../support/loadProbe.ts';
import { machineMs } from '../../src/engine/load/machineClock.ts';
import { AttachSocket } from '../../src/engine/record/jvm/attachSocket.ts';
import { inspectJvm } from '../../src/engine/record/jvm/jvmProcess.ts';
import { threadDumps } from '../../src/engine/record/jvm/threadDump.ts';
import { summarizeThreadDump } from '../../src/engine/record/jvm/threadDumpSummary.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { PoolReport } from '../../src/model/domain/probe.ts';
import { type HttpClientKind, buildHttpCallers, startHttpCallers } from '../fixtures/jvmProbe/httpCallers.ts';
import { ProbeListener } from '../fixtures/jvmProbe/probeListener.ts';
import { repositoryDir } from '../support/samples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const jarFile = join(repositoryDir, 'dist/jvmProbe.jar');
const id = 'http-client';
const changeTimeoutMs = 20_000;
const delayMs = 20;

/** A service that takes its time, and counts what is asked of it. */
const service = { address: '', answered: 0, open: 0, server: null as Server | null };
const supervisor = new Supervisor();
let probe: ProbeListener;

beforeAll(async () => {
  if (!existsSync(jarFile)) throw new Error('The probe for the JVM is not built: run “node scripts/buildJvmProbe.mjs”.');
  buildHttpCallers();
  const server = createServer((_, response) => {
    setTimeout(() => {
      service.answered += 1;
      response.end('answer');
    }, delayMs);
  });
  server.on('connection', (socket) => {
    service.open += 1;
    socket.on('close', () => (service.open -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.server = server;
  service.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 300_000);
beforeEach(async () => {
  probe = await ProbeListener.start();
});
afterEach(async () => {
  for (const child of supervisor.children) await child.stop();
  await probe.close();
  expect(probe.broken).toEqual([]);
});
afterAll(async () => {
  await supervisor.stopAll();
  service.server?.closeAllConnections();
  service.server?.close();
});

async function untilAnswered(more: number): Promise<void> {
  const wanted = service.answered + more;
  await waitFor(() => service.answered >= wanted, { timeoutMs: 20_000, what: `${more} more answers` });
}

async function start(client: HttpClientKind, more: { size: number; callers: number; patienceMs?: number }): Promise<() => string[]> {
  const child = await startHttpCallers(supervisor, {
    client,
    address: service.address,
    ...more,
    env: probe.env,
    javaArguments: [`-javaagent:${jarFile}`],
  });
  await probe.attached();
  await untilAnswered(20);
  return () =>
    child.log
      .text()
      .split('\n')
      .filter((line) => line.startsWith('failed'));
}

/** Means in ms of what came between two reports. */
function between(before: PoolReport, after: PoolReport): { waitMs: number; holdMs: number; taken: number } {
  const mean = (of: 'acquire' | 'hold'): number => (after[of].sumUs - before[of].sumUs) / (after[of].count - before[of].count) / 1000;
  return { waitMs: mean('acquire'), holdMs: mean('hold'), taken: after.hold.count - before.hold.count };
}

describe.each(['blocking'] as const)('the pool of Apache HttpClient 5, %s', longTest, poolOfClient);
describe.each(['asynchronous'] as const)('the pool of Apache HttpClient 5, %s', slowHalf, poolOfClient);

function poolOfClient(client: 'blocking' | 'asynchronous'): void {
  it('shows who holds connections to another service, who waits and how long, and is resized under load without a failed call', async () => {
    const failed = await start(client, { size: 2, callers: 8 });
    const before = await probe.pool(id);
    const answered = service.answered;
    await untilAnswered(60);
    const after = await probe.pool(id);
    expect(after).toMatchObject({ kind: 'http-client', name: service.address, max: 2, resizable: true, note: null, timeouts: 0 });
    const { waitMs, holdMs, taken } = between(before, after);
    // Each leased connection is one call, but for those under way at the two moments.
    expect(Math.abs(taken - (service.answered - answered))).toBeLessThan(12);
    expect(holdMs).toBeGreaterThanOrEqual(delayMs - 1);
    // Eight callers at two connections: each waits for three others.
    expect(waitMs / holdMs).toBeGreaterThan(2);
    expect(waitMs / holdMs).toBeLessThan(4);
    await waitFor(async () => {
      const { busy, pending } = await probe.pool(id);
      return busy === 2 && pending === 6;
    });

    for (const max of [6, 1, 4]) {
      expect(await probe.set('pool', id, max, changeTimeoutMs)).toMatchObject({ ok: true, max, message: null });
      await untilAnswered(20);
      for (let look = 0; look < 5; look += 1) {
        const now = await probe.pool(id);
        expect(now.max).toBe(max);
        expect(now.total).toBeLessThanOrEqual(max);
      }
      await waitFor(() => service.open === max, { what: `the service has ${max} connections` });
    }
    expect(failed()).toEqual([]);
  });

  it('counts callers that give up waiting for a connection', slowHalf, async () => {
    const callers = 24;
    // Several connections: the client loses one that becomes free at the very moment at which a caller gives up.
    const failed = await start(client, { size: 4, callers, patienceMs: 30 });
    await waitFor(() => failed().length >= 3, { what: 'three callers gave up' });
    const pool = await probe.pool(id);
    expect(pool.timeouts).toBeGreaterThanOrEqual(3);
    expect(pool.timeouts).toBeLessThanOrEqual(failed().length + callers);
  });
}

it('the pool of Apache HttpClient 4 is timed, and the lax one of 5 is counted; neither is said to be resizable', slowHalf, async () => {
  await start('version4', { size: 2, callers: 8 });
  const before = await probe.pool(id);
  await untilAnswered(40);
  const after = await probe.pool(id);
  const { waitMs, holdMs } = between(before, after);
  expect(after).toMatchObject({ name: service.address, max: 2, resizable: false, note: expect.stringContaining('HttpClient 4') as string });
  expect(holdMs).toBeGreaterThanOrEqual(delayMs - 1);
  // Three times as long, but for what a busy machine adds to holding.
  expect(waitMs / holdMs).toBeGreaterThan(1);
  for (const child of supervisor.children) await child.stop();
  await probe.close();

  probe = await ProbeListener.start();
  await start('lax', { size: 3, callers: 8 });
  await waitFor(async () => {
    const { busy, pending, max } = await probe.pool(id);
    return busy === 3 && pending === 5 && max === 3;
  });
  expect(await probe.set('pool', id, 5)).toMatchObject({ ok: false, message: expect.stringContaining('lax pool') as string });
});

it('thread dumps of a running JVM tell how many threads wait for a connection, and how many for an answer', slowHalf, async () => {
  await start('blocking', { size: 2, callers: 8 });
  const [child] = supervisor.children;
  const { texts, reason } = await threadDumps(child?.pid ?? 0, 3, 50);
  expect(reason).toBeNull();
  expect(texts).toHaveLength(3);
  const summaries = texts.map(summarizeThreadDump);
  // Eight that call, and the main thread.
  expect(summaries.map(({ threads }) => threads)).toEqual([9, 9, 9]);
  const most = (fits: (where: string) => boolean): number =>
    Math.max(...summaries.map(({ groups }) => groups.reduce((sum, { where, count }) => (fits(where) ? sum + count : sum), 0)));
  expect(most((where) => where === 'HttpClient pool lease')).toBeGreaterThanOrEqual(5);
  expect(most((where) => where.startsWith('answer of another service in '))).toBeGreaterThanOrEqual(1);
  await child?.stop();
  expect((await threadDumps(child?.pid ?? 0)).texts).toEqual([]);
  expect((await threadDumps(child?.pid ?? 0)).reason).toContain('no process');
});

it(
  'a pool that is older than the probe shows with its next use; full collections and what the heap holds after them are told',
  slowHalf,
  async () => {
    const child = await startHttpCallers(supervisor, {
      client: 'blocking',
      address: service.address,
      size: 3,
      callers: 6,
      env: {},
      javaArguments: ['-XX:+UseSerialGC'],
    });
    await loadProbe(child.pid, { jarFile, group: probe });
    await probe.attached();
    await untilAnswered(30);
    const pool = await waitFor(async () => {
      const now = await probe.pool(id);
      return now.busy === 3 && now.pending === 3 ? now : null;
    });
    expect(pool).toMatchObject({ name: service.address, max: 3 });
    expect(pool.hold.count).toBeGreaterThan(10);

    const before = await probe.get();
    expect(before.gc?.full).toBe(0);
    const jvm = await AttachSocket.open(inspectJvm(child.pid));
    await jvm.jcmd('GC.run');
    const after = await waitFor(async () => {
      const now = await probe.get();
      return (now.gc?.pauses?.count ?? 0) > (before.gc?.pauses?.count ?? 0) ? now : null;
    });
    expect(after.gc?.full).toBe(1);
    expect(after.gc?.count).toBeGreaterThan(before.gc?.count ?? 0);
    expect(after.heap?.afterGcBytes).toBeGreaterThan(500_000);
    expect(after.heap?.afterGcBytes).toBeLessThan(after.heap?.maxBytes ?? 0);
    expect(after.gc?.pauses?.sumUs).toBeLessThanOrEqual(after.gc?.pauseUs ?? 0);
    expect(after.warming?.loadedClasses).toBeGreaterThan(100);
    expect(after.startedThreads).toBeGreaterThan(5);
    // By the clock of all processes.
    for (const { atUs, us } of after.pauses ?? []) expect(atUs + us).toBeLessThanOrEqual(machineMs() * 1_000);

    const fromMs = machineMs();
    process.kill(child.pid, 'SIGSTOP');
    await waitFor(() => machineMs() > fromMs + 300);
    process.kill(child.pid, 'SIGCONT');
    const stood = await waitFor(async () => {
      const { pauses = [] } = await probe.get();
      return pauses.find(({ kind, atUs, us }) => kind === 'standstill' && us > 250_000 && atUs + us > fromMs * 1_000) ?? null;
    });
    expect(stood.atUs).toBeLessThan((fromMs + 100) * 1_000);
  },
);
