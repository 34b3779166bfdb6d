import { recorded } from '../../support/recorded.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShapeRule } from '../../../src/model/domain/experiment.ts';
import { type JudgedRule, allAgree, judgeShape } from '../../../src/engine/strategies/experiment/shape.ts';
import type { MeasuredPoint } from '../../../src/engine/strategies/experiment/measuredPoint.ts';
import { examplePoint } from '../../support/measuredPoints.ts';
import { shapeWords } from '../../../src/model/presentation/shapeWords.ts';

const variants = ['a', 'b'].map((name) => ({
  name,
  label: name.toUpperCase(),
  target: 'node',
  settings: {},
  topology: { instances: 1, proxy: null, cpuShare: null, schedule: [] },
  needs: [],
}));
const because = 'the study found so';

function throughput(
  variant: string,
  level: number,
  value: number | readonly number[],
  more: Partial<MeasuredPoint['point']> = {},
): MeasuredPoint {
  return examplePoint({ variant, level, figures: { throughput: value, meanMs: level }, point: more });
}

function judged(rule: ShapeRule, points: MeasuredPoint[]): JudgedRule {
  const [one] = judgeShape([rule], { points, blockMs: 2000 });
  if (one === undefined) throw new Error('no rule was judged');
  return one;
}

const sentenceOf = (rule: JudgedRule): string => shapeWords(rule, { variants }).sentence;
const agrees = (rule: ShapeRule, points: MeasuredPoint[]): boolean | null => judged(rule, points).agrees;

