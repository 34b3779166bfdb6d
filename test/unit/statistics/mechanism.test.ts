import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bothAmple, enoughShare, largestGain, usedAtOnce, waitLimits, waitShareOf } from '../../../src/engine/statistics/mechanism.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';

const nothing = { waitMs: null, perRequest: null, pending: null, latencyMs: null, connections: 16 };
const share = fc.double({ min: 0, max: 1, noNaN: true });

const waited = (shares: readonly (number | null | undefined)[]): Parameters<typeof waitLimits>[0] => ({
  blocks: shares.map((waitShare) => ({ waitShare })),
});

describe('the share of a request’s time that is spent waiting', () => {
  it('is wait × connections per request ÷ latency, where the wait is seen', () => {
    expect(waitShareOf({ ...nothing, waitMs: 3, perRequest: 1, latencyMs: 12 })).toBeCloseTo(0.25, 12);
    expect(waitShareOf({ ...nothing, waitMs: 3, perRequest: 2, latencyMs: 12 })).toBeCloseTo(0.5, 12);
    expect(waitShareOf({ ...nothing, waitMs: 3, latencyMs: 12 })).toBeCloseTo(0.25, 12);
  });

  it('is queue ÷ connections by Little’s law, where only the queue is seen', () => {
    expect(waitShareOf({ ...nothing, pending: 4 })).toBeCloseTo(0.25, 12);
    expect(waitShareOf({ ...nothing, waitMs: 3, pending: 4 })).toBeCloseTo(0.25, 12);
  });

  it('prefers the wait to the queue, and is never more than all of it', () => {
    expect(waitShareOf({ waitMs: 3, perRequest: 1, pending: 16, latencyMs: 12, connections: 16 })).toBeCloseTo(0.25, 12);
    expect(waitShareOf({ ...nothing, waitMs: 30, perRequest: 1, latencyMs: 12 })).toBe(1);
    expect(waitShareOf({ ...nothing, pending: 40 })).toBe(1);
  });

  it('is not known where nothing is seen', () => {
    expect(waitShareOf(nothing)).toBeNull();
    expect(waitShareOf({ ...nothing, waitMs: 3 })).toBeNull();
    expect(waitShareOf({ ...nothing, waitMs: 3, latencyMs: 0 })).toBeNull();
    expect(waitShareOf({ ...nothing, pending: 4, connections: 0 })).toBeNull();
  });

  it('is the same by both ways in a closed loop', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 500, noNaN: true }),
        share,
        fc.integer({ min: 1, max: 500 }),
        (latencyMs, part, connections) => {
          // Little: C requests are under way for R each, so that the queue is C · wait / R.
          const waitMs = part * latencyMs;
          const pending = (connections * waitMs) / latencyMs;
          expect(waitShareOf({ ...nothing, waitMs, perRequest: 1, latencyMs, connections })).toBeCloseTo(
            waitShareOf({ ...nothing, pending, connections }) ?? Number.NaN,
            9,
          );
        },
      ),
    );
  });
});

describe('what more of it can gain', () => {
  it('is at most δ as long as waiting takes at most δ/(1 + δ)', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), share, (delta, part) => {
        const waiting = part * enoughShare(delta);
        expect(largestGain(waiting)).toBeLessThanOrEqual(delta + 1e-12);
        expect(largestGain(enoughShare(delta) * 1.01)).toBeGreaterThan(delta);
      }),
    );
  });

  it('bounds the throughput of a closed loop from which any part of the wait is taken away', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        share,
        fc.integer({ min: 1, max: 100 }),
        (restMs, waitMs, cured, connections) => {
          const throughput = (wait: number): number => connections / (restMs + wait);
          const gain = throughput(waitMs * (1 - cured)) / throughput(waitMs);
          expect(gain).toBeLessThanOrEqual((1 + largestGain(waitMs / (restMs + waitMs))) * (1 + 1e-9));
        },
      ),
    );
  });

  it('knows no bound where a request does nothing but wait', () => {
    expect(largestGain(0)).toBe(0);
    expect(largestGain(1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the limits of the mean share', () => {
  it('want two blocks that know it', () => {
    expect(waitLimits(waited([]))).toBeNull();
    expect(waitLimits(waited([0.1, null, undefined]))).toBeNull();
    expect(waitLimits(waited([0, null, 0]))).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it('are one-sided 95 % limits by t, within 0 … 1', () => {
    const limits = waitLimits(waited([0.1, 0.2, null, 0.3]));
    const reach = (studentTQuantile(0.95, 2) * 0.1) / Math.sqrt(3);
    expect(limits?.mean).toBeCloseTo(0.2, 12);
    expect(limits?.low).toBeCloseTo(0.2 - reach, 12);
    expect(limits?.high).toBeCloseTo(0.2 + reach, 12);
    expect(waitLimits(waited([0, 1]))).toEqual({ mean: 0.5, low: 0, high: 1 });
  });

  it('hold the mean between them, whatever was seen', () => {
    fc.assert(
      fc.property(fc.array(fc.option(share), { minLength: 2, maxLength: 12 }), (shares) => {
        fc.pre(shares.filter((one) => one !== null).length >= 2);
        const limits = waitLimits(waited(shares));
        expect(limits).not.toBeNull();
        expect(limits?.low).toBeLessThanOrEqual((limits?.mean ?? Number.NaN) + 1e-12);
        expect(limits?.high).toBeGreaterThanOrEqual((limits?.mean ?? Number.NaN) - 1e-12);
        expect(limits?.low).toBeGreaterThanOrEqual(0);
        expect(limits?.high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('two sizes at which nobody waits', () => {
  it('are both ample, and none is of which that was not seen in two blocks', () => {
    expect(bothAmple(waited([0.001, 0.0012, 0.0009]), waited([0.001, 0.001]))).toBe(true);
    expect(bothAmple(waited([0.001, 0.0012, 0.0009]), waited([0.001, null, undefined]))).toBe(false);
    expect(bothAmple(waited([]), waited([]))).toBe(false);
  });

  it('are not where one waits longer than taking what is free takes, or its waits scatter', () => {
    expect(bothAmple(waited([0.02, 0.021]), waited([0.001, 0.001]))).toBe(false);
    expect(bothAmple(waited([0.001, 0.001]), waited([0.006, 0.006]))).toBe(false);
    expect(bothAmple(waited([0.001, 0.02, 0]), waited([0.001, 0.001]))).toBe(false);
  });
});

describe('how many are in use at once', () => {
  it('is the 99.9 % quantile of a Poisson distribution, and never fewer than were seen', () => {
    expect([0, 0.37, 1, 4, 10].map((mean) => usedAtOnce(mean))).toEqual([0, 3, 5, 11, 21]);
    expect(usedAtOnce(0.37, 5)).toBe(5);
    expect(usedAtOnce(400)).toBeGreaterThan(455);
    expect(usedAtOnce(400)).toBeLessThan(470);
    expect(usedAtOnce(2000)).toBeGreaterThan(2130);
    expect(usedAtOnce(2000)).toBeLessThan(2150);
  });

  it('rises with the mean', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 900, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true }), (mean, more) => {
        expect(usedAtOnce(mean)).toBeGreaterThanOrEqual(Math.floor(mean));
        expect(usedAtOnce(mean + more)).toBeGreaterThanOrEqual(usedAtOnce(mean));
      }),
    );
  });
});
