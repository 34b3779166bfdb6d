import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poolAdvice } from '../../../src/model/presentation/liveAdvice.ts';

const pool = (busy: number, pending: number, max: number | null) => ({ pool: { busy, pending, total: max ?? 0, max } });
const range = { min: 1, max: 256 };

describe('what a live session says of its pool', () => {
  it('is that fewer suffice where connections are never busy', () => {
    expect(poolAdvice([pool(15, 0, 32), pool(14.2, 0, 32)], range)).toEqual({
      sentence: 'In the last 2 s 14.6 of 32 connections were busy: about 16 suffice.',
      size: 16,
    });
  });

  it('is that requests wait where it is full', () => {
    expect(poolAdvice([pool(8, 23, 8)], range)).toEqual({
      sentence: 'In the last second all 8 connections were busy and 23.0 requests waited for one.',
      size: 16,
    });
    expect(poolAdvice([pool(8, 23, 8)], { min: 1, max: 8 })?.size).toBeNull();
  });

  it('looks at the size that is in force, and says nothing where none is seen', () => {
    expect(poolAdvice([pool(4, 20, 4), pool(7, 0, 8)], range)?.size).toBeNull();
    expect(poolAdvice([{ pool: null }, pool(3, 0, null)], range)).toBeNull();
  });

  it('never names a size out of range, the one in force, or one below what is busy', () => {
    const sample = fc.record({ busy: fc.integer({ min: 0, max: 64 }), pending: fc.integer({ min: 0, max: 64 }) });
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 64 }), (samples, max) => {
        const seen = samples.map(({ busy, pending }) => pool(Math.min(busy, max), pending, max));
        const size = poolAdvice(seen, range)?.size ?? null;
        fc.pre(size !== null);
        expect(size).not.toBe(max);
        expect(size).toBeGreaterThanOrEqual(1);
        expect(size).toBeGreaterThanOrEqual(Math.max(...seen.slice(-10).map((one) => Math.ceil(one.pool.busy))));
      }),
    );
  });
});
