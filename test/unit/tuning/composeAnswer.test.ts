import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { type AnswerInput, type CandidateFacts, composeAnswer } from '../../../src/engine/strategies/search/composeAnswer.ts';
import { openWindow } from '../../support/openWindows.ts';
import { type OpenLoopComparison, compareP99 } from '../../../src/engine/strategies/search/openLoopComparison.ts';
import type { MeasuredCandidate } from '../../../src/engine/statistics/tuningSearch.ts';
import { type TuningAnswer, tuningAnswerSchema } from '../../../src/model/domain/tuning.ts';
import { type Worded, worded } from '../../support/wordedAnswer.ts';
import { verdict } from './tunedAnswer.ts';
import type { Finding } from '../../../src/model/domain/findingKinds.ts';
import { seenTrial } from './tuningEvidence.ts';

const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

function candidate(pool: number, throughput: number, rounds: number, more: Partial<MeasuredCandidate> = {}, noise = 1): MeasuredCandidate {
  const blocks = Array.from({ length: rounds }, (_, i) => ({
    round: i + 1,
    throughput: throughput * (1 + noise * (wobble[(i * 3 + pool) % wobble.length] ?? 0)),
  }));
  return { key: `pool=${pool}`, values: { pool }, cost: pool, blocks, attempts: rounds, errorShare: 0, inserted: false, ...more };
}

/** Pools up to 8 are full; beyond, 8 connections are busy. */
function factsOf(
  { key, values, blocks }: MeasuredCandidate,
  reasons: readonly Finding[] = blocks.length < 2 ? [{ code: 'app-restarted' }] : [],
): CandidateFacts {
  const max = Number(values['pool']);
  const throughput = blocks.length === 0 ? null : blocks.reduce((sum, block) => sum + block.throughput, 0) / blocks.length;
  const pool = { max, busy: Math.min(max, 8), pending: max < 8 ? 20 : 0, holdMs: null, perRequest: 1 };
  return {
    trial: {
      ...seenTrial(throughput, { pool, postgresCpuPercent: max > 8 ? 186 : 90 }),
      key: `java|${key}|c=128`,
      reasons: [...reasons],
      diagnosis:
        max > 8
          ? verdict('database-cpu', 'The database’s CPU is the limit.')
          : verdict('pool-limited', 'The connection pool is the limit.'),
    },
    instances: 1,
    acquireTimeouts: 0,
    ignored: null,
  };
}

const about: AnswerInput['about'] = {
  target: 'java',
  targetLabel: 'Java',
  mode: 'live',
  modeReasons: [{ code: 'one-process' }],
  settingNames: ['pool'],
  settingLabels: { pool: 'Pool size' },
  confirmation: null,
  where: [],
};

function answer(candidates: readonly MeasuredCandidate[], more: Partial<AnswerInput> = {}): Worded<TuningAnswer> {
  return worded(composed(candidates, more));
}

function composed(candidates: readonly MeasuredCandidate[], more: Partial<AnswerInput> = {}): TuningAnswer {
  return composeAnswer({
    about,
    delta: 0.05,
    cores: 2,
    blockCostS: 5,
    finished: true,
    openLoop: null,
    resource: null,
    today: null,
    candidates,
    facts: new Map(candidates.map((one) => [one.key, factsOf(one)])),
    evidence: {
      generator: { cpuPercent: 30, eventLoopUtilisation: 0.3 },
      steady: true,
      openLoop: null,
    },
    ...more,
  });
}

describe('an answer where every request failed', () => {
  it('says so first, whatever the machine and the generator did', () => {
    const candidates = [2, 4, 8].map((pool) => candidate(pool, 0, 0, { attempts: 4 }));
    const facts = new Map(
      candidates.map((one) => [
        one.key,
        factsOf(one, [{ code: 'requests-failed', kind: 'status5xx', count: 980, attempts: 980, limit: 0.01 }]),
      ]),
    );
    const generator = { cpuPercent: 99, eventLoopUtilisation: 0.99 };
    const found = answer(candidates, { facts, evidence: { generator, steady: true, openLoop: null } });
    expect(found.headline).toBe('Too many requests failed');
    expect(found.why).toContain('With 4: 980 requests were answered with a server error (5xx): 100 % of all');
  });
});

