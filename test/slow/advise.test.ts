import { afterAll, beforeAll, expect, it } from 'vitest';
import { isUseful } from '../../src/model/domain/advice.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await TestEngine.start();
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

it(
  'a search for what helps finds a larger pool for requests that wait for one, each size in a process of its own',
  { timeout: 300_000 },
  async () => {
    const budgetS = 120;
    const { advised } = await engine.measure({
      kind: 'advise',
      target: 'node',
      load: 'quick',
      settings: { pool: 2 },
      route: '/wait?ms=5',
      connections: 16,
      budgetS,
    });
    const { tried, runs, spentS } = advised?.advice ?? { tried: [], runs: [], spentS: 0 };
    const [first] = tried.filter(isUseful);
    expect(first?.id).toMatch(/^pool=/);
    expect(spentS).toBeLessThan(budgetS + 10);
    const compared = await Promise.all(runs.filter(({ stage }) => stage !== 'look').map(({ id }) => engine.request('runs/get', { id })));
    expect(compared.length).toBeGreaterThan(0);
    // They are started again, which one process for all sizes would not outlive.
    expect(compared.map(({ run }) => run.plan.mode)).toEqual(compared.map(() => 'process-per-setting'));
  },
);
