import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import { runTogether } from '../../src/engine/load/runTogether.ts';
import { steadyStages } from '../../src/engine/load/stages/stages.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { blockPlan, fetchRoot, startGenerator } from '../support/loadBench.ts';
import { type UserApp, startUserApp } from '../support/userApp.ts';

const supervisor = new Supervisor();
const generators: LoadGenerator[] = [];
let app: UserApp | undefined;

beforeAll(async () => {
  generators.push(...(await Promise.all(Array.from({ length: 3 }, () => startGenerator(supervisor)))));
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
});
afterAll(() => supervisor.stopAll());

function generator(index: number): LoadGenerator {
  const found = generators[index];
  if (found === undefined) throw new Error(`there is no generator ${index}`);
  return found;
}

async function start(): Promise<number> {
  app = await startUserApp((request, response) => {
    const ms = Number(request.path.slice(1));
    setTimeout(() => response.end('x'.repeat(ms)), ms);
  });
  return app.port;
}

const fetchIn = (ms: number) => ({ ...fetchRoot, path: `/${ms}` });

describe('several loads at once', () => {
  it('are measured apart in windows that coincide', async () => {
    const port = await start();
    const many = blockPlan(port, { connections: 6, settleMs: 100, windowMs: 1000, mix: [fetchIn(10)] });
    const one = blockPlan(port, { connections: 1, settleMs: 400, windowMs: 1000, mix: [fetchIn(100)] });
    const users = {
      host: '127.0.0.1',
      port,
      roles: [],
      mix: [fetchIn(50)],
      stages: steadyStages(2, 1.3),
      settleMs: 300,
      timeoutMs: 2000,
      seed: 1,
    };
    const apart: (number | null)[] = [];
    // A machine that pauses spoils one attempt; loads that begin one after the other are apart every time.
    while (apart.length < 4 && !apart.includes(null)) {
      const { results, openSkewMs, closeSkewMs, apartMs } = await runTogether([
        { name: 'database', generator: generator(0), plan: many },
        { name: 'search', generator: generator(1), plan: one },
        { name: 'users', generator: generator(2), plan: users },
      ]);
      const { database, search, users: staged } = results;
      // None is faster than its own requests allow, and each saw the answers to these.
      expect(database?.requests).toBeGreaterThan(50);
      expect((search?.requests ?? 99) * 100).toBeLessThan((search?.windowMs ?? 0) + 100);
      expect(search?.requests).toBeGreaterThan(3);
      expect(staged?.scenario?.meanUsers).toBeCloseTo(2, 5);
      expect(search?.latencySums.minUs).toBeGreaterThan(99_000);
      expect(database?.latencySums.minUs).toBeGreaterThan(9_000);
      expect(database?.latencySums.minUs).toBeLessThan(99_000);
      expect(apartMs === null).toBe(Math.max(openSkewMs, closeSkewMs ?? Infinity) <= 100);
      apart.push(apartMs);
    }
    expect(apart).toContain(null);
  }, 30_000);

  it('may end each after its own number of requests', async () => {
    const port = await start();
    const { results, closeSkewMs } = await runTogether([
      {
        name: 'many',
        generator: generator(0),
        plan: blockPlan(port, { connections: 4, windowMs: 10_000, requests: 200, mix: [fetchIn(2)] }),
      },
      {
        name: 'few',
        generator: generator(1),
        plan: blockPlan(port, { connections: 1, windowMs: 20_000, requests: 3, mix: [fetchIn(20)] }),
      },
    ]);
    expect(results.many?.requests).toBe(200);
    expect(results.few?.requests).toBe(3);
    expect(closeSkewMs).toBeNull();
  });

  it('are all stopped when one fails, with its failure', async () => {
    const port = await start();
    const began = performance.now();
    const bad = { ...blockPlan(port, { windowMs: 20_000 }), host: '192.0.2.1' };
    const run = runTogether([
      { name: 'good', generator: generator(0), plan: blockPlan(port, { windowMs: 20_000 }) },
      { name: 'bad', generator: generator(1), plan: bad },
    ]);
    await expect(run).rejects.toMatchObject({ failure: { code: 'not-loopback' } });
    expect(performance.now() - began).toBeLessThan(5000);
    // All generators are free again.
    expect((await generator(0).runBlock(blockPlan(port, { windowMs: 500, mix: [fetchIn(1)] }))).requests).toBeGreaterThan(0);
  });

  it('are stopped by their signal', async () => {
    const port = await start();
    const abort = new AbortController();
    const run = runTogether(
      [
        { name: 'a', generator: generator(0), plan: blockPlan(port, { windowMs: 20_000 }), onTick: () => abort.abort() },
        { name: 'b', generator: generator(1), plan: blockPlan(port, { windowMs: 20_000 }) },
      ],
      { signal: abort.signal },
    );
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('need a name and a generator each, and the same duration', async () => {
    const plan = blockPlan(1);
    const code = 'load-together-invalid';
    const a = { name: 'a', generator: generator(0), plan };
    await expect(runTogether([a, { ...a, generator: generator(1) }])).rejects.toMatchObject({ failure: { code } });
    await expect(runTogether([a, { ...a, name: 'b' }])).rejects.toMatchObject({ failure: { code } });
    const longer = { name: 'b', generator: generator(1), plan: { ...plan, windowMs: 900 } };
    await expect(runTogether([a, longer])).rejects.toMatchObject({ failure: { code, message: 'The loads do not last equally long.' } });
  });
});
