import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShapeRule, StudyPoint } from '../../../src/model/study.ts';
import { allAgree, judgeShape } from '../../../src/engine/study/shape.ts';

const arms = ['a', 'b'].map((name) => ({
  name,
  label: name.toUpperCase(),
  target: 'node',
  settings: {},
  topology: { instances: 1, proxy: null, cpuShare: null, schedule: [] },
  needs: [],
}));

function point(arm: string, level: number, throughput: number, changes: Partial<StudyPoint> = {}): StudyPoint {
  return {
    ...{ arm, level, trialKey: `${arm}|${level}`, valid: true, reasons: [], limit: null, limitSentence: null },
    figures: { throughput, meanMs: level },
    throughput: { mean: throughput, ciLow: throughput * 0.98, ciHigh: throughput * 1.02 },
    ...changes,
  };
}

function agrees(rule: ShapeRule, points: StudyPoint[]): boolean | null | undefined {
  return judgeShape({ arms, shape: [rule] }, points)[0]?.agrees;
}

const because = 'the study found so';

describe('the shape of a result', () => {
  const ceiling = [10, 50, 100, 150].map((level) => point('a', level, 43 - level / 150));

  it('is flat when no level strays from the middle by more than is allowed', () => {
    expect(agrees({ rule: 'flat', figure: 'throughput', arm: 'a', withinPercent: 10, because }, ceiling)).toBe(true);
    expect(agrees({ rule: 'flat', figure: 'throughput', arm: 'a', withinPercent: 10, because }, [...ceiling, point('a', 200, 60)])).toBe(
      false,
    );
  });

  it('rises by the factor from the first level to the last', () => {
    expect(agrees({ rule: 'rises', figure: 'meanMs', arm: 'a', atLeast: 8, because }, ceiling)).toBe(true);
    expect(agrees({ rule: 'rises', figure: 'meanMs', arm: 'a', atLeast: 16, because }, ceiling)).toBe(false);
  });

  it('does not rise too little where an end of the ladder is void: then it cannot be told', () => {
    const part = ceiling.map((one) => (one.level > 50 ? { ...one, valid: false } : one));
    expect(agrees({ rule: 'rises', figure: 'meanMs', arm: 'a', atLeast: 8, because }, part)).toBe(null);
    expect(agrees({ rule: 'rises', figure: 'meanMs', arm: 'a', atLeast: 4, because }, part)).toBe(true);
  });

  it('reaches a plateau when nothing rises beyond it', () => {
    const curve = [point('a', 1, 100), point('a', 8, 400), point('a', 64, 410), point('a', 512, 390)];
    expect(agrees({ rule: 'plateau', figure: 'throughput', arm: 'a', by: 8, withinPercent: 10, because }, curve)).toBe(true);
    expect(agrees({ rule: 'plateau', figure: 'throughput', arm: 'a', by: 1, withinPercent: 10, because }, curve)).toBe(false);
  });

  it('compares two arms at the last level that both have', () => {
    const points = [point('a', 10, 100), point('a', 50, 300), point('b', 10, 100), point('b', 50, 150), point('b', 100, 900)];
    expect(agrees({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 1.9, max: 2.1, because }, points)).toBe(true);
    expect(agrees({ rule: 'order', figure: 'throughput', arms: ['b', 'a'], at: 50, slackPercent: 0, because }, points)).toBe(true);
    expect(agrees({ rule: 'order', figure: 'throughput', arms: ['a', 'b'], at: 50, slackPercent: 0, because }, points)).toBe(false);
  });

  it('cannot be told where the intervals overlap', () => {
    const wide = { throughput: { mean: 100, ciLow: 60, ciHigh: 166 } };
    const points = [point('a', 10, 100, wide), point('b', 10, 95, { throughput: { mean: 95, ciLow: 57, ciHigh: 158 } })];
    expect(agrees({ rule: 'order', figure: 'throughput', arms: ['a', 'b'], at: 'last', slackPercent: 0, because }, points)).toBe(null);
    expect(agrees({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 1.5, because }, points)).toBe(null);
  });

  it('is never judged by a void measurement', () => {
    const points = [point('a', 10, 100), point('a', 50, 9000, { valid: false })];
    expect(agrees({ rule: 'rises', figure: 'throughput', arm: 'a', atLeast: 2, because }, points)).toBe(null);
    expect(agrees({ rule: 'limit', arm: 'a', kinds: ['gc'], at: 50, because }, points)).toBe(null);
  });

  it('asks the verdict where a rule is about the limit', () => {
    const points = [point('a', 10, 100, { limit: 'outbound-pool', limitSentence: 'Both connections were busy.' })];
    expect(agrees({ rule: 'limit', arm: 'a', kinds: ['outbound-pool'], at: 'last', because }, points)).toBe(true);
    expect(agrees({ rule: 'limit', arm: 'a', kinds: ['gc', 'cpu'], at: 'last', because }, points)).toBe(false);
  });

  it('agrees as a whole only when every rule does', () => {
    const result = (value: boolean | null): { agrees: boolean | null; sentence: string; because: string } => ({
      agrees: value,
      sentence: '',
      because,
    });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(true, false, null), { minLength: 1 }), (values) => {
        const all = allAgree(values.map(result));
        if (values.includes(false)) expect(all).toBe(false);
        else expect(all).toBe(values.includes(null) ? null : true);
      }),
    );
  });
});
