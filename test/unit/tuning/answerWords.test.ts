import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateText } from '../../../src/model/domain/gate.ts';
import { evidenceText } from '../../../src/model/domain/answerEvidence.ts';
import { type TuningAnswer, tuningAnswerSchema } from '../../../src/model/domain/tuning.ts';
import { worded } from '../../support/wordedAnswer.ts';
import { type SeenPool, tunedPools, verdict } from './tunedAnswer.ts';

const flat = (waitShare: number, sizes = [1, 4, 16, 100]): SeenPool[] =>
  sizes.map((pool) => ({ pool, throughput: 32, rounds: 4, waitShare: pool === sizes[0] ? waitShare : 0 }));

describe('an answer where nothing that was tested limits', () => {
  it('says so, keeps what is in use today, and says how few leave room to spare', () => {
    const found = tunedPools(flat(0.003), { today: 100 });
    expect(worded(found)).toMatchObject({
      status: 'confirmed',
      values: { pool: 100 },
      plausible: [1, 100],
      headline:
        'The pool does not limit this load: any size from 1 on gives the same; keep your 100, or 4 for this load with room to spare',
      facts: { code: 'not-limiting', what: 'pool', from: 1, busy: 3, room: 4, today: 100 },
    });
    expect(worded(found).why).toContain('Of a pool, at most 3 connections are in use at once 99.9 % of the time.');
    expect(found.evidence.map(({ says }) => says)).toEqual(['for', 'for']);
    expect(() => tuningAnswerSchema.parse(found)).not.toThrow();
  });

  it('leaves no less room than was seen in use, than a request holds at once, and no more than the load can use', () => {
    const room = (pool: object, connections = 16): unknown =>
      tunedPools(
        flat(0).map((one) => ({
          ...one,
          seen: { connections, pool: { max: one.pool, busy: 0.37, pending: 0, holdMs: null, perRequest: 1, ...pool } },
        })),
        { today: 100 },
      ).facts;
    expect(room({ busyMost: 7 })).toMatchObject({ busy: 7, room: 8 });
    expect(room({ perRequest: 6 })).toMatchObject({ room: 6 });
    expect(room({ busyMost: 7 }, 2)).toMatchObject({ busy: 2, room: 2 });
    expect(room({ busy: 1.48, processes: 4 })).toMatchObject({ busy: 3, room: 4 });
  });

  it('names a measured size that leaves room where nobody knows what is in use today', () => {
    expect(worded(tunedPools(flat(0)))).toMatchObject({
      values: { pool: 4 },
      headline: 'The pool does not limit this load: any size from 1 on gives the same; 4 for this load with room to spare',
    });
  });

  it('is not given where requests wait at the smallest, or a larger one is another', () => {
    expect(tunedPools(flat(0.2)).facts.code).not.toBe('not-limiting');
    const slower = [...flat(0.003, [1, 4]), { pool: 16, throughput: 28, rounds: 6, waitShare: 0 }];
    expect(tunedPools(slower).facts.code).toBe('use');
    expect(tunedPools(flat(0.003), { resource: null }).facts.code).not.toBe('not-limiting');
  });
});

describe('an answer to a load that uses no connection', () => {
  it('recommends no size, and says to load other routes', () => {
    const use = (perRequest: number | null, busy: number) => ({
      seen: { pool: { max: 8, busy, pending: 0, holdMs: null, perRequest } },
    });
    const of = (perRequest: number | null, busy: number): TuningAnswer =>
      tunedPools(
        flat(0).map((one) => ({ ...one, ...use(perRequest, busy) })),
        { today: 100 },
      );
    expect(worded(of(0.001, 0))).toMatchObject({
      status: 'undecided',
      values: null,
      plausible: null,
      moreSeconds: null,
      evidence: [],
      headline: 'No request of this load takes a connection: it says nothing of the pool',
      why: 'Choose routes that use the database: by their weights in benchside.json, or one of them by its name.',
    });
    for (const answer of [of(0.02, 0), of(0, 0.9), of(null, 0)]) expect(answer.facts.code).toBe('not-limiting');
  });
});

describe('an answer against what is in use today', () => {
  const steps = [2, 4, 8, 10, 16].map((pool): SeenPool => ({ pool, throughput: 1000 * Math.min(pool, 8), rounds: 6 }));

  it('says what a smaller one saves', () => {
    expect(worded(tunedPools(steps, { today: 10 })).headline).toBe('Use pool size 8: 10 today; 8 is enough, saves 2 connections');
    expect(worded(tunedPools(steps, { today: 10, resource: null })).headline).toBe('Use pool size 8: 10 today; 8 is enough, saves 2');
  });

  it('says what a larger one gives', () => {
    expect(worded(tunedPools(steps, { today: 4 })).headline).toMatch(/^Use pool size 8: 4 today; 8 gives 9\d to 10\d % more$/);
  });

  it('says that it stays, and nothing of one that was not measured', () => {
    expect(worded(tunedPools(steps, { today: 8 })).headline).toBe('Use pool size 8, as today');
    const near = [4, 8].map((pool): SeenPool => ({ pool, throughput: pool === 4 ? 7560 : 8100, rounds: 6 }));
    expect(worded(tunedPools(near, { today: 8 })).headline).toMatch(/^Use pool size 8, as today, or 4 for [67] to [78] % less$/);
    expect(worded(tunedPools(steps, { today: 12 })).headline).toBe('Use pool size 8');
  });

  it('names it once where it is the cheaper neighbour', () => {
    const close = [4, 8].map((pool): SeenPool => ({ pool, throughput: pool === 4 ? 7560 : 8100, rounds: 6 }));
    expect(worded(tunedPools(close, { today: 4 })).headline).toMatch(/^Use pool size 8, or keep 4 for [67] to [78] % less$/);
    expect(worded(tunedPools(close)).headline).toMatch(/^Use pool size 8, or 4 for [67] to [78] % less$/);
  });
});

