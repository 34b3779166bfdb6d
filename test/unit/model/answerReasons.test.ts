import { describe, expect, it } from 'vitest';
import { type AnswerFacts, headlineOfFacts } from '../../../src/model/domain/answerFacts.ts';
import { type AnswerReason, answerReasonKinds, answerReasonSchema, reasonsText } from '../../../src/model/domain/answerReason.ts';

const figures = { mean: 7_885, ciLow: 7_797, ciHigh: 7_973 };
const of = { name: '8', throughput: figures };
const best = { name: '16', throughput: { mean: 8_321, ciLow: null, ciHigh: null } };
const below = { code: 'below', name: '4', ratio: { mean: 0.5, ciLow: 0.45, ciHigh: 0.55 }, isBest: true, open: null, worse: null } as const;
const p99 = { code: 'p99', name: '8', ratePerS: 6_000, p99Ms: 9.8, windows: null, best: null, floor: null, open: null } as const;
const floor = { leastMs: 9, waitedMs: 0.5, unbounded: 0.001 };
const hold = { code: 'hold', holdMs: 1, throughput: 7_940, busy: 7.94, isFull: true, processes: 1 } as const;
const full = { code: 'recorded', sentence: 'The event loop is the limit.' } as const;
const restarted = { code: 'app-restarted' } as const;
const failed = { code: 'requests-failed', kind: 'reset', count: 3, attempts: 4, limit: 0.01 } as const;

/** Each kind with its words. */
const words: readonly (readonly [AnswerReason, string])[] = [
  [{ code: 'best', of }, '8 is the best measured: 7,885 req/s [7,797 – 7,973].'],
  [{ code: 'best', of: { name: '8', throughput: null } }, '8 is the best measured: no figure.'],
  [
    { code: 'near', of, best, delta: 0.05, proven: true, waitsOnly: false },
    '8 is within 5 % of the best (16): 7,885 req/s [7,797 – 7,973]; the best has 8,321 req/s.',
  ],
  [
    { code: 'near', of, best, delta: 0.05, proven: false, waitsOnly: true },
    '8 is most likely within 5 % of the best (16) by what requests wait, though the figures do not show it: 7,885 req/s [7,797 – 7,973]; the best has 8,321 req/s.',
  ],
  [{ code: 'against-best', of, best }, '8 against the best (16): 7,885 req/s [7,797 – 7,973]; the best has 8,321 req/s.'],
  [
    { code: 'not-its-size', of, rival: best, delta: 0.05 },
    '8 carried 7,885 req/s [7,797 – 7,973], and 16, at which nobody waits either, 8,321 req/s: by more than 5 %, which cannot be its size.',
  ],
  [{ code: 'largest', mayBeBetter: true }, 'It is also the largest value tested: a larger one may be better still.'],
  [{ code: 'largest', mayBeBetter: false }, 'It is also the largest value tested.'],
  [{ code: 'all-used', usable: 32 }, 'It is also the largest value tested, and the load never uses more than 32.'],
  [{ code: 'busy', busy: 1 }, 'Of a pool, at most 1 connection is in use at once 99.9 % of the time.'],
  [below, '4 loses 50 % [45 – 55 %].'],
  [{ ...below, ratio: { mean: 0.5, ciLow: 0.1, ciHigh: 2.5 }, isBest: false }, '4 loses 50 % against the best.'],
  [{ ...below, open: 0.05 }, '4 loses 50 % [45 – 55 %], which is not yet distinguished from 5 %.'],
  [{ ...below, worse: { ratePerS: 6_000, p99Ms: 29 } }, '4 loses 50 % [45 – 55 %], and its p99 at 6,000 req/s is worse: 29.0 ms.'],
  [{ ...below, worse: { ratePerS: 6_000, p99Ms: null } }, '4 loses 50 % [45 – 55 %], and it cannot carry 6,000 req/s.'],
  [{ code: 'discarded-values', values: [2, 32] }, 'Discarded, and not among the values compared: 2, 32.'],
  [{ code: 'missing-values', names: ['2'] }, '2 could not be measured and is not among the values compared.'],
  [{ code: 'missing-values', names: ['2', '4'] }, '2 and 4 could not be measured and are not among the values compared.'],
  [{ code: 'connections', connections: 32 }, 'At 32 connections.'],
  [
    { code: 'short-of-cpu', takenPercent: 70 },
    'So it is while other programs take 70.0 % of the CPU, and what they left was the limit; requests still wait for a connection, so that a larger value may be better once they have ended.',
  ],
  [p99, 'p99 at 6,000 req/s is 9.80 ms with 8.'],
  [
    { ...p99, windows: { counted: 12, measured: 16 }, best: { name: '16', p99Ms: 10 }, open: 0.1 },
    'p99 at 6,000 req/s is 9.80 ms with 8 over 12 of 16 windows, against 10.0 ms with 16, which is not yet distinguished from 10 % more.',
  ],
  [
    { ...p99, windows: { counted: 1, measured: 1 }, floor },
    'p99 at 6,000 req/s is 9.80 ms with 8 over 1 window; nothing larger can bring it below 9.00 ms, as 999 of 1,000 requests waited at most 0.500 ms for a connection.',
  ],
  [
    { ...p99, best: { name: '16', p99Ms: 9.5 }, floor },
    'p99 at 6,000 req/s is 9.80 ms with 8, against 9.50 ms with 16, which is not for its size, as 999 of 1,000 requests waited at most 0.500 ms for a connection.',
  ],
  [
    { code: 'p99-not-compared', budgetS: null },
    'p99 could not be compared: too few requests came at the fixed rate, or they were sent late. Allow more time, or run on a quieter machine.',
  ],
  [{ code: 'p99-not-compared', budgetS: 84 }, 'p99 was not compared, for want of time: a budget of 1 min 30 s has it.'],
  [{ code: 'p99-higher', ms: 9, bestMs: 5 }, 'Its p99 is 9.00 ms against 5.00 ms.'],
  [{ code: 'more-errors', name: '4', share: 0.0005 }, '4 had more errors than the best: 0.050 % of requests.'],
  [
    { code: 'lowest-at-rate', ratePerS: 500, quantile: 'p99', best: { value: 8, ms: 4 }, answer: null },
    'At 500 requests/s, 8: p99 4.00 ms, the lowest.',
  ],
  [
    {
      code: 'lowest-at-rate',
      ratePerS: 500,
      quantile: 'p95',
      best: { value: 8, ms: null },
      answer: { value: 4, ms: 4, proven: false, margin: 0.1 },
    },
    'At 500 requests/s, 8: p95 unknown, the lowest; 4: p95 4.00 ms, most likely no more than 10 % above it.',
  ],
  [
    {
      code: 'worse-at-rate',
      quantile: 'mean latency',
      values: [
        { value: 1, ms: 9 },
        { value: 2, ms: 8 },
      ],
    },
    '1: mean latency 9.00 ms; 2: mean latency 8.00 ms, which is worse.',
  ],
  [{ code: 'few-for-p99', quantile: 'p95' }, 'Blocks have too few requests for a p99 of their own, so that the p95 was compared.'],
  [{ code: 'rate-too-high' }, 'Lower the rate, or test larger values.'],
  [hold, 'A request holds its connection 1.00 ms, so 7,940 req/s keep 8 connections busy.'],
  [
    { ...hold, busy: 1.4, isFull: false, processes: 2 },
    'A request holds its connection 1.00 ms, so 7,940 req/s keep 1.40 connections in all 2 processes together busy on average.',
  ],
  [{ code: 'limit', beyond: '8', verdict: full }, 'Beyond 8, the event loop is the limit.'],
  [{ code: 'limit', beyond: null, verdict: full }, 'The event loop is the limit.'],
  [{ code: 'rounds-missing', rounds: 1 }, '1 more round would confirm it.'],
  [{ code: 'another-open' }, 'That another is better is not ruled out.'],
  [{ code: 'more-time', between: 'all', seconds: 39.2 }, 'About 40 s more would decide.'],
  [{ code: 'more-time', between: 'another', seconds: 120 }, 'About 2 min more would decide.'],
  [{ code: 'more-time', between: 'two', seconds: null }, 'Telling the two apart would take longer than it is worth.'],
  [{ code: 'more-time', between: 'another', seconds: null }, 'Ruling it out is not worth the time.'],
  [
    { code: 'gate', gate: { code: 'not-steady', severity: 'flag' } },
    'It was still warming up when it was measured. Allow a longer warm-up.',
  ],
  [{ code: 'other-load' }, 'Choose routes that use the database: by their weights in benchside.json, or one of them by its name.'],
  [{ code: 'one-value' }, 'There is nothing to compare it with. Name at least two values.'],
  [
    { code: 'failed', name: '4', finding: failed },
    'With 4: 3 requests were cut off by the app: 75.0 % of all, where errors together may be 1.00 %. Look at the app’s log: a crash or a keep-alive time-out closes connections.',
  ],
  [{ code: 'too-little', target: 'Java' }, 'Two rounds are the least for a comparison. Java has had less than that.'],
  [
    { code: 'discarded', most: restarted },
    'The app was restarted or died while it was measured. Look at its log. The reasons stand with each value.',
  ],
  [{ code: 'discarded', most: null }, 'The reasons stand with each value.'],
  [{ code: 'recorded', sentence: 'It is the best.' }, 'It is the best.'],
];

