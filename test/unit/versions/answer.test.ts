import { describe, expect, it } from 'vitest';
import type { ComparedFigure, Comparison } from '../../../src/model/comparison.ts';
import { defaultDelta } from '../../../src/model/margin.ts';
import type { Trial } from '../../../src/model/run.ts';
import { composeDiff } from '../../../src/engine/versions/answer.ts';

const sides = {
  base: { label: 'main (1111111)', commit: '1'.repeat(40), trialKey: 'a' },
  head: { label: 'the working tree', commit: null, trialKey: 'b' },
};

/** A trial of 1,000 requests that sent these statements so often. */
function trial(calls: Readonly<Record<string, number>>, more: Partial<Trial> = {}): Trial {
  return {
    valid: true,
    reasons: [],
    throughput: { mean: 100, ciLow: null, ciHigh: null },
    latencyMs: null,
    resources: { app: { cpuUsPerRequest: null } },
    blocks: [{ valid: true, requests: 1000 }],
    statements: Object.entries(calls).map(([sql, count]) => ({ sql, calls: count, rows: count })),
    ...more,
  } as unknown as Trial;
}

function figure(verdict: ComparedFigure['verdict'], mean: number, half: number): ComparedFigure {
  return {
    verdict,
    ratio: { mean, ciLow: mean - half, ciHigh: mean + half },
    sentence: '',
    moreRounds: verdict === 'unknown' ? 12 : null,
    method: '',
  };
}

function compared(throughput: ComparedFigure | null, a: Trial, b: Trial) {
  const row = {
    label: '',
    a,
    b,
    throughputRatio: null,
    p99Ratio: null,
    cpuPerRequestRatio: null,
    throughput,
    p99: null,
    cpuPerRequest: null,
    curves: null,
  };
  return composeDiff(sides, { rows: [row], delta: defaultDelta } as unknown as Comparison);
}

const select = 'select * from items where id = $1';

describe('what two versions differ in', () => {
  it('names the sides, the change and its interval', () => {
    expect(compared(figure('worse', 0.88, 0.03), trial({}), trial({})).headline).toBe(
      'The working tree is 12 % slower than main (1111111) (−15 % to −9.0 %).',
    );
    expect(compared(figure('worse', 0.2, 0.01), trial({}), trial({})).headline).toMatch(/^The working tree is 5\.00 times slower than/);
    expect(compared(figure('same', 1.01, 0.02), trial({}), trial({})).headline).toBe(
      'The working tree is as fast as main (1111111), within ±5 % (−1.0 % to +3.0 %).',
    );
    expect(compared(figure('unknown', 0.98, 0.08), trial({}), trial({})).headline).toBe(
      'Can’t tell yet whether the working tree is slower or faster than main (1111111) (−10 % to +6.0 %); about 12 more rounds would decide.',
    );
  });

  it('is decided by counts where times cannot decide, and never against them', () => {
    const [a, b] = [trial({ [select]: 1000 }), trial({ [select]: 9000 })];
    const open = compared(figure('unknown', 0.98, 0.08), a, b);
    expect(open.verdict).toBe('worse');
    expect(open.headline).toMatch(/^The working tree sends 9 statements instead of 1 statement for each request; whether it is slower/);
    expect(compared(figure('better', 1.2, 0.05), a, b).verdict).toBe('better');
  });

  it('tells statements that are new, gone or sent more often, the largest change first, and those sent for each row', () => {
    const { statements, metrics } = compared(
      figure('worse', 0.5, 0.1),
      trial({ [select]: 1000, 'select 1': 1000, 'delete from old': 500 }),
      trial({ [select]: 6000, 'select 1': 1010, 'insert into log values ($1)': 1000 }),
    );
    expect(statements.map(({ sql, kind, nPlusOne }) => [sql, kind, nPlusOne])).toEqual([
      [select, 'more often', true],
      ['insert into log values ($1)', 'new', false],
      ['delete from old', 'gone', false],
    ]);
    expect(metrics.find(({ name }) => name === 'statements per request')).toMatchObject({
      base: 2.5,
      head: 8.01,
      exact: true,
      verdict: 'worse',
    });
  });

  it('says nothing about statements where PostgreSQL did not count them', () => {
    const { statements, metrics } = compared(
      figure('same', 1, 0.01),
      trial({}, { statements: undefined as never }),
      trial({ [select]: 5 }),
    );
    expect(statements).toEqual([]);
    expect(metrics.some(({ name }) => name === 'statements per request')).toBe(false);
  });

  it('can’t tell where a version was not measured as asked, and says why', () => {
    const found = compared(null, trial({}), trial({}, { valid: false, reasons: ['It answered 40 % of the requests with an error.'] }));
    expect(found).toMatchObject({
      verdict: 'unknown',
      headline: 'Can’t tell: the working tree was not measured as asked. It answered 40 % of the requests with an error.',
    });
  });
});