describe('why p99 was not compared', () => {
  it('is said with a budget that has the time, or nothing is said', () => {
    const pools = [2, 4, 8].map((pool): SeenPool => ({ pool, throughput: 1000 * pool, rounds: 6 }));
    expect(worded(tunedPools(pools, { p99BudgetS: 84 })).why).toContain(
      'p99 was not compared, for want of time: a budget of 1 min 30 s has it.',
    );
    expect(worded(tunedPools(pools)).why).not.toContain('p99');
  });
});

/** Everything that is said of an answer, wherever it is shown. */
function said(answer: TuningAnswer): string[] {
  const { headline, why } = worded(answer);
  const texts = [headline, why, ...answer.gates.map(gateText), ...answer.evidence.map(evidenceText)];
  return texts.filter((text) => text !== '');
}

/** Statements of which no two may be in one answer. */
const contradictions: readonly (readonly [RegExp, RegExp])[] = [
  [/a larger one may be better/, /more connections would not|can gain (?:[0-4](?:\.\d)?) % at the most|can gain more than/],
  [/a larger pool can gain up to/, /more connections would not|can gain \d+(?:\.\d)? % at the most/],
  [/can gain more than/, /connection pool is the limit|a larger pool can gain/],
  [/does not limit this load/, /connection pool is the limit|a larger pool can gain up to|a larger one may be better|^Use /],
  [/is enough, saves/, /a larger one may be better|not distinguished yet$/],
  [/not distinguished yet$|leads so far$/, /would confirm it|is proven|^Use |most likely/],
  [/more would decide/, /not worth the time|longer than it is worth/],
  [/no pool was ever full|No pool was ever full/, /Use pool size/],
];

describe('what is said of one answer', () => {
  const size = fc.constantFrom(0.3, 0.6, 0.9, 0.94, 0.97, 1, 1.02);
  const state = fc.record({
    shape: fc.array(size, { minLength: 2, maxLength: 5 }),
    rounds: fc.integer({ min: 2, max: 8 }),
    noise: fc.constantFrom(0.2, 1, 5, 20),
    waits: fc.array(fc.constantFrom(0, 0.003, 0.02, 0.1, 0.48, 0.9), { minLength: 5, maxLength: 5 }),
    seesWaits: fc.boolean(),
    eventLoop: fc.option(fc.constantFrom(0.5, 0.95, 0.98, 1)),
    appCpuPercent: fc.constantFrom(30, 120, 175, 198),
    postgresCpuPercent: fc.constantFrom(10, 60, 165),
    busy: fc.constantFrom(0.05, 0.5, 0.95, 1),
    today: fc.option(fc.constantFrom(1, 2, 4, 8, 16)),
    p99BudgetS: fc.option(fc.constantFrom(12, 90)),
  });

  const answerOf = (one: typeof state extends fc.Arbitrary<infer T> ? T : never): TuningAnswer => {
    const { shape, rounds, noise, waits, seesWaits, eventLoop, appCpuPercent, postgresCpuPercent, busy, today, p99BudgetS } = one;
    const pools = shape.map((share, index): SeenPool => {
      const pool = 2 ** index;
      const hostCpuPercent = Math.min(100, (appCpuPercent + postgresCpuPercent + 20) / 2);
      const waitShare = waits[index] ?? 0;
      const use = { max: pool, busy: busy * pool, pending: 16 * waitShare, holdMs: null, perRequest: 1 };
      const seen = { eventLoopUtilisation: eventLoop, appCpuPercent, postgresCpuPercent, hostCpuPercent, pool: use };
      const isFull = eventLoop !== null && eventLoop >= 0.95;
      const diagnosis = isFull
        ? verdict('event-loop', 'The event loop is the limit.')
        : verdict('pool-limited', 'The connection pool is the limit.');
      return { pool, throughput: 4000 * share, rounds, noise, waitShare: seesWaits ? waitShare : null, seen, diagnosis };
    });
    return tunedPools(pools, { today, p99BudgetS });
  };

  it('never contradicts itself', () => {
    fc.assert(
      fc.property(state, (one) => {
        const texts = said(answerOf(one));
        for (const [a, b] of contradictions) {
          const [first, second] = [texts.find((text) => a.test(text)), texts.find((text) => b.test(text))];
          if (first !== undefined && second !== undefined) expect.fail(`“${first}” beside “${second}”`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('has a value exactly where it is likely or proven, and the facts that its headline is made from', () => {
    fc.assert(
      fc.property(state, (one) => {
        const found = answerOf(one);
        expect(found.values !== null).toBe(found.status !== 'undecided');
        const codes = found.status === 'undecided' ? ['rounds-missing', 'open'] : ['use', 'not-limiting'];
        if (found.facts.code !== 'refused') expect(codes).toContain(found.facts.code);
        expect(() => tuningAnswerSchema.parse(found)).not.toThrow();
      }),
      { numRuns: 100 },
    );
  });
});

describe('figures that do not show what the waits say', () => {
  it('are told as that, and not as being within δ', () => {
    const pools = [1, 4].map((pool): SeenPool => ({ pool, throughput: pool === 1 ? 1700 : 2000, rounds: 4, waitShare: 0.003, noise: 60 }));
    const { why, facts } = worded(tunedPools(pools, { today: 4 }));
    expect(facts.code).toBe('not-limiting');
    expect(why).toMatch(/^1 is within 5 % of the best \(4\) by what requests wait, though the figures do not show it: /);
  });
});
