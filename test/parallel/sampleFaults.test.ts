import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { DatabaseProxy } from '../support/databaseProxy.ts';
import { type SampleName, ownSessions, sampleNames } from '../support/samples.ts';
import { slowHalf } from '../support/testTags.ts';
import { Twins } from '../support/twins.ts';
import { waitFor } from '../support/waitFor.ts';

// How the samples start, end, and fare when their database fails.

const twins = new Twins(sampleNames);
const { stack } = twins;

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

const newAd = { title: 'A bicycle', description: 'Two wheels.', categoryId: 1, sellerId: 2, priceCents: 12_300 };

describe.each(['node'] as const)('%s under faults', underFaults);
describe.each(['java'] as const)('%s under faults', slowHalf, underFaults);

function underFaults(name: SampleName): void {
  it('answers 503 when no connection comes free in time, and 200 again afterwards', async () => {
    const small = await stack.app(name, { DB_POOL_SIZE: '1', DB_POOL_TIMEOUT_MS: '300' });
    expect((await small.ask('/wait?ms=1')).status).toBe(200);
    const unlock = await stack.lockAds();
    const holding = small.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) });
    await stack.untilOneWaits('Lock');
    const started = performance.now();
    const refused = await small.ask('/ads/1');
    expect(refused.status).toBe(503);
    expect(refused.text).toBe('{"error":"the database is not available"}');
    expect(performance.now() - started).toBeGreaterThan(250);
    expect((await small.ask('/hello')).status).toBe(200);
    await unlock();
    expect((await holding).status).toBe(201);
    expect((await small.ask('/ads/1')).status).toBe(200);
    await small.stop();
  });

  it('waits for a database that is not there at the start, and comes back when one was lost', async () => {
    const proxy = await DatabaseProxy.start(stack.databasePort, 'refuse');
    const lonely = await stack.app(name, { DB_POOL_TIMEOUT_MS: '500' }, proxy.port);
    try {
      const answered = async (status: number, target: string): Promise<boolean> => (await lonely.ask(target)).status === status;
      expect(await answered(503, '/health')).toBe(true);
      expect(await answered(503, '/ads/1')).toBe(true);
      await proxy.become('pass');
      await waitFor(() => answered(200, '/health'), { what: 'health after the database came' });
      // in the middle of a statement
      const interrupted = lonely.ask('/wait?ms=10000');
      await stack.untilOneWaits('PgSleep');
      await proxy.become('silent');
      expect((await interrupted).status).toBe(503);
      expect(await answered(503, '/ads/1')).toBe(true);
      await proxy.become('pass');
      await waitFor(() => answered(200, '/ads/1'), { what: 'an advertisement after the database came back' });
      expect(lonely.child.running).toBe(true);
      expect(lonely.child.log.text()).toMatch(/WARN .*the database is not available/);
    } finally {
      await lonely.stop();
      await proxy.stop();
    }
  });

  it('survives that the server ends its sessions', async () => {
    await Promise.all([1, 2, 3].map(() => twins.app(name).ask('/wait?ms=20')));
    await stack.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ownSessions}`);
    await waitFor(async () => (await twins.app(name).ask('/ads/1')).status === 200, { what: 'an advertisement' });
    expect(twins.app(name).child.running).toBe(true);
  });

  it('tells the client nothing of an error inside, and the log everything', async () => {
    await stack.query('ALTER TABLE categories RENAME TO hidden');
    try {
      const answer = await twins.app(name).ask('/ads/1/similar');
      expect(answer).toMatchObject({ status: 500, text: '{"error":"internal error"}' });
      await waitFor(() => /GET \/ads\/1\/similar failed[\s\S]*categories/.test(twins.app(name).child.log.text()), { what: 'the log line' });
    } finally {
      await stack.query('ALTER TABLE hidden RENAME TO categories');
    }
    expect((await twins.app(name).ask('/ads/1/similar')).status).toBe(200);
  });

  it.each(['SIGTERM'] as const)('finishes what it has begun and exits with 0 on %s', leaves);
  it.each(['SIGINT'] as const)('finishes what it has begun and exits with 0 on %s', slowHalf, leaves);

  async function leaves(signal: NodeJS.Signals): Promise<void> {
    const leaving = await stack.app(name);
    await leaving.ask('/hello');
    const unlock = await stack.lockAds();
    const inFlight = leaving.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) });
    await stack.untilOneWaits('Lock');
    process.kill(leaving.child.pid, signal);
    await waitFor(() => isPortFree(leaving.port), { what: 'it takes no new connections' });
    await unlock();
    expect((await inFlight).status).toBe(201);
    expect(await leaving.child.exited).toEqual({ code: 0, signal: null });
    expect(leaving.child.log.text()).toMatch(/INFO .*stopped/);
  }

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['DB_POOL_SIZE', '0'],
    ['DB_POOL_SIZE', '-4'],
    ['DB_POOL_TIMEOUT_MS', '1.5'],
    [name === 'node' ? 'DATABASE_URL' : 'DATABASE_JDBC_URL', 'mysql://secret@127.0.0.1/x'],
    ['HOST', '256.256.256.256'],
    ...(name === 'java'
      ? [
          ['HTTP_THREADS_MAX', '3'],
          ['HTTP_THREADS_MIN', '51'],
          ['HTTP_THREADS_KIND', 'green'],
        ]
      : [['CLUSTER_WORKERS', '0']]),
  ] as [string, string][])('exits with 1 and one line when %s is %s', async (variable, value) => {
    const child = await stack.launch(name, { [variable]: value });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => child.log.text().endsWith('\n'), { what: 'the line' });
    const lines = child.log.text().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable === 'HOST' ? value : variable);
    expect(lines[0]).not.toContain('secret');
  });

  it('exits with 1 and one line when its port is taken', async () => {
    const child = await stack.launch(name, { PORT: String(twins.app(name).port) });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => /^bulletin-board: cannot listen on .*: .*in use.*\n$/i.test(child.log.text()), {
      what: 'the line',
      timeoutMs: 1_000,
    });
  });
}

describe('threads of the Java sample', () => {
  it('are virtual where the JDK has them, and one line says so where it has not', async () => {
    const child = await stack.launch('java', { HTTP_THREADS_KIND: 'virtual' });
    const outcome = await waitFor(() => (child.running ? /listening on .*virtual threads/.exec(child.log.text())?.[0] : 'ended'), {
      what: 'it listens or ends',
    });
    if (outcome === 'ended') {
      expect(await child.exited).toEqual({ code: 1, signal: null });
      await waitFor(
        () => /^bulletin-board: HTTP_THREADS_KIND=virtual needs Java 21 or later, but this is Java \d+\.\n$/.test(child.log.text()),
        { what: 'the line' },
      );
    } else {
      await child.stop();
    }
  });

  it('are few, and the service answers nevertheless', async () => {
    const few = await stack.app('java', { HTTP_THREADS_MAX: '4', HTTP_THREADS_MIN: '1' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => few.ask('/wait?ms=20')));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    await few.stop();
  });
});

describe('several workers of the Node sample', () => {
  it('share one port, are replaced when one dies, and leave together', async () => {
    const several = await stack.app('node', { CLUSTER_WORKERS: '2', DB_POOL_SIZE: '1' });
    const pids = (): string[] => [
      ...new Set([...several.child.log.text().matchAll(/worker (\d+) listens/g)].map((match) => match[1] ?? '')),
    ];
    await waitFor(() => pids().length === 2, { what: 'two workers' });
    expect((await several.ask('/ads/6')).text).toBe((await twins.first.ask('/ads/6')).text);
    process.kill(Number(pids()[0]), 'SIGKILL');
    await waitFor(() => pids().length === 3, { what: 'a third worker' });
    expect((await several.ask('/hello')).status).toBe(200);
    process.kill(several.child.pid, 'SIGTERM');
    expect(await several.child.exited).toEqual({ code: 0, signal: null });
    for (const pid of pids()) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
