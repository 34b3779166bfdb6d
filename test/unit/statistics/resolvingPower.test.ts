import { describe, expect, it } from 'vitest';
import { resolvingPower } from '../../../src/engine/statistics/resolvingPower.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { sliceDifference } from '../../../src/engine/statistics/sliceSeries.ts';

const windowMs = 250;

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextFraction())) * Math.cos(2 * Math.PI * random.nextFraction());
}

/** The work done in the windows of a machine that vary by `noise`, and from which CPU is taken in episodes of `episodeMs` on average. */
function machine(random: SeededRandom, { noise, taken, episodeMs }: { noise: number; taken: number; episodeMs: number }): () => number {
  let now = 0;
  return () => {
    if (random.nextFraction() < windowMs / episodeMs) now = random.nextFraction() < 0.3 ? 2 * taken * random.nextFraction() : 0;
    return 1000 * (1 - now) * Math.exp(noise * normal(random));
  };
}

const measured = (next: () => number, count: number): number[] => Array.from({ length: count }, next);
const tenSeconds = 40;

/** The difference that a minute of mirrored slices of the same setting shows, as log ratio. */
function minuteOfSlices(next: () => number): number {
  const sides: { pass: number; atMs: number; value: number; byCpu: null }[][] = [[], []];
  for (let pass = 0; pass < 120; pass += 1) {
    for (const [place, side] of (pass % 2 === 0 ? [0, 1] : [1, 0]).entries())
      sides[side]?.push({ pass, atMs: (2 * pass + place) * windowMs, value: next(), byCpu: null });
  }
  const [a, b] = sides.map((slices) => [{ round: 1, slices }]);
  const found = sliceDifference(a ?? [], b ?? []);
  if (found === null) throw new Error('no difference');
  return found.mean;
}

describe('what a machine can tell apart', () => {
  it('is what a minute of slices as long as its windows knows', () => {
    const random = new SeededRandom(1);
    const results = Array.from({ length: 300 }, () =>
      resolvingPower(measured(machine(random, { noise: 0.02, taken: 0, episodeMs: 1000 }), tenSeconds), windowMs),
    );
    const rootOf = (of: (one: NonNullable<(typeof results)[number]>) => number): number =>
      Math.sqrt(results.reduce((sum, one) => sum + (one === null ? Number.NaN : of(one) ** 2), 0) / results.length);
    expect(results[0]?.pairs).toBe(120);
    // Windows that vary by 2 % make pairs that vary by √2 · 2 %; trimming costs a little of it.
    const pairSd = rootOf(({ pairSdPercent }) => pairSdPercent) / (2 * Math.SQRT2);
    expect(pairSd).toBeGreaterThan(0.95);
    expect(pairSd).toBeLessThan(1.25);
    const reach = rootOf(({ differencePercent }) => differencePercent) / ((2.2 * 2 * Math.SQRT2) / Math.sqrt(120));
    expect(reach).toBeGreaterThan(0.95);
    expect(reach).toBeLessThan(1.25);
  });

  it.each([
    ['quiet', { noise: 0.01, taken: 0, episodeMs: 1000 }],
    ['with a tenth of its CPU taken in bursts of 2 s', { noise: 0.02, taken: 0.3, episodeMs: 2000 }],
    ['with long episodes', { noise: 0.02, taken: 0.3, episodeMs: 8000 }],
  ])('is not exceeded by equal settings in a minute more than it says, on a machine that is %s', (_, kind) => {
    const random = new SeededRandom(3);
    const runs = 400;
    let exceeded = 0;
    for (let run = 0; run < runs; run += 1) {
      const next = machine(random, kind);
      const found = resolvingPower(measured(next, tenSeconds), windowMs);
      if (Math.abs(minuteOfSlices(next)) > Math.log1p((found?.differencePercent ?? 0) / 100)) exceeded += 1;
    }
    expect(exceeded / runs).toBeLessThanOrEqual(0.075);
  });

  it('is hardly coarser beside bursts that last longer than a window', () => {
    const mean = (kind: Parameters<typeof machine>[1]): number => {
      const random = new SeededRandom(4);
      const found = Array.from({ length: 200 }, () => resolvingPower(measured(machine(random, kind), tenSeconds), windowMs));
      return found.reduce((sum, one) => sum + (one?.differencePercent ?? Number.NaN), 0) / found.length;
    };
    const quiet = mean({ noise: 0.01, taken: 0, episodeMs: 2000 });
    expect(mean({ noise: 0.01, taken: 0.4, episodeMs: 2000 })).toBeLessThan(2 * quiet);
  });

  it('is not told from too little, nor where nothing was done', () => {
    expect(resolvingPower(new Array<number>(19).fill(1), windowMs)).toBeNull();
    expect(resolvingPower(new Array<number>(20).fill(1), windowMs)?.differencePercent).toBe(0);
    expect(resolvingPower(new Array<number>(30).fill(0), windowMs)).toBeNull();
  });
});
