import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationHistogramSchema } from '../../../src/model/domain/probe.ts';
import { bucketMiddleUs } from '../../../src/engine/statistics/durations.ts';
import { bucketOf, Durations } from '../../../src/probe/node/durations.ts';

describe('durations', () => {
  it('fall into the bucket that the engine takes them for, within an eighth of an octave', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 2 }), (us) => {
        const middle = bucketMiddleUs(bucketOf(us));
        expect(Math.abs(middle - us)).toBeLessThanOrEqual(us < 8 ? 0 : us / 8);
      }),
    );
  });

  it('keep their order in buckets', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), fc.double({ min: 0, max: 1e12, noNaN: true }), (a, b) => {
        expect(Math.sign(bucketOf(Math.max(a, b)) - bucketOf(Math.min(a, b)))).not.toBe(-1);
      }),
    );
  });

  it('add up exactly, and what makes no sense counts as nothing', () => {
    const durations = new Durations();
    for (const us of [0, 1, 7, 8, 1_000, 1_000, 2 ** 40, -5, Number.NaN]) durations.record(us);
    const report = durations.report();
    expect(durationHistogramSchema.parse(report)).toEqual(report);
    expect(report).toMatchObject({ count: 9, sumUs: 2_016 + 2 ** 40, maxUs: 2 ** 40 });
    expect(report.buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(9);
    expect(report.buckets.map(([bucket]) => bucket)).toEqual([...report.buckets.map(([bucket]) => bucket)].sort((a, b) => a - b));
  });
});
