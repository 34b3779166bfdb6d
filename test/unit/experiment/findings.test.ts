import { describe, expect, it } from 'vitest';
import { growthShare, hasSettled, slopePerS } from '../../../src/engine/strategies/experiment/growth.ts';
import { recoveryAfter, recoveryRange } from '../../../src/engine/strategies/experiment/recovery.ts';
import { type Compared, successTable, welchP } from '../../../src/engine/strategies/experiment/success.ts';

describe('the time until throughput is steady again', () => {
  const ticks = (values: readonly (readonly [number, number])[]) =>
    values.map(([throughput, errors], index) => ({ endS: (index + 1) / 4, throughput, errors }));
  const steady = (count: number, value: number): [number, number][] =>
    Array.from({ length: count }, (_, index) => [value + (index % 3), 0]);

  it('is counted from the event to the first of three ticks whose median is steady', () => {
    const sequence = ticks([...steady(8, 1000), [100, 20], [300, 5], [500, 0], ...steady(12, 700)]);
    expect(recoveryAfter(sequence, 2, 6)).toEqual({ seconds: 0.5, level: 701 });
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

describe('several recoveries', () => {
  it('are one figure and the range it lies in, to a tick; from three on without the extremes', () => {
    expect(recoveryRange([2], 0.25)).toEqual({ seconds: 2, low: 1.75, high: 2.25 });
    expect(recoveryRange([2, 9, 2.5], 0.25)).toEqual({ seconds: 2.5, low: 2.25, high: 2.75 });
    expect(recoveryRange([0, null, 1], 0.25)).toEqual({ seconds: 1, low: 0.75, high: 1.25 });
  });

  it('are not known where the middle one never came', () => {
    expect(recoveryRange([null], 0.25)).toBe(null);
    expect(recoveryRange([1, null], 0.25)).toBe(null);
    expect(recoveryRange([], 0.25)).toBe(null);
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
    const compared = (label: string, throughput: number[], meanMs: number[]): Compared => ({
      label,
      blocks: throughput.map((one, index) => ({ round: index + 1, taken: null, throughput: one, meanMs: meanMs[index] ?? null })),
    });
    const before = compared('many files', [17, 17.2, 17.4], [830, 837, 844]);
    const after = compared('one bundle', [77, 77.4, 78], [65, 66, 67]);
    const rows = successTable(before, after);
    expect(rows.map(({ word }) => word)).toEqual(['success', 'success']);
    expect(rows[0]?.change).toBe('+350 %');
    expect(rows[0]?.welchP).toBeLessThan(0.001);
    expect(rows[0]?.interval).toMatch(/^× 4\.5\d \[/);
    expect(successTable(before, { ...before, label: 'the same' }).map(({ word }) => word)).toEqual(['failure', 'failure']);
    const aLittle = compared('a little', [20, 20.2, 20.4], [600, 610, 620]);
    expect(successTable(before, aLittle).map(({ word }) => word)).toEqual(['improvement', 'improvement']);
    expect(rows[1]?.interval).toMatch(/^× 0\.0\d+ \[0\.0/);
  });

  it('compares by rounds, not by places: a block that is missing shifts nothing', () => {
    const rounds = [1, 2, 3, 4, 5];
    const level = [100, 50, 80, 30, 90];
    const block = (round: number, factor: number): Compared['blocks'][number] => ({
      round,
      meanMs: null,
      throughput: factor * (level[round - 1] ?? 0),
    });
    const before = { label: 'before', blocks: rounds.map((round) => block(round, 1)) };
    const after = { label: 'after', blocks: rounds.filter((round) => round !== 2).map((round) => block(round, 2)) };
    expect(successTable(before, after)[0]?.interval).toBe('× 2.00 [2.00 – 2.00]');
  });

  it('gives Welch’s p, and none where there is nothing to test', () => {
    // By numeric integration of the density: t = 1.28963, 7.6366 degrees of freedom, p = 0.23486.
    expect(welchP([27.5, 21.0, 19.0, 23.6, 17.0, 17.9], [27.1, 22.0, 20.8, 23.4, 23.4, 23.5])).toBeCloseTo(0.23486, 4);
    expect(welchP([1, 1], [1, 1])).toBe(null);
    expect(welchP([1], [2, 3])).toBe(null);
  });
});