describe('what an answer rests on', () => {
  it.each(words)('%j has its words, and is the same after a message', (reason, text) => {
    expect(reasonsText([reason])).toBe(text);
    expect(answerReasonSchema.parse(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
  });

  it('has words in every kind that there is', () => {
    expect([...new Set(words.map(([{ code }]) => code))].sort()).toEqual(Object.keys(answerReasonKinds).sort());
  });
});

const named = { settingNames: ['pool', 'threads'], settingLabels: { pool: 'Pool size', threads: 'HTTP threads' } };

describe('the sentence of an answer without a value to use', () => {
  it.each<[AnswerFacts, string]>([
    [{ code: 'refused', by: 'generator' }, 'The load generator was the limit, not the app'],
    [{ code: 'refused', by: 'other' }, 'Nothing that counts was measured'],
    [{ code: 'one-value' }, 'Only one value was measured'],
    [{ code: 'unused', what: 'pool' }, 'No request of this load takes a connection: it says nothing of the pool'],
    [{ code: 'too-little' }, 'Not enough was measured'],
    [{ code: 'only-measured', candidates: [] }, 'No block counts'],
    [{ code: 'only-measured', candidates: [{ pool: 4 }, { pool: 8 }] }, 'Only 4 and 8 could be measured'],
    [{ code: 'none-carries', ratePerS: 500 }, 'None of the values carries 500 requests/s'],
    [{ code: 'at-rate', ratePerS: 500, values: { pool: 8 }, least: { pool: 8 } }, 'Use pool size 8 at 500 requests/s'],
    [
      { code: 'at-rate', ratePerS: 500, values: { threads: 8 }, least: { threads: 4 } },
      'HTTP threads 4 may be enough at 500 requests/s; 8 is',
    ],
    [{ code: 'recorded', sentence: 'Use it' }, 'Use it'],
  ])('%j is “%s”', (facts, text) => {
    expect(headlineOfFacts(facts, named)).toBe(text);
  });
});
