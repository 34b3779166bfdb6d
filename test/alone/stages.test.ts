import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FailureError } from '../../src/model/domain/failure.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { LoadTick, MixRequest } from '../../src/engine/load/loadProtocol.ts';
import { steadyStages } from '../../src/engine/load/stages/stages.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { blockPlan, fetchRoot, latencyOf, startGenerator, startLoadBench, workerPath } from '../support/loadBench.ts';
import { loopbackCertificate } from '../support/loopbackCertificate.ts';
import { runRoles } from '../support/rolesRun.ts';
import { type UserApp, startUserApp } from '../support/userApp.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

let supervisor: Supervisor;
let generator: LoadGenerator;
let end: () => Promise<void>;
let app: UserApp | undefined;

beforeAll(async () => {
  ({ supervisor, generator, end } = await startLoadBench());
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
});
afterAll(() => end());

async function start(answerAfterMs = 0, tls?: { key: string; cert: string }): Promise<UserApp> {
  app = await startUserApp((request, response) => {
    if (answerAfterMs === 0 || request.path === '/now') response.end('ok');
    else setTimeout(() => response.end('ok'), answerAfterMs);
  }, tls);
  return app;
}

/** The mean of a curve of points (s, users), straight between them. */
function meanOf(curve: readonly (readonly [number, number])[]): number {
  const area = curve.slice(1).reduce((sum, [atS, users], index) => {
    const [beforeS, before] = curve[index] ?? [atS, users];
    return sum + ((atS - beforeS) * (before + users)) / 2;
  }, 0);
  return area / (curve.at(-1)?.[0] ?? Number.NaN);
}

describe('stages of plain load', () => {
  it('ramp up, hold and drop the number of connections, which the ticks and the figures tell', async () => {
    const { port, seen } = await start(20);
    const mix: MixRequest[] = [
      { ...fetchRoot, path: '/ads/:id?again=:id', weight: 3, parameters: { id: { min: 1, max: 1000 } } },
      { ...fetchRoot, method: 'POST', path: '/ads', body: '{"title":"x"}' },
    ];
    const ticks: LoadTick[] = [];
    let mostOpen = 0;
    const result = await runRoles(
      generator,
      {
        host: '127.0.0.1',
        port,
        roles: [],
        mix,
        stages: [
          { users: 20, seconds: 1 },
          { users: 20, seconds: 0.5 },
          { users: 4, seconds: 0 },
          { users: 4, seconds: 0.6 },
        ],
        settleMs: 0,
        timeoutMs: 2000,
        tickMs: 100,
        seed: 3,
      },
      {
        onTick: (tick) => {
          ticks.push(tick);
          mostOpen = Math.max(mostOpen, app?.open() ?? 0);
        },
      },
    );

    // By the formula t·n/T, as far as a busy machine tells times.
    const at = (s: number): number => result.users.findLast(([atS]) => atS <= s)?.[1] ?? 0;
    const ramp = result.users.filter(([s]) => s < 1);
    expect(ramp.length).toBeGreaterThan(1);
    for (const [atS, users] of ramp) expect(Math.abs(users - 20 * atS)).toBeLessThanOrEqual(1);
    expect(at(1.49)).toBe(20);
    expect(at(2.1)).toBe(4);
    // 16 users leave, each after its last answer: on a busy machine that comes late, and so is their end.
    const wholeS = result.users.at(-1)?.[0] ?? 0;
    const lateUsers = (16 * (latencyOf(result.total).max / 1000)) / wholeS;
    expect(Math.abs(result.meanUsers - meanOf(result.users))).toBeLessThan(1.5 + lateUsers);
    expect(mostOpen).toBe(20);
    expect(Math.max(...ticks.map(({ users = 0 }) => users))).toBe(20);
    expect(ticks.at(-1)?.users).toBe(4);
    expect(result.total.errors.total).toBe(0);
    // One figure for each request of the mix, three to one; the same number in path and query.
    const [list, post] = result.steps;
    expect([list?.step, post?.step]).toEqual(['GET /ads/:id?again=:id', 'POST /ads']);
    expect((list?.requests ?? 0) / (post?.requests ?? 1)).toBeGreaterThan(2);
    const asked = seen.filter(({ method }) => method === 'GET');
    expect(asked.length).toBeGreaterThan(0);
    for (const { path } of asked) expect(path).toMatch(/^\/ads\/(\d+)\?again=\1$/);
    expect(seen.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/ads',
      body: '{"title":"x"}',
      contentType: 'application/json',
    });
    await waitFor(() => app?.open() === 0, { what: 'all connections closed' });
  });

  it('measure what the closed loop measures when their number stays', longTest, async () => {
    const { port } = await start(40);
    const staged = await runRoles(generator, {
      host: '127.0.0.1',
      port,
      roles: [],
      mix: [fetchRoot],
      stages: steadyStages(6, 1.2),
      settleMs: 200,
      timeoutMs: 2000,
      seed: 1,
    });
    const closed = await generator.runBlock(blockPlan(port, { connections: 6, settleMs: 200, windowMs: 1000 }));
    expect(Math.abs(staged.total.windowMs - 1000)).toBeLessThan(100);
    expect(staged.total.throughput / closed.throughput).toBeGreaterThan(0.75);
    expect(staged.total.throughput / closed.throughput).toBeLessThan(1.33);
    expect(latencyOf(staged.total).min).toBeGreaterThan(39);
    expect(staged.total.generator.littleRatio).toBeGreaterThan(0.8);
  });

  it('are refused when nothing is left to be measured', async () => {
    const error: unknown = await runRoles(generator, {
      host: '127.0.0.1',
      port: 1,
      roles: [],
      mix: [fetchRoot],
      stages: steadyStages(1, 2),
      settleMs: 2000,
      timeoutMs: 100,
      seed: 1,
    }).catch((reason: unknown) => reason);
    expect(error instanceof FailureError && error.failure).toMatchObject({
      code: 'load-stages-short',
      message: 'The stages take 2 s, of which 2 s are not measured.',
    });
  });
});

