import { describe, expect, it } from 'vitest';
import { busySessions } from '../../../src/engine/strategies/answer/sessionUse.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';

function trialOf(pool: number, sessions: Record<string, number>, more: Partial<Trial> = {}): Trial {
  const trial = exampleTrial();
  return { ...trial, key: `pool=${pool}`, runtime: 'other', settings: { pool }, resources: { ...trial.resources, sessions }, ...more };
}

describe('what PostgreSQL shows of a pool that nothing looks into', () => {
  it('is the share of its connections at work or in a transaction', () => {
    const sessions = { active: 3, 'idle in transaction': 1, idle: 4, CPU: 2, 'Client:ClientRead': 4 };
    expect(busySessions([trialOf(8, sessions)], 'pool').get('pool=8')).toBeCloseTo(0.5, 12);
    expect(busySessions([trialOf(3, sessions)], 'pool').get('pool=3')).toBe(1);
  });

  it('is of all instances together', () => {
    const instance = { cpuPercent: 50, rssBytes: null, requestsPerSecond: null };
    const trial = trialOf(4, { active: 4 }, { instances: [instance, instance] });
    expect(busySessions([trial], 'pool').get('pool=4')).toBe(0.5);
  });

  it('is not asked for where a probe looks into the app, or nothing was seen', () => {
    expect(busySessions([trialOf(8, { active: 4 }, { runtime: 'jvm' }), trialOf(4, {})], 'pool').size).toBe(0);
    expect(busySessions([trialOf(8, { active: 4 })], 'threads').size).toBe(0);
    expect(busySessions([trialOf(8, { active: 4 })], undefined).size).toBe(0);
  });
});
