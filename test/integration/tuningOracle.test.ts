import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import type { RunRecord } from '../../src/model/run.ts';
import type { TuneRequest, TuningAnswer } from '../../src/model/tuning.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { slowHalf } from '../support/slowHalf.ts';

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
const patient = { timeout: 240_000 };
const attempts = 3;
/** Rules of validity that speak of the machine and not of what was measured. */
const machineGates = ['steal', 'throttled', 'others', 'noise', 'rounds', 'not-measured'];
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

/** What the product itself says of a machine that was too busy to measure on; null when it was quiet. */
function disturbance(run: RunRecord, answer: TuningAnswer): string | null {
  const gate = answer.gates.find(({ id }) => machineGates.includes(id));
  if (gate !== undefined) return gate.sentence;
  const block = run.trials.flatMap(({ blocks }) => blocks).find(({ valid }) => !valid);
  return block?.reasons[0] ?? null;
}

/**
 * Measures and checks, up to three times. What fails on a quiet machine is a fault. Where the product said each time that the machine was
 * disturbed (a hypervisor that takes CPU for others, say), nothing can be concluded from a deviation, and the test is skipped with that reason.
 */
async function holds(
  context: TestContext,
  request: Parameters<typeof tune>[0],
  check: (run: RunRecord, answer: TuningAnswer) => void,
): Promise<void> {
  let fault: unknown = null;
  let disturbed = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { run, answer } = await tune(request);
    try {
      check(run, answer);
      return;
    } catch (error) {
      const reason = disturbance(run, answer);
      if (reason === null) fault = error;
      else disturbed = reason;
    }
    await engine.dispose();
  }
  if (fault !== null) throw fault;
  context.skip(`this machine was too busy: ${disturbed}`);
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

describe.each(['java'])('the pool of %s, on a route that holds a connection for 20 ms', poolIsFound);
describe.each(['node'])('the pool of %s, on a route that holds a connection for 20 ms', slowHalf, poolIsFound);

function poolIsFound(target: string): void {
  it('is measured as P/W, and recommended where it meets the connections', patient, async (context) => {
    const pools = [4, 8, 16, 32];
    const request = { targets: [target], settings: { pool: pools }, budgetS: target === 'node' ? 30 : 36 };
    await holds(context, request, (run, answer) => {
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
}

describe('the threads of java, on a route that holds one for 20 ms', () => {
  it('are recommended where they meet the pool', { ...patient, ...slowHalf }, async (context) => {
    const threads = [6, 10, 18, 34];
    const request = { targets: ['java'], settings: { threads, pool: [16] }, connections: 32, budgetS: 40 };
    await holds(context, request, (run, answer) => {
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
});
