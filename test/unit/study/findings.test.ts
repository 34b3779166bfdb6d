import { describe, expect, it } from 'vitest';
import { growthShare, hasSettled, slopePerS } from '../../../src/engine/study/growth.ts';
import { recoveryAfter } from '../../../src/engine/study/recovery.ts';
import { successTable, welchP } from '../../../src/engine/study/success.ts';

describe('the time until throughput is steady again', () => {
  const ticks = (values: readonly (readonly [number, number])[]) =>
    values.map(([throughput, errors], index) => ({ endS: (index + 1) / 4, throughput, errors }));
  const steady = (count: number, value: number): [number, number][] =>
    Array.from({ length: count }, (_, index) => [value + (index % 3), 0]);

  it('is counted from the event to the first of three ticks whose median is steady', () => {
    const course = ticks([...steady(8, 1000), [100, 20], [300, 5], [500, 0], ...steady(12, 700)]);
    expect(recoveryAfter(course, 2, 6)).toEqual({ seconds: 0.5, level: 701 });
  });

  it('is nothing when no tick was disturbed', () => {
    expect(recoveryAfter(ticks(steady(24, 1000)), 2, 6).seconds).toBe(0);
  });

  it('is not known when errors go on', () => {
    expect(recoveryAfter(ticks([...steady(8, 1000), ...Array.from({ length: 16 }, (): [number, number] => [900, 3])]), 2, 6).seconds).toBe(
      null,
    );
  });
});

describe('growth', () => {
  it('is the slope over the level, and not moved by one outlier', () => {
    const readings = Array.from({ length: 60 }, (_, second): [number, number] => [second, 100 + second / 2]);
    expect(slopePerS(readings)).toBeCloseTo(0.5, 6);
    const outlier = readings.map(([at, value]): [number, number] => [at, at === 30 ? 900 : value]);
    expect(growthShare(outlier)).toBeCloseTo(29.5 / 114.75, 1);
  });

  it('has ended when the last seconds are level', () => {
    const rising = Array.from({ length: 20 }, (_, second): [number, number] => [second, 100 + 10 * second]);
    const level = Array.from({ length: 12 }, (_, second): [number, number] => [20 + second, 300 + (second % 2)]);
    expect(hasSettled(rising, 8)).toBe(false);
    expect(hasSettled([...rising, ...level], 8)).toBe(true);
    expect(hasSettled(level.slice(0, 4), 8)).toBe(false);
  });
});

describe('a success table', () => {
  it('uses the words of the study', () => {
    const before = { label: 'many files', throughput: [17, 17.2, 17.4], meanMs: [830, 837, 844] };
    const after = { label: 'one bundle', throughput: [77, 77.4, 78], meanMs: [65, 66, 67] };
    const rows = successTable(before, after);
    expect(rows.map(({ word }) => word)).toEqual(['success', 'success']);
    expect(rows[0]?.change).toBe('+350 %');
    expect(rows[0]?.welchP).toBeLessThan(0.001);
    expect(rows[0]?.interval).toMatch(/^× 4\.5\d \[/);
    expect(successTable(before, { ...before, label: 'the same' }).map(({ word }) => word)).toEqual(['failure', 'failure']);
    expect(
      successTable(before, { label: 'a little', throughput: [20, 20.2, 20.4], meanMs: [600, 610, 620] }).map(({ word }) => word),
    ).toEqual(['improvement', 'improvement']);
  });

  it('gives Welch’s p, and none where there is nothing to test', () => {
    // By numeric integration of the density: t = 1.28963, 7.6366 degrees of freedom, p = 0.23486.
    expect(welchP([27.5, 21.0, 19.0, 23.6, 17.0, 17.9], [27.1, 22.0, 20.8, 23.4, 23.4, 23.5])).toBeCloseTo(0.23486, 4);
    expect(welchP([1, 1], [1, 1])).toBe(null);
    expect(welchP([1], [2, 3])).toBe(null);
  });
});
