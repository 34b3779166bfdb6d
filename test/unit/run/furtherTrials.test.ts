import { describe, expect, it } from 'vitest';
import { largerTrial } from '../../../src/engine/run/furtherTrials.ts';
import { type PlannedTrial, planRun } from '../../../src/engine/run/plan.ts';
import { TrialStore } from '../../../src/engine/run/trialStore.ts';
import type { RunTargets } from '../../../src/engine/run/runTargets.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { runRequestSchema } from '../../../src/model/domain/run.ts';
import type { TuningMode } from '../../../src/model/domain/tuning.ts';
import { declared } from '../../support/declaredTarget.ts';

const settings = {
  pool: { default: 4, min: 1, max: 256, env: 'POOL' },
  heapMb: { default: 64, min: 1, max: 4096, env: 'HEAP' },
};

function larger(
  asked: Record<string, number[]>,
  {
    connections = 32,
    maxConnections = null,
    mode = 'live',
  }: { connections?: number; maxConnections?: number | null; mode?: TuningMode } = {},
): { found: PlannedTrial | null; trialStore: TrialStore } {
  const load = loadProfileSchema.parse({ name: 'mine', connections });
  const { trials } = planRun([declared('node', { settings })], load, runRequestSchema.parse({ targets: ['node'], settings: asked }));
  const [largest] = trials.slice(-1);
  if (largest === undefined) throw new Error('no trial');
  const trialStore = new TrialStore(trials, []);
  const targets = { of: () => ({ mode }) } as unknown as RunTargets;
  return { found: largerTrial({ trialStore, maxConnections }, targets, largest, Object.keys(asked)[0] ?? ''), trialStore };
}

describe('a larger value than was asked for', () => {
  it('is twice the largest, and stands in the trialStore', () => {
    const { found, trialStore } = larger({ pool: [2, 8] });
    expect(found).toMatchObject({
      key: 'node|pool=16|c=32',
      name: 'node · pool 16',
      process: { settings: { pool: 16 }, key: 'node|pool=16' },
    });
    expect(trialStore.has('node|pool=16|c=32')).toBe(true);
  });

  it('is no more than the load uses, the setting allows and PostgreSQL has', () => {
    const sizeOf = (...all: Parameters<typeof larger>): unknown => larger(...all).found?.process.asked['pool'] ?? null;
    expect(sizeOf({ pool: [2, 8] }, { connections: 12 })).toBe(12);
    expect(sizeOf({ pool: [2, 8] }, { connections: 8 })).toBeNull();
    expect(sizeOf({ pool: [2, 200] }, { connections: 1000 })).toBe(256);
    expect(sizeOf({ pool: [2, 60] }, { connections: 1000, maxConnections: 100 })).toBe(92);
  });

  it('is none of what nobody waits for, or of processes that would have to be started for it', () => {
    expect(larger({ heapMb: [64, 128] }).found).toBeNull();
    expect(larger({ pool: [2, 8] }, { mode: 'process-per-setting' }).found).toBeNull();
    expect(larger({ pool: [2, 8] }, { mode: 'restart-per-block' }).found).not.toBeNull();
  });
});
