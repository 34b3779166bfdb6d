import { describe, expect, it } from 'vitest';
import * as fixedRate from '../../../src/engine/strategies/rounds/fixedRate.ts';
import { effectiveLoad, planRun } from '../../../src/engine/run/plan.ts';
import { toFailure } from '../../../src/model/domain/failure.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { type Trial, noErrors, runRequestSchema } from '../../../src/model/domain/run.ts';
import { worded } from '../../support/wordedAnswer.ts';
import { declared } from '../../support/declaredTarget.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const { atRate, errorsAtRate } = fixedRate;

function recommendAtRate(...of: Parameters<typeof fixedRate.recommendAtRate>): ReturnType<typeof worded>[] {
  return fixedRate.recommendAtRate(...of).map(worded);
}

const rate = 500;
const labelOf = (): string => 'Pool size';

interface Rated {
  /** p99 of each block, in ms. */
  p99: number[];
  requests?: number;
  /** Requests of a block that were to be sent. */
  intended?: number;
  late?: number;
  dropped?: number;
}

/** A trial of 4-s blocks at 500 requests/s. */
function rated(pool: number, { p99, requests = 2_000, intended = 2_000, late = 0, dropped = 0 }: Rated): Trial {
  const trial = exampleTrial({ settings: { pool }, throughput: requests / 4, rounds: p99.length });
  const blocks = trial.blocks.map((block, index) => ({
    ...block,
    requests,
    latencyMs: block.latencyMs === null ? null : { ...block.latencyMs, p99: p99[index] ?? 0 },
    open: { intended, sent: intended - dropped, late, dropped },
  }));
  return { ...trial, blocks };
}

const low = [9.8, 10.1, 10, 10.2, 9.9];
const high = [39, 41, 40, 40.5, 39.5];

describe('trials at a fixed rate', () => {
  it('have p99 with its interval and its ratio to the best, and say that they were measured at that rate', () => {
    const [slow, fast] = atRate([rated(2, { p99: high }), rated(4, { p99: low })], rate);
    expect(slow?.openLoop).toMatchObject({ rate, carried: true, blocks: 5, ratioToBest: { mean: expect.closeTo(4, 1) as number } });
    expect(fast?.openLoop?.p99Ms).toBeCloseTo(10, 1);
    expect(fast?.openLoop?.ciLow).toBeGreaterThan(9);
    expect(fast?.notes[0]).toEqual({ code: 'rate-carried', ratePerS: 500 });
  });

  it('say when they cannot carry it, and how much was late or dropped', () => {
    const [trial] = atRate([rated(2, { p99: high, requests: 1_000, late: 10, dropped: 300 })], rate);
    expect(trial?.openLoop?.carried).toBe(false);
    expect(trial?.notes.slice(0, 3)).toEqual([
      { code: 'rate-not-carried', ratePerS: 500, value: 0.5, limit: 0.98 },
      { code: 'sent-late', count: 50, of: 10_000 },
      { code: 'not-sent', count: 1500 },
    ]);
  });

  it('are not discarded for what piles up before them, but for what they answer wrongly', () => {
    const errors = { ...noErrors, total: 12, unanswered: 7, timeout: 3, status5xx: 2 };
    expect(errorsAtRate(errors)).toEqual({ ...noErrors, total: 2, status5xx: 2 });
  });
});

describe('the recommendation at a fixed rate', () => {
  it('is the smallest value whose p99 is no worse, though throughput is the same', () => {
    const trials = [rated(2, { p99: high }), rated(4, { p99: low }), rated(8, { p99: low })];
    expect(recommendAtRate(trials, rate, labelOf)).toMatchObject([
      { value: 4, status: 'confirmed', headline: 'Use pool size 4 at 500 requests/s', trialKey: trials[1]?.key },
    ]);
  });

  it('leaves out a value that cannot carry the rate', () => {
    const trials = [rated(2, { p99: [1, 1, 1], requests: 900, dropped: 500 }), rated(4, { p99: low.slice(0, 3) })];
    expect(recommendAtRate(trials, rate, labelOf)).toMatchObject([{ value: 4, status: 'plausible' }]);
  });

  it('is none where none carries it', () => {
    const trials = [2, 4].map((pool) => rated(pool, { p99: high, requests: 900, dropped: 500 }));
    expect(recommendAtRate(trials, rate, labelOf)).toMatchObject([
      { value: null, status: 'undecided', headline: 'None of the values carries 500 requests/s' },
    ]);
  });

  it('compares p95 where blocks are too short for p99, and says so', () => {
    const [two, four] = [rated(2, { p99: low, requests: 200, intended: 200 }), rated(4, { p99: low, requests: 200, intended: 200 })];
    const [first] = recommendAtRate([two, four], 50, labelOf);
    expect(first?.why).toContain('too few requests for a p99 of their own, so that the p95 was compared');
  });

  it('leaves out a block in which the load generator was late', () => {
    const spoilt = rated(4, { p99: [400, 400, 400, 400, 400], late: 1_900 });
    expect(recommendAtRate([rated(2, { p99: low }), spoilt], rate, labelOf)).toEqual([]);
  });
});

describe('a run at a fixed rate', () => {
  const profile = loadProfileSchema.parse({ name: 'ladder', connections: [1, 8, 64] });
  const request = runRequestSchema.parse({ targets: ['app'], ratePerS: 200 });

  it('has one trial for each value, whatever the ladder, warmed up with the most connections', () => {
    expect(effectiveLoad(profile, request).ratePerS).toBe(200);
    expect(planRun([declared('app')], profile, request).trials.map(({ connections }) => connections)).toEqual([64]);
  });

  it.each([
    ['users who come and go', { ...profile, stages: [{ users: 4, seconds: 5 }] }, {}, 'rate-and-users'],
    ['several numbers of connections', profile, { connections: [4, 8] }, 'rate-and-ladder'],
  ])('cannot have %s', (_what, load, more, code) => {
    let failed: unknown = null;
    try {
      planRun([declared('app')], load, { ...request, ...more });
    } catch (error) {
      failed = error;
    }
    expect(toFailure(failed).code).toBe(code);
  });
});
