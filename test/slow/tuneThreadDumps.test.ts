import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefLoad, removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { resultOf } from '../support/resultOf.ts';

let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ file: { targets: [] } });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

describe('waits that only thread dumps tell', () => {
  // With other tests running, the CPU that they take explains the waits, and nothing is left for dumps to show.
  it('are looked for under the answer of a tuning, as in a run', { timeout: 120_000 }, async () => {
    // A connection is held while nothing is asked of the database: what the app does meanwhile shows in its threads.
    const { runId } = await engine.measure({
      kind: 'tune',
      targets: ['lab-java'],
      settings: { pool: [1, 2] },
      load: briefLoad.name,
      route: '/checkout?ms=10&work=wait',
      blockS: 0.5,
      budgetS: 20,
    });
    const { run } = await engine.request('runs/get', { id: runId });
    const answered = run.trials.find(({ settings }) => settings['pool'] === resultOf(run, 'tune').answers[0]?.best?.values['pool']);
    expect(answered?.diagnosis?.threadDumps).toHaveLength(3);
    expect(run.files.map(({ name }) => name)).toEqual(expect.arrayContaining(answered?.diagnosis?.threadDumps ?? ['none']));
  });
});
