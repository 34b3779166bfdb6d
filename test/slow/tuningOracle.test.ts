import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { TuneRequest, TuningAnswer } from '../../src/model/domain/tuning.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { resultOf } from '../support/resultOf.ts';

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
  warmUp: { minS: 2, maxS: 4, jvmMinS: 2, jvmMaxS: 4 },
  timeoutMs: 5_000,
};
const patient = { timeout: 240_000 };
let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

async function tune(
  request: Pick<TuneRequest, 'targets' | 'settings'> & Partial<TuneRequest>,
): Promise<{ run: RunRecord; answer: TuningAnswer }> {
  engine = await TestEngine.start({ file: { loadProfiles: [oracleLoad] } });
  const { runId, stored } = await engine.measure({ kind: 'tune', load: 'oracle', route, ...request });
  expect(stored).toBe(true);
  const { run } = await engine.request('runs/get', { id: runId });
  const [answer] = resultOf(run, 'tune').answers;
  if (answer === undefined) throw new Error('the run has no answer');
  return { run, answer };
}

/** How far throughput is from P/W, for the values whose pool was full; W as the probe measured it, under the same interference. */
function deviations(run: RunRecord): number[] {
  return run.trials.flatMap(({ pool, throughput }) => {
    if (pool?.max == null || pool.holdMs === null || pool.busy / pool.max < 0.9) return [];
    return [throughput.mean / ((1000 * pool.max) / pool.holdMs) - 1];
  });
}

function steps(values: readonly number[], a: number, b: number): number {
  return Math.abs(values.indexOf(a) - values.indexOf(b));
}

describe.each(['java', 'node'])('the pool of %s, on a route that holds a connection for 20 ms', poolIsFound);

function poolIsFound(target: string): void {
  it('is measured as P/W, and recommended where it meets the connections, for what it is worth on this machine', patient, async () => {
    const pools = [4, 8, 16, 32];
    const { run, answer } = await tune({ targets: [target], settings: { pool: pools }, budgetS: 28, blockS: 0.8 });
    expect(answer.mode).toBe('live');
    const binding = deviations(run);
    expect(binding.length).toBeGreaterThanOrEqual(2);
    // A pool counts as full from 90 % on, and a block of 0.8 s has edges: far less than the factor of two from one value to the next.
    for (const deviation of binding) expect(Math.abs(deviation)).toBeLessThan(0.25);
    for (const { pool } of run.trials) expect(pool?.holdMs).toBeGreaterThan(19.5);
    expect(answer.status).not.toBe('undecided');
    expect(steps(pools, Number(answer.values?.['pool']), connections)).toBeLessThanOrEqual(1);
    // With as many connections as the load has, nobody waits for one, however busy the machine is; with half of them, half of the time is waiting.
    const waits = new Map(
      run.trials.map(({ settings, blocks }) => [settings['pool'], blocks.map(({ waits: seen }) => seen?.pool ?? Number.NaN)]),
    );
    const [atHalf, atAll] = [waits.get(8) ?? [], waits.get(16) ?? []];
    expect(Math.min(atHalf.length, atAll.length)).toBeGreaterThan(0);
    expect(Math.max(...atAll)).toBeLessThan(0.05);
    expect(Math.min(...atHalf)).toBeGreaterThan(0.3);
    expect(answer.evidence.map(({ kind }) => kind)).toEqual(['figures', 'mechanism']);
  });
}

describe('the threads of java, on a route that holds one for 20 ms', () => {
  it('are recommended where they meet the pool', patient, async () => {
    const threads = [6, 10, 18, 34];
    const { run, answer } = await tune({ targets: ['java'], settings: { threads, pool: [16] }, connections: 32, budgetS: 40 });
    expect(answer.mode).toBe('live');
    expect(answer.status).not.toBe('undecided');
    // Jetty keeps a thread to accept connections and one to select among them.
    const knee = 18;
    expect(steps(threads, Number(answer.values?.['threads']), knee)).toBeLessThanOrEqual(1);
    const byThreads = new Map(run.trials.map((trial) => [Number(trial.settings['threads']), trial]));
    const [few, more] = [byThreads.get(6), byThreads.get(10)];
    expect((more?.throughput.mean ?? 0) / (few?.throughput.mean ?? 1)).toBeGreaterThan(1.4);
    expect(byThreads.get(34)?.pool?.busy).toBeGreaterThan(12);
  });
});
