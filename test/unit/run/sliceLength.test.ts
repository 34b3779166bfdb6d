import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mirroredOrder, passesOf, planSlices, sliceLength } from '../../../src/engine/run/sliceLength.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';

describe('how long a slice is', () => {
  it('follows the service: ten latencies and thirty requests, and eight latencies where sides differ in concurrency', () => {
    expect(sliceLength({ latencyMs: 2, throughput: 4000 }, true)).toEqual({ sliceMs: 50, edgeMs: 4 });
    expect(sliceLength({ latencyMs: 15, throughput: 2000 }, true)).toEqual({ sliceMs: 150, edgeMs: 30 });
    expect(sliceLength({ latencyMs: 15, throughput: 2000 }, false)).toEqual({ sliceMs: 120, edgeMs: 30 });
    expect(sliceLength({ latencyMs: 5, throughput: 100 }, true)).toEqual({ sliceMs: 300, edgeMs: 10 });
  });

  it('is a second at the most, and counts whole where it holds few latencies, or where nothing is known', () => {
    expect(sliceLength({ latencyMs: 640, throughput: 50 }, false)).toEqual({ sliceMs: 1000, edgeMs: null });
    expect(sliceLength({ latencyMs: null, throughput: null }, true).edgeMs).toBeNull();
  });
});

describe('the slices of a round', () => {
  const planned = (...latenciesMs: number[]) =>
    planSlices(
      latenciesMs.map((latencyMs) => ({ speed: { latencyMs, throughput: 32_000 / latencyMs } })),
      { alike: false, eachMs: 600, random: new SeededRandom(1) },
    ).sides.map(({ edgeMs }) => edgeMs);

  it('leave out the edges of every side, or count them of every side', () => {
    expect(planned(15, 100)).toEqual([30, 200]);
    expect(planned(15, 130)).toEqual([30, 260]);
    expect(planned(15, 170)).toEqual([null, null]);
  });
});

describe('the order of slices', () => {
  it('has each side once in each pass, and every second pass is the mirror of the one before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 10 }), (sides, passes) => {
        const order = mirroredOrder(sides, passes, new SeededRandom(passes));
        expect(order).toHaveLength(sides * passes);
        for (let pass = 0; pass < passes; pass += 1) {
          const own = order.slice(pass * sides, (pass + 1) * sides);
          expect([...own].sort((a, b) => a - b)).toEqual(Array.from({ length: sides }, (_, side) => side));
          if (pass % 2 === 1) expect(own).toEqual(order.slice((pass - 1) * sides, pass * sides).reverse());
        }
      }),
    );
  });

  it('turns to each side as often as its time in a round asks for, an even number of times', () => {
    expect(passesOf([50, 50], 1000)).toBe(20);
    expect(passesOf([100, 300], 1000)).toBe(4);
    expect(passesOf([1000, 1000], 1000)).toBe(1);
    expect(passesOf([700, 200], 600)).toBe(1);
  });
});