describe('the shape of a result', () => {
  const ceiling = [10, 50, 100, 150].map((level) => throughput('a', level, 43 - level / 150));

  it('is flat when no level strays from the middle by more than is allowed', () => {
    expect(agrees({ rule: 'flat', figure: 'throughput', variant: 'a', withinPercent: 10, because }, ceiling)).toBe(true);
    const stray = [...ceiling, throughput('a', 200, 60)];
    expect(agrees({ rule: 'flat', figure: 'throughput', variant: 'a', withinPercent: 10, because }, stray)).toBe(false);
  });

  it('rises by the factor from the first level to the last', () => {
    expect(agrees({ rule: 'rises', figure: 'meanMs', variant: 'a', atLeast: 8, because }, ceiling)).toBe(true);
    expect(agrees({ rule: 'rises', figure: 'meanMs', variant: 'a', atLeast: 16, because }, ceiling)).toBe(false);
  });

  it('does not rise too little where an end of the ladder is discarded: then it is open', () => {
    const part = ceiling.map((one) => (one.point.level > 50 ? { ...one, point: { ...one.point, valid: false } } : one));
    expect(agrees({ rule: 'rises', figure: 'meanMs', variant: 'a', atLeast: 8, because }, part)).toBe(null);
    expect(agrees({ rule: 'rises', figure: 'meanMs', variant: 'a', atLeast: 4, because }, part)).toBe(true);
  });

  it('is open where what others took from one variant and not from the other would turn it, and says what it would be without them', () => {
    const ratio: ShapeRule = { rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 8, min: 1.2, because };
    const starved = (leftAlone: number): MeasuredPoint[] => [{ ...throughput('a', 8, 155), leftAlone }, throughput('b', 8, 200)];
    expect(agrees(ratio, starved(1))).toBe(false);
    const rule = judged(ratio, starved(2));
    expect(rule).toMatchObject({ agrees: null, stuck: { code: 'left-alone' } });
    expect(sentenceOf(rule)).toMatch(/took more of the CPU from one than .* about 1\.55/);
    // What is taken from both alike changes nothing.
    expect(
      agrees(
        ratio,
        starved(2).map((one) => ({ ...one, leftAlone: 2 })),
      ),
    ).toBe(false);
  });

  it('reaches a plateau when nothing rises beyond it', () => {
    const curve = [throughput('a', 1, 100), throughput('a', 8, 400), throughput('a', 64, 410), throughput('a', 512, 390)];
    expect(agrees({ rule: 'plateau', figure: 'throughput', variant: 'a', by: 8, withinPercent: 10, because }, curve)).toBe(true);
    expect(agrees({ rule: 'plateau', figure: 'throughput', variant: 'a', by: 1, withinPercent: 10, because }, curve)).toBe(false);
  });

  it('compares two variants at the last level that both have', () => {
    const points = [
      throughput('a', 10, 100),
      throughput('a', 50, 300),
      throughput('b', 10, 100),
      throughput('b', 50, 150),
      throughput('b', 100, 900),
    ];
    expect(agrees({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 1.8, max: 2.2, because }, points)).toBe(true);
    expect(agrees({ rule: 'order', figure: 'throughput', variants: ['b', 'a'], at: 50, slackPercent: 0, because }, points)).toBe(true);
    expect(agrees({ rule: 'order', figure: 'throughput', variants: ['a', 'b'], at: 50, slackPercent: 0, because }, points)).toBe(false);
  });

  it('is judged by the interval of the pairs: what a whole round suffers alike does not widen it', () => {
    const slow = [1, 0.6, 0.9, 0.4, 1, 0.7];
    const points = [
      throughput(
        'a',
        10,
        slow.map((one) => 100 * one),
      ),
      throughput(
        'b',
        10,
        slow.map((one, index) => (index % 2 === 0 ? 81 : 79) * one),
      ),
    ];
    const rule = judged({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 1.15, max: 1.35, because }, points);
    expect(rule.agrees).toBe(true);
    expect(rule.interval?.value).toBeCloseTo(1.25, 1);
  });

  it('is open, never held, over an interval that is wide, and says about how much longer would decide', () => {
    const points = [throughput('a', 10, [110, 60, 150, 100]), throughput('b', 10, [100, 120, 70, 110])];
    const rule = judged({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 0.7, max: 1.5, because }, points);
    expect(rule.agrees).toBe(null);
    expect(rule.interval?.low).toBeLessThan(0.7);
    expect(rule.interval?.high).toBeGreaterThan(1.5);
    expect(rule.moreSeconds).toBeGreaterThan(4);
    expect(rule.openKeys).toEqual(['a|10', 'b|10']);
    expect(sentenceOf(rule)).toMatch(/0\.7.* is asked for\); open, about \d+.* more would decide it\.$/);
  });

  it('says that a figure lies at the edge of what is asked for where no affordable time would decide', () => {
    const points = [throughput('a', 10, [100, 90, 110, 100]), throughput('b', 10, [100, 110, 90, 100])];
    const rule = judged({ rule: 'order', figure: 'throughput', variants: ['a', 'b'], at: 'last', slackPercent: 0, because }, points);
    expect(rule.moreSeconds).toBe(null);
    expect(rule.soonestSeconds).toBeGreaterThan(0);
    expect(sentenceOf(rule)).toMatch(/at the very edge of what is asked for\.$/);
  });

  it('claims nothing before three rounds, however alike they are', () => {
    const points = [throughput('a', 10, [100, 100]), throughput('b', 10, [10, 10])];
    expect(agrees({ rule: 'ratio', figure: 'throughput', of: 'a', to: 'b', at: 'last', min: 2, because }, points)).toBe(null);
  });

  it('is never judged by a discarded measurement, and gives the reason in one sentence', () => {
    const reasons = recorded('The load generator was saturated.', 'And more.');
    const points = [throughput('a', 10, 100), throughput('a', 50, 9000, { valid: false, reasons })];
    const rises = judged({ rule: 'rises', figure: 'throughput', variant: 'a', atLeast: 2, because }, points);
    expect(rises.agrees).toBe(null);
    expect(sentenceOf(rises)).toMatch(/too little that is valid was measured of throughput\. The load generator was saturated\.$/);
    expect(agrees({ rule: 'limit', variant: 'a', kinds: ['gc'], at: 50, because }, points)).toBe(null);
  });

  it('asks the verdict where a rule is about the limit, and contradicts only with one that is sure', () => {
    const points = [
      throughput('a', 10, 100, { limit: 'outbound-pool', limitSaid: { code: 'recorded', sentence: 'Both connections were busy.' } }),
    ];
    expect(agrees({ rule: 'limit', variant: 'a', kinds: ['outbound-pool'], at: 'last', because }, points)).toBe(true);
    expect(agrees({ rule: 'limit', variant: 'a', kinds: ['gc', 'cpu'], at: 'last', because }, points)).toBe(false);
    const likely = points.map((one) => ({ ...one, limitConfident: false }));
    expect(agrees({ rule: 'limit', variant: 'a', kinds: ['gc', 'cpu'], at: 'last', because }, likely)).toBe(null);
  });

  it('knows a share of errors by the number of requests, and memory by the range it settled in', () => {
    const rule: ShapeRule = { rule: 'value', figure: 'errorShare', variant: 'a', at: 'last', max: 0.001, because };
    const after = (attempts: number, errors: number): MeasuredPoint[] => [
      examplePoint({ variant: 'a', level: 10, figures: { errorShare: errors / attempts }, counts: { errors, attempts, rounds: 3 } }),
    ];
    expect(agrees(rule, after(100, 0))).toBe(null);
    expect(agrees(rule, after(20_000, 0))).toBe(true);
    expect(agrees(rule, after(20_000, 200))).toBe(false);
    const memory = (variant: string, low: number, high: number): MeasuredPoint =>
      examplePoint({ variant, level: 32, figures: { rssMb: (low + high) / 2 }, ranges: { rssMb: [low, high] } });
    const order: ShapeRule = { rule: 'order', figure: 'rssMb', variants: ['a', 'b'], at: 'last', slackPercent: 0, because };
    expect(agrees(order, [memory('a', 90, 110), memory('b', 300, 400)])).toBe(true);
    expect(agrees(order, [memory('a', 90, 310), memory('b', 300, 400)])).toBe(null);
  });

  it('orders losses by what is left, also where one is none at all', () => {
    const order: ShapeRule = { rule: 'order', figure: 'lossPercent', variants: ['a', 'b'], at: 'last', slackPercent: 0, because };
    const loss = (variant: string, values: readonly number[]): MeasuredPoint =>
      examplePoint({ variant, level: 16, figures: { lossPercent: values } });
    expect(agrees(order, [loss('a', [2, -3, 1, 0]), loss('b', [30, 34, 29, 31])])).toBe(true);
    expect(agrees(order, [loss('b', [2, -3, 1, 0]), loss('a', [30, 34, 29, 31])])).toBe(false);
    const value: ShapeRule = { rule: 'value', figure: 'lossPercent', variant: 'b', at: 'last', min: 15, because };
    expect(agrees(value, [loss('b', [30, 34, 29, 31])])).toBe(true);
    expect(agrees(value, [loss('b', [-10, 60, 5, 40])])).toBe(null);
  });

  it('agrees as a whole only when every rule does, and there is one', () => {
    expect(allAgree([])).toBe(null);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(true, false, null), { minLength: 1 }), (values) => {
        const all = allAgree(values.map((value) => ({ agrees: value })));
        if (values.includes(false)) expect(all).toBe(false);
        else expect(all).toBe(values.includes(null) ? null : true);
      }),
    );
  });
});