const clear = (rounds: number): MeasuredCandidate[] => [
  candidate(2, 2000, rounds),
  candidate(4, 4000, rounds),
  candidate(8, 7900, rounds),
  candidate(16, 8000, rounds),
];

function latency(p99s: Readonly<Record<string, number>>, spread = 0.01): OpenLoopComparison {
  const windows = Object.entries(p99s).flatMap(([key, p99]) =>
    [1, 2, 3, 4].map((round) => openWindow(`pool=${key}`, round, p99 * (1 + spread * Math.sin(7 * round + Number(key))))),
  );
  return compareP99(6000, windows, 'pool=16');
}

describe('the answer of a tuning', () => {
  it('is the smallest value that is enough, with its reason, and fits the contract', () => {
    const openLoop = latency({ 8: 9.8, 16: 10 });
    expect(() => tuningAnswerSchema.parse(composed(clear(5), { openLoop }))).not.toThrow();
    const found = answer(clear(5), { openLoop });
    expect(found).toMatchObject({
      status: 'confirmed',
      values: { pool: 8 },
      plausible: [8, 8],
      best: { values: { pool: 16 } },
      headline: 'Use pool size 8',
      moreSeconds: null,
      openRate: 6000,
      gates: [],
    });
    expect(found.why).toMatch(/^8 is within 5 % of the best \(16\): 7,\d{3} req\/s \[7,\d{3} – 7,\d{3}\]; the best has (8|7),\d{3} req\/s/);
    expect(found.why).toMatch(
      /4 loses 50(\.\d)? % \[.*\] against the best\. p99 at 6,000 req\/s is 9\.\d+ ms with 8 over 4 windows, against (9|10)\.\d+ ms with 16\./,
    );
    expect(found.why).toMatch(
      / A request holds its connection 1\.01 ms, so 7,9\d\d req\/s keep 8 connections busy\. Beyond 8, the database’s CPU is the limit\.$/,
    );
    expect(found.holdMs).toBeCloseTo(1.01, 2);
  });

  it('names what limits the best by its verdict, and a pool only where requests wait for it', () => {
    const largest = (waitShare: number): Worded<TuningAnswer> =>
      answer(
        [2, 4].map((pool) => {
          const one = candidate(pool, 1000 * pool, 5);
          return { ...one, blocks: one.blocks.map((block) => ({ ...block, waitShare })) };
        }),
      );
    expect(largest(0.4).why).toMatch(/ keep 4 connections busy\. The connection pool is the limit\.$/);
    expect(largest(0.001).why).toMatch(/ keep 4 connections busy\.$/);
  });

  it('has a row for each value with its ratio, its prediction and its trial', () => {
    const { settings } = answer(clear(5));
    expect(settings.map(({ values, valid, blocks }) => [values['pool'], valid, blocks])).toEqual([
      [2, true, 5],
      [4, true, 5],
      [8, true, 5],
      [16, true, 5],
    ]);
    expect(settings[0]?.predicted).toBeCloseTo(2000, -1);
    expect(settings[3]).toMatchObject({ trialKey: 'java|pool=16|c=128', ratioToBest: { mean: 1, ciLow: null } });
    expect(settings[1]?.ratioToBest?.mean).toBeCloseTo(0.5, 2);
  });

  it('is most likely with three rounds, and says what would confirm it', () => {
    const found = answer(clear(3));
    expect(found).toMatchObject({ status: 'plausible', values: { pool: 8 }, headline: 'Use pool size 8, most likely' });
    expect(found.why).toContain('2 more rounds would confirm it.');
    expect(found.moreSeconds).toBe(2 * 4 * 5);
  });

  it('is a range when a smaller value cannot be told from the margin', () => {
    const found = answer([candidate(2, 2000, 5), candidate(4, 7610, 5), candidate(8, 7990, 5), candidate(16, 8000, 5)]);
    expect(found).toMatchObject({
      status: 'confirmed',
      values: { pool: 8 },
      plausible: [4, 8],
      headline: 'Use pool size 8, or 4 for 4 to 6 % less',
    });
    expect(found.why).toContain('which is not yet distinguished from 5 %');
  });

  it('is only seen between values that are close, with the one to take until more is known', () => {
    const close = answer([candidate(4, 7600, 4, {}, 9), candidate(8, 7400, 4, {}, 9), candidate(16, 8000, 4, {}, 9)]);
    expect(close.status).toBe('undecided');
    expect(close.values).toBeNull();
    expect(close.headline).toBe('Pool size 4 so far; 8 and 16 are within 15 % of it, not distinguished yet');
  });

  it('is likely next to a smaller value of known cost, whichever side of the tolerance that is on', () => {
    const found = answer([candidate(4, 7000, 8, {}, 5), candidate(8, 7580, 8, {}, 5), candidate(32, 8000, 8, {}, 5)]);
    expect(found).toMatchObject({ status: 'plausible', values: { pool: 32 } });
    expect(found.headline).toMatch(/^Use pool size 32, most likely, or 8 for [1-4] to [6-9] % less$/);
  });

  it('keeps what is in use today while nothing that was seen speaks for a change', () => {
    const open = [candidate(4, 7600, 4, {}, 9), candidate(8, 7400, 4, {}, 9), candidate(16, 8000, 4, {}, 9)];
    const of = (today: number): Worded<TuningAnswer> => answer(open, { today });
    expect(of(8)).toMatchObject({ status: 'undecided', values: null });
    expect(of(8).headline).toBe('Keep pool size 8, as today, for now: 4 leads, and 8 and 16 are within 15 % of it, not distinguished yet');
    expect(of(16).headline).toBe(
      'Keep pool size 16, as today, for now: 4 leads, and 8 and 16 are within 15 % of it, not distinguished yet',
    );
    const noisy = [candidate(4, 7700, 3, {}, 40), candidate(8, 7900, 3, {}, 40), candidate(16, 8000, 3, {}, 40)];
    for (const today of [4, 16])
      expect(answer(noisy, { today }).headline).toBe(`Keep pool size ${today}, as today, for now: 4, 8 and 16 are not distinguished yet`);
    // What is in use today has lost, or was not measured: it is no candidate.
    expect(of(32).headline).toBe('Pool size 4 so far; 8 and 16 are within 15 % of it, not distinguished yet');
    expect(answer([candidate(2, 2000, 4, {}, 5), ...open], { today: 2 }).headline).toMatch(/^Pool size 4 so far; 8 and 16 are within/);
  });

  it('is only seen in much noise, with the range and without a gate', () => {
    const noisy = answer([candidate(4, 7700, 3, {}, 40), candidate(8, 7900, 3, {}, 40), candidate(16, 8000, 3, {}, 40)]);
    expect(noisy).toMatchObject({
      status: 'undecided',
      values: null,
      plausible: [4, 16],
      headline: 'Pool size 4, 8 and 16: not distinguished yet',
      gates: [],
    });
    expect(noisy.noiseFloorPercent).toBeGreaterThan(5);
    expect(noisy.evidence).toMatchObject([{ kind: 'figures', says: 'open', open: { why: 'not-told-apart', name: '4' } }]);
  });

  it('is not given from two rounds, and says how many are missing', () => {
    const early = answer(clear(2));
    expect(early).toMatchObject({ status: 'undecided', values: null, headline: 'At least 1 more round is needed' });
    expect(early.why).toContain('3 valid rounds are the least for any claim; there are 2.');
    expect(early.gates.map(({ code, severity }) => [code, severity])).toEqual([['rounds', 'refuse']]);
    expect(early.moreSeconds).toBeGreaterThan(0);
    expect(answer(clear(2), { finished: false }).gates).toEqual([]);
  });

  it('passes over a value whose p99 is worse at the same rate', () => {
    const found = answer(clear(5), { openLoop: latency({ 8: 30, 16: 10 }) });
    expect(found).toMatchObject({ status: 'confirmed', values: { pool: 16 } });
    expect(found.why).toMatch(/8 loses 1(\.\d)? % \[.*\], and its p99 at 6,000 req\/s is worse: (29|30)\.\d ms\./);
  });

  it('is no more than plausible while p99 looks worse and is not known well', () => {
    const found = answer(clear(5), { openLoop: latency({ 8: 13, 16: 10 }, 0.4) });
    expect(found).toMatchObject({ status: 'plausible', values: { pool: 8 }, headline: 'Use pool size 8, most likely' });
    expect(found.why).toContain('not yet distinguished from 10 % more');
  });

  it.each([
    { missing: 4, what: 'smaller than the answer' },
    { missing: 16, what: 'larger than the answer' },
  ])('is given of the others when $missing, $what, could not be measured, and names it', ({ missing }) => {
    const candidates = [2, 4, 8, 16]
      .filter((pool) => pool < 16 || missing === 16)
      .map((pool) => candidate(pool, 1000 * Math.min(pool, 8), pool === missing ? 0 : 5, { attempts: 5 }));
    const found = answer(candidates);
    expect(found).toMatchObject({ status: 'confirmed', values: { pool: 8 }, headline: 'Use pool size 8' });
    expect(found.why).toContain(`${missing} could not be measured and is not among the values compared.`);
    expect(found.gates.map(({ code, severity }) => [code, severity])).toEqual([['not-measured', 'flag']]);
    expect(found.settings.find(({ values }) => values['pool'] === missing)).toMatchObject({
      valid: false,
      ratioToBest: null,
      reasons: [{ code: 'app-restarted' }],
    });
    expect(answer(candidates, { finished: false }).why).not.toContain('could not be measured');
  });

  it('is not withheld for a missing value that could not change it', () => {
    const found = answer([
      candidate(1, 1000, 0, { attempts: 3 }),
      candidate(2, 2000, 5),
      candidate(4, 4000, 5),
      candidate(8, 7900, 5),
      candidate(16, 8000, 5),
    ]);
    expect(found).toMatchObject({ status: 'confirmed', values: { pool: 8 } });
  });

  it('is refused when the load generator was the limit, with the cure', () => {
    const base = { steady: true, openLoop: null };
    const found = answer(clear(5), { evidence: { ...base, generator: { cpuPercent: 97, eventLoopUtilisation: 0.9 } } });
    expect(found).toMatchObject({
      status: 'undecided',
      values: null,
      moreSeconds: null,
      headline: 'The load generator was the limit, not the app',
    });
    expect(found.why).toMatch(/^The load generator was saturated .* Use fewer connections or a heavier route, or let k6 put the load on/);
  });

  it('names both settings of a grid, and has no single range', () => {
    const grid = [
      { pool: 4, threads: 16, x: 4000 },
      { pool: 8, threads: 16, x: 7950 },
      { pool: 8, threads: 32, x: 8000 },
    ].map(({ pool, threads, x }, index) => candidate(pool, x, 5, { key: `${pool}/${threads}`, values: { pool, threads }, cost: index }));
    const settingLabels = { pool: 'Pool size', threads: 'HTTP threads' };
    const found = answer(grid, { about: { ...about, settingNames: ['pool', 'threads'], settingLabels } });
    expect(found).toMatchObject({
      status: 'confirmed',
      values: { pool: 8, threads: 16 },
      plausible: null,
      headline: 'Use pool size 8 and HTTP threads 16',
    });
    expect(found.why).toMatch(/^8 × 16 is within 5 % of the best \(8 × 32\)/);
  });

  it('says so when there is nothing to compare', () => {
    expect(answer([candidate(8, 8000, 3)])).toMatchObject({ status: 'undecided', best: null, headline: 'Only one value was measured' });
    expect(answer([candidate(4, 0, 0, { attempts: 3 }), candidate(8, 0, 0, { attempts: 3 })]).headline).toBe('No block counts');
    expect(answer([candidate(4, 4000, 1), candidate(8, 8000, 0)]).headline).toBe('Not enough was measured');
    const some = [candidate(4, 4000, 3), candidate(8, 0, 0, { attempts: 3 })];
    const reasons = recorded('The app ended during the block.');
    const facts = new Map(some.map((one) => [one.key, factsOf(one, one.blocks.length > 0 ? [] : reasons)]));
    expect(answer(some, { facts })).toMatchObject({
      headline: 'Only 4 could be measured',
      why: 'The app ended during the block. The reasons stand with each value.',
    });
  });
});
