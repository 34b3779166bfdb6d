import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/run.ts';
import type { TuneRequest, TuningAnswer } from '../../src/model/tuning.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';

/**
 * A route of which the answer is known beforehand: each request holds a connection while the database sleeps for 20 ms, so that
 * X = min(pool, threads, connections) / W.
 */
const route = '/wait?ms=20';
const connections = 16;
const oracleLoad = {
  name: 'oracle',
  connections,
  durationS: 1,
  settleS: 0.4,
  warmUp: { minS: 2, maxS: 4, jvmMinS: 5, jvmMaxS: 8 },
  timeoutMs: 5_000,
};
/** The machine itself can void blocks (a hypervisor that takes CPU for others): then it is tried again. */
const measured = { timeout: 90_000, retry: 2 };
let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

async function tune(
  request: Pick<TuneRequest, 'targets' | 'settings'> & Partial<TuneRequest>,
): Promise<{ run: RunRecord; answer: TuningAnswer }> {
  engine = await TestEngine.start({ file: { loadProfiles: [oracleLoad] } });
  const { runId, stored } = await engine.request('tune/start', { load: 'oracle', route, ...request });
  expect(stored).toBe(true);
  const { run } = await engine.request('runs/get', { id: runId });
  const answer = run.tuning?.answers[0];
  if (answer === undefined) throw new Error('the run has no answer');
  return { run, answer };
}

/** How far throughput is from P/W, for the values whose pool was full; W as the probe measured it. */
function deviations(run: RunRecord): number[] {
  return run.trials.flatMap(({ pool, throughput }) => {
    if (pool?.max == null || pool.holdMs === null || pool.busy / pool.max < 0.9) return [];
    return [throughput.mean / ((1000 * pool.max) / pool.holdMs) - 1];
  });
}

function steps(values: readonly number[], a: number, b: number): number {
  return Math.abs(values.indexOf(a) - values.indexOf(b));
}

describe.each(['node', 'java'])('the pool of %s, on a route that holds a connection for 20 ms', (target) => {
  it('is measured as P/W, and recommended where it meets the connections', measured, async () => {
    const pools = [4, 8, 16, 32];
    const { run, answer } = await tune({ targets: [target], settings: { pool: pools }, budgetS: target === 'node' ? 30 : 36 });
    expect(answer.mode).toBe('live');
    const binding = deviations(run);
    expect(binding.length).toBeGreaterThanOrEqual(2);
    for (const deviation of binding) expect(Math.abs(deviation)).toBeLessThan(0.05);
    for (const { pool } of run.trials) expect(pool?.holdMs).toBeGreaterThan(19.5);
    const recommended = Number(answer.plausible?.[1]);
    expect(steps(pools, recommended, connections)).toBeLessThanOrEqual(1);
    expect(answer.status).not.toBe('undecided');
    // Beyond the connections a pool stands idle, and what the laws predict is what there is.
    const largest = answer.settings.find(({ values }) => values['pool'] === 32);
    expect(largest?.predicted).toBeCloseTo(answer.best?.throughput ?? 0, -2);
  });
});

describe('the threads of java, on a route that holds one for 20 ms', () => {
  it('are recommended where they meet the pool', measured, async () => {
    const threads = [6, 10, 18, 34];
    const { run, answer } = await tune({ targets: ['java'], settings: { threads, pool: [16] }, connections: 32, budgetS: 40 });
    expect(answer.mode).toBe('live');
    expect(answer.status).not.toBe('undecided');
    // Jetty keeps a thread to accept connections and one to select among them.
    const knee = 18;
    expect(steps(threads, Number(answer.plausible?.[1]), knee)).toBeLessThanOrEqual(1);
    const byThreads = new Map(run.trials.map((trial) => [Number(trial.settings['threads']), trial]));
    const [few, more] = [byThreads.get(6), byThreads.get(10)];
    expect((more?.throughput.mean ?? 0) / (few?.throughput.mean ?? 1)).toBeCloseTo(8 / 4, 0);
    expect(byThreads.get(34)?.pool?.busy).toBeGreaterThan(14.5);
  });
});