describe('a fixed number of requests', () => {
  it('ends the window with the answer that makes it full, and counts exactly so many', async () => {
    const { port } = await start();
    const result = await generator.runBlock(blockPlan(port, { connections: 7, requests: 500, windowMs: 20_000 }));
    expect(result.requests + result.errors.total).toBe(500);
    expect(result.latencySums.count).toBe(500);
    expect(result.cancelled).toBe(false);
    expect(result.windowMs).toBeLessThan(15_000);
    expect(result.latencyReasons).toEqual([]);
    const roles = await runRoles(generator, {
      host: '127.0.0.1',
      port,
      roles: [],
      mix: [fetchRoot],
      stages: steadyStages(5, 20),
      settleMs: 100,
      requests: 100,
      timeoutMs: 2000,
      seed: 1,
    });
    expect(roles.total.requests).toBe(100);
  });

  it('ends with its longest time when there are too few answers', async () => {
    const { port } = await start(100);
    const result = await generator.runBlock(blockPlan(port, { connections: 1, requests: 1000, windowMs: 500 }));
    expect(result.requests).toBeLessThan(6);
    expect(result.windowMs).toBeLessThan(1000);
  });
});

describe('connections', () => {
  it('are opened anew for each request without keep-alive, in every kind of load', longTest, async () => {
    const { port, seen, connections } = await start(5);
    for (const run of [
      () => generator.runBlock(blockPlan(port, { connections: 2, settleMs: 0, windowMs: 800, keepAlive: false })),
      () => generator.runBlock(blockPlan(port, { settleMs: 0, windowMs: 800, keepAlive: false, open: { ratePerS: 50, maxInFlight: 20 } })),
      async () =>
        (
          await runRoles(generator, {
            host: '127.0.0.1',
            port,
            roles: [],
            mix: [fetchRoot],
            stages: steadyStages(2, 0.8),
            settleMs: 0,
            keepAlive: false,
            timeoutMs: 2000,
            seed: 1,
          })
        ).total,
    ]) {
      const before = seen.length;
      const opened = connections();
      const result = await run();
      await waitFor(() => app?.open() === 0, { what: 'all connections closed' });
      expect(result.requests).toBeGreaterThan(5);
      expect(result.errors.total).toBe(0);
      // One that was opened last may have been closed before its request was read.
      expect(connections() - opened - (seen.length - before)).toBeLessThanOrEqual(4);
      expect(new Set(seen.slice(before).map(({ connection }) => connection)).size).toBe(seen.length - before);
    }
  });

  it('speak HTTPS to a self-signed certificate, in every kind of load', async () => {
    const { port, connections } = await start(5, loopbackCertificate());
    const closed = await generator.runBlock(blockPlan(port, { connections: 3, settleMs: 0, windowMs: 500, tls: true }));
    expect(connections()).toBe(3);
    const open = await generator.runBlock(blockPlan(port, { windowMs: 500, tls: true, open: { ratePerS: 50, maxInFlight: 20 } }));
    const { total } = await runRoles(generator, {
      host: '127.0.0.1',
      port,
      roles: [],
      mix: [fetchRoot],
      stages: steadyStages(3, 0.6),
      settleMs: 100,
      tls: true,
      timeoutMs: 2000,
      seed: 1,
    });
    for (const result of [closed, open, total]) {
      expect(result.requests).toBeGreaterThan(10);
      expect(result.errors.total).toBe(0);
    }
  });

  it(
    'may be 8192 in the closed loop, all at once, where the limit on open files allows it, and are refused with a sentence where not',
    { timeout: 90_000, ...slowHalf },
    async () => {
      const waiting: (() => void)[] = [];
      let asked = 0;
      app = await startUserApp((_request, response) => {
        waiting.push(() => response.end('ok'));
        asked += 1;
        // Nobody is answered before all have asked.
        if (asked >= 8192) for (const answer of waiting.splice(0)) answer();
      });
      const limit = await openFilesLimit();
      const plan = blockPlan(app.port, { connections: 8192, settleMs: 0, windowMs: 50_000, requests: 8192, timeoutMs: 50_000 });
      if (limit < 8192 + 64) {
        const sentence = `8192 connections need ${8192 + 64} open files, and the load generator may have ${limit}.`;
        await expect(generator.runBlock(plan)).rejects.toThrow(sentence);
        return;
      }
      const result = await generator.runBlock(plan);
      expect(result).toMatchObject({ requests: 8192, errors: { total: 0 } });
      expect(app.connections()).toBe(8192);
    },
  );

  it('are refused with a sentence when the limit on open files is lower than their number', async () => {
    if (process.platform === 'win32') return;
    const folder = await mkdtemp(path.join(tmpdir(), 'benchside-load-'));
    // A shell that lowers its own limit, as a service or a login may have it, and becomes the generator's Node.
    const few = path.join(folder, 'node-with-few-files');
    await writeFile(few, `#!/bin/sh\nulimit -n 300\nexec '${process.execPath}' "$@"\n`, { mode: 0o700 });
    const limited = await startGenerator(supervisor, { nodePath: few, workerPath });
    const error: unknown = await limited.runBlock(blockPlan(1, { connections: 500 })).catch((reason: unknown) => reason);
    expect(error instanceof FailureError && error.failure).toMatchObject({
      code: 'load-descriptors',
      message: '500 connections need 564 open files, and the load generator may have 300.',
      cure: 'Use at most 236 connections, or raise the limit on open files (ulimit -n 564) in the shell or service that starts the editor.',
    });
    await limited.stop();
    await rm(folder, { recursive: true });
  });
});

/** Of this process, and so of those that it starts. */
async function openFilesLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const hard = /^Max open files\s+\S+\s+(\d+|unlimited)/m.exec(limits)?.[1];
  if (hard === undefined) throw new Error('This test reads /proc/self/limits: run it on Linux.');
  return hard === 'unlimited' ? Infinity : Number(hard);
}
