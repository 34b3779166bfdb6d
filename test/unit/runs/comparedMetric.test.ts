import { describe, expect, it } from 'vitest';
import { acrossRuns, comparedMetric, logSample, moreRoundsFor, verdictOf } from '../../../src/engine/runs/comparedMetric.ts';
import { comparedSentence, sentenceWithCure, signedRange } from '../../../src/model/presentation/comparedWords.ts';
import type { ComparedFigure } from '../../../src/model/domain/comparison.ts';
import { defaultDelta } from '../../../src/model/domain/margin.ts';
import { driftingRuns } from './driftingRuns.ts';

describe('the word for an interval', () => {
  const word = (ciLow: number, ciHigh: number, moreIsBetter = true): string =>
    verdictOf({ mean: Math.sqrt(ciLow * ciHigh), ciLow, ciHigh }, moreIsBetter, defaultDelta);

  it('is "same" only inside ±5 %, better or worse only without 1', () => {
    expect([word(0.96, 1.04), word(1.01, 1.12), word(0.8, 0.99), word(0.98, 1.07), word(0.94, 1.01)]).toEqual([
      'same',
      'better',
      'worse',
      'unknown',
      'unknown',
    ]);
    expect(word(1.01, 1.04)).toBe('same');
    expect([word(1.01, 1.12, false), word(0.8, 0.99, false)]).toEqual(['worse', 'better']);
    expect([0.02, 0.05, 0.1].map((delta) => verdictOf({ mean: 1.03, ciLow: 0.99, ciHigh: 1.07 }, true, delta))).toEqual([
      'unknown',
      'unknown',
      'same',
    ]);
    expect(verdictOf({ mean: 2, ciLow: null, ciHigh: null }, true, defaultDelta)).toBe('unknown');
  });

  it('turns round when the sides change places', () => {
    const opposite = { better: 'worse', worse: 'better', same: 'same', unknown: 'unknown' } as const;
    for (let low = 0.9; low < 1.1; low += 0.007)
      for (let width = 0.01; width < 0.2; width += 0.013) {
        const verdict = verdictOf({ mean: low, ciLow: low, ciHigh: low + width }, true, defaultDelta);
        expect(verdictOf({ mean: 1 / low, ciLow: 1 / (low + width), ciHigh: 1 / low }, true, defaultDelta)).toBe(opposite[verdict]);
      }
  });
});

describe('the sentence', () => {
  const sides = { a: 'pool 4', b: 'pool 8' };
  const difference = (low: number, high: number, degreesOfFreedom = 4): NonNullable<ReturnType<typeof acrossRuns>> => ({
    logRatio: Math.log(low * high) / 2,
    standardError: Math.log(high / low) / 2 / 2.776,
    degreesOfFreedom,
    ratio: Math.sqrt(low * high),
    ciLow: low,
    ciHigh: high,
  });
  const sentence = (low: number, high: number, of: ComparedFigure = 'throughput', rounds: number | null = 5): string =>
    sentenceWithCure(comparedMetric({ of, difference: difference(low, high), ratio: 1, rounds, method: [], delta: defaultDelta }), sides);

  it('says by how much, with the interval', () => {
    expect(sentence(1.08, 1.16)).toBe('pool 8 is 12 % faster than pool 4 (8 – 16 %)');
    expect(sentence(0.84, 0.92)).toBe('pool 8 is 12 % slower than pool 4 (8 – 16 %)');
    expect(sentence(2.1, 2.9)).toBe('pool 8 is 2.5 times as fast as pool 4 (2.1 – 2.9 times)');
    expect(sentence(0.97, 1.02)).toBe('pool 8 is as fast as pool 4, within ±5 % (−3 to +2 %)');
    expect(sentence(1.08, 1.16, 'p99')).toBe('p99 of pool 8 is 12 % higher (8 – 16 %)');
  });

  it('says what it looks like where it is not decided, and what would decide', () => {
    expect(sentence(0.95, 1.12)).toMatch(/^pool 8 looks 3\.2 % faster than pool 4 \(−5 to \+12 %\); about \d+ more rounds would decide$/);
    expect(sentence(0.95, 1.12, 'throughput', null)).toBe(
      'pool 8 looks 3.2 % faster than pool 4 (−5 to +12 %); run both side by side to decide',
    );
    const few = comparedMetric({ of: 'throughput', difference: null, ratio: 1.03, rounds: 1, method: [], delta: defaultDelta });
    expect(few.verdict).toBe('unknown');
    expect(comparedSentence(few, sides)).toBe(
      'pool 8 is 3 % faster than pool 4, but there are too few blocks to tell whether that is noise',
    );
  });

  it('asks for as many rounds as make the interval decide', () => {
    const wide = difference(0.9, 1.13);
    const more = moreRoundsFor(wide, 5, defaultDelta);
    expect(more).not.toBeNull();
    const halfWidth = (rounds: number): number => 2 * wide.standardError * Math.sqrt(5 / rounds);
    expect(halfWidth(5 + (more ?? 0))).toBeLessThan(-Math.log(1 - defaultDelta));
    expect(halfWidth(4)).toBeGreaterThan(-Math.log(1 - defaultDelta));
    expect(moreRoundsFor(difference(0.3, 3), 5, defaultDelta)).toBeNull();
    // Blocks of different rounds: both have none.
    expect(moreRoundsFor(wide, 0, defaultDelta)).toBeGreaterThan(0);
  });
});

describe('two runs at different times', () => {
  it('are told to differ in at most 5 of 100 cases when they do not, and by blocks alone far more often', () => {
    const run = driftingRuns(11);
    let cautious = 0;
    let naive = 0;
    const experiments = 2_000;
    for (let index = 0; index < experiments; index += 1) {
      const [a, b] = [logSample(run(8)), logSample(run(8))];
      const difference = acrossRuns(a, b);
      if (difference === null) throw new Error('no difference');
      if (difference.ciLow > 1 || difference.ciHigh < 1) cautious += 1;
      const blocksOnly = Math.sqrt(a.variance / a.n + b.variance / b.n);
      if (Math.abs(difference.logRatio) > 2.14 * blocksOnly) naive += 1;
    }
    expect(cautious / experiments).toBeLessThan(0.05);
    expect(naive / experiments).toBeGreaterThan(0.2);
  });

  it('are still told apart when they differ by a fifth', () => {
    const run = driftingRuns(12);
    let told = 0;
    for (let index = 0; index < 200; index += 1) {
      const slower = run(8).map((value) => value * 0.8);
      const difference = acrossRuns(logSample(run(8)), logSample(slower));
      if ((difference?.ciHigh ?? 1) < 1) told += 1;
    }
    expect(told).toBeGreaterThan(190);
  });

  it('cannot be compared with one block on either side', () => {
    expect(acrossRuns(logSample([1_000]), logSample([1_000, 1_010]))).toBeNull();
  });

  it('are asked for more certainty where the worst of several is picked out', () => {
    const [a, b] = [logSample([1_000, 1_010, 990]), logSample([1_000, 1_010, 990])];
    expect(acrossRuns(a, b, 1 - 0.025 / 8)?.ciHigh).toBeGreaterThan(acrossRuns(a, b)?.ciHigh ?? Number.POSITIVE_INFINITY);
  });
});

describe('a signed range', () => {
  it('has its signs and no needless digits', () => {
    expect(signedRange(0.97, 1.112)).toBe('−3 to +11 %');
    expect(signedRange(1, 1)).toBe('+0 to +0 %');
  });
});
