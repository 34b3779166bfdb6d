import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitAdditive } from '../../../src/engine/statistics/additiveModel.ts';
import type { AdditiveFit, Cell } from '../../../src/engine/statistics/additiveModel.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

const gauss = normal(seeded(1));
const complete = ['a', 'b', 'c'].flatMap((setting, s) =>
  [1, 2, 3, 4].map((round) => ({ setting, round, value: s + 0.1 * round + 0.05 * gauss() })),
);

describe('the additive model', () => {
  it('is the textbook analysis of variance when every setting has a block in every round', () => {
    const fit = fitAdditive(complete);
    const mean = (of: (cell: (typeof complete)[number]) => boolean): number => {
      const cells = complete.filter(of);
      return cells.reduce((sum, cell) => sum + cell.value, 0) / cells.length;
    };
    const grand = mean(() => true);
    const residual = complete.reduce(
      (sum, cell) => sum + (cell.value - mean((c) => c.setting === cell.setting) - mean((c) => c.round === cell.round) + grand) ** 2,
      0,
    );
    expect(fit?.degreesOfFreedom).toBe(6);
    expect(fit?.variance).toBeCloseTo(residual / 6, 12);
    expect(fit?.mean('b')).toBeCloseTo(
      mean((c) => c.setting === 'b'),
      12,
    );
    expect(fit?.varianceOfMean('a')).toBeCloseTo(residual / 6 / 4, 12);
    expect(fit?.varianceOfDifference('a', 'c')).toBeCloseTo((2 * residual) / 6 / 4, 12);
  });

  it('makes up for a round in which a setting is missing', () => {
    const exact = ['a', 'b', 'c']
      .flatMap((setting, s) => [1, 2, 3].map((round) => ({ setting, round, value: s + 10 * round })))
      .filter((cell) => !(cell.setting === 'a' && cell.round === 3));
    const fit = fitAdditive(exact);
    expect(fit?.degreesOfFreedom).toBe(3);
    expect(fit?.mean('a')).toBeCloseTo(20, 9);
    expect((fit?.mean('c') ?? 0) - (fit?.mean('a') ?? 0)).toBeCloseTo(2, 9);
    expect(fit?.variance).toBeCloseTo(0, 9);
  });

  it('refuses settings that no common round ties together', () => {
    const apart = [
      { setting: 'a', round: 1, value: 1 },
      { setting: 'a', round: 2, value: 1 },
      { setting: 'b', round: 3, value: 1 },
      { setting: 'b', round: 4, value: 1 },
      { setting: 'a', round: 1, value: 2 },
      { setting: 'b', round: 3, value: 2 },
    ];
    expect(fitAdditive(apart)).toBeNull();
  });

  it('refuses a single setting, and a single round', () => {
    expect(fitAdditive(complete.filter((cell) => cell.setting === 'a'))).toBeNull();
    expect(fitAdditive(complete.filter((cell) => cell.round === 1))).toBeNull();
    expect(fitAdditive([])).toBeNull();
  });
});

function fitted(cells: readonly Cell[]): AdditiveFit {
  const fit = fitAdditive(cells);
  if (fit === null) throw new Error('no fit');
  return fit;
}

interface Planted {
  rounds: number;
  /** Level and slope of each setting. */
  settings: readonly (readonly [level: number, slope: number])[];
  sd: number;
  taken: (uniform: () => number) => number;
}

/** Blocks of an app whose throughput falls with the power of the CPU that is left, on a machine that drifts. */
function planted({ rounds, settings, sd, taken }: Planted, seed: number): Cell[] {
  const uniform = seeded(seed);
  const error = normal(uniform);
  return Array.from({ length: rounds }, (_, round) => {
    const drift = 0.05 * error();
    return settings.map(([level, slope], index) => {
      const share = taken(uniform);
      return { setting: String(index), round, taken: share, value: level + drift + slope * Math.log(1 - share) + sd * error() };
    });
  }).flat();
}

const bursts = (uniform: () => number): number => (uniform() < 0.3 ? 0.25 + 0.25 * uniform() : 0.01 * uniform());

describe('the additive model with disturbance as covariate', () => {
  it.each([0, 0.3, 1, 1.2])('recovers a slope of %d and what the settings are where nobody disturbs', (slope) => {
    const settings = Array.from({ length: 8 }, (_, index) => [8 + 0.5 * index, slope] as const);
    const fit = fitted(planted({ rounds: 30, settings, sd: 0.01, taken: (uniform) => 0.6 * uniform() }, 3));
    // What was believed before (0.7, and that settings differ by 0.5) still has a ninth of the say.
    expect(Math.abs((fit.slope ?? Number.NaN) - slope)).toBeLessThan(0.1);
    expect(fit.difference('1', '0')).toBeCloseTo(0.5, 1.5);
    expect(fit.difference('2', '0')).toBeCloseTo(1, 1.5);
    expect(Math.sqrt(fit.variance)).toBeGreaterThan(0.005);
    expect(Math.sqrt(fit.variance)).toBeLessThan(0.02);
  });

  it('does not call it a difference that one setting was disturbed and the other was not', () => {
    const cells = Array.from({ length: 12 }, (_, round) => [
      { setting: 'a', round, taken: 0.4, value: 8 + Math.log(0.6) + 0.01 * gauss() },
      { setting: 'b', round, taken: 0.02 * (round % 2), value: 8 + Math.log(1 - 0.02 * (round % 2)) + 0.01 * gauss() },
    ]).flat();
    const plain = fitted(cells.map(({ setting, round, value }) => ({ setting, round, value })));
    expect(plain.difference('a', 'b') / Math.sqrt(plain.varianceOfDifference('a', 'b'))).toBeLessThan(-20);
    // Nothing in this run tells what a theft costs: the interval says so.
    const fit = fitted(cells);
    const half = studentTQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.varianceOfDifference('a', 'b'));
    expect(Math.abs(fit.difference('a', 'b'))).toBeLessThan(half);
    expect(half).toBeGreaterThan(0.2);
  });

  it('does not take others for a setting’s own doing by a few rounds in which they ran beside it alone', () => {
    const ranBeside = (rounds: number): AdditiveFit =>
      fitted(
        Array.from({ length: rounds }, (_, round) => {
          const others = 0.45 + 0.02 * gauss();
          return [
            { setting: 'a', round, others, value: 8 + Math.log(1 - others) + 0.01 * gauss() },
            { setting: 'b', round, others: 0, value: 8 + 0.01 * gauss() },
          ];
        }).flat(),
      );
    const ofTheirs = (fit: AdditiveFit): number => fit.measuredDifference('a', 'b').value / Math.log(0.55);
    expect(ofTheirs(ranBeside(6))).toBeLessThan(0.4);
    // In so many it is no chance: a setting that leaves them the CPU is as slow as it is.
    expect(ofTheirs(ranBeside(20))).toBeGreaterThan(0.8);
  });

  it('tells the difference where the machine was quiet from the one that was measured', () => {
    // The second needs less of the CPU: undisturbed it is 10 % slower, under the theft of this run as fast.
    const settings = [
      [9, 1.1],
      [9 + Math.log(0.9), 0.3],
    ] as const;
    const fit = fitted(
      planted({ rounds: 60, settings, sd: 0.01, taken: (uniform) => (uniform() < 0.3 ? 0.005 * uniform() : 0.15 + 0.1 * uniform()) }, 5),
    );
    const quiet = Math.exp(fit.difference('1', '0'));
    const measured = Math.exp(fit.measuredDifference('1', '0').value);
    expect(quiet).toBeGreaterThan(0.88);
    expect(quiet).toBeLessThan(0.92);
    expect(measured).toBeGreaterThan(0.98);
    expect(measured).toBeLessThan(1.05);
    expect(Math.exp(fit.mean('1') - fit.mean('0'))).toBeCloseTo(measured, 9);
    expect(fit.measuredDifference('1', '0').variance).toBeGreaterThan(0);
  });

  it('is the textbook’s when nothing is known of the disturbance, or it was the same all the time', () => {
    const textbook = fitted(complete);
    fc.assert(
      fc.property(fc.oneof(fc.constant(null), fc.double({ min: 0, max: 0.95, noNaN: true })), (taken) => {
        const fit = fitted(complete.map((cell) => ({ ...cell, taken })));
        expect(fit.slope).toBeNull();
        expect(fit.degreesOfFreedom).toBe(textbook.degreesOfFreedom);
        expect(fit.variance).toBeCloseTo(textbook.variance, 12);
        expect(fit.difference('a', 'c')).toBeCloseTo(textbook.difference('a', 'c'), 12);
        expect(fit.varianceOfDifference('a', 'c')).toBeCloseTo(textbook.varianceOfDifference('a', 'c'), 12);
        expect(fit.measuredDifference('a', 'c').value).toBeCloseTo(textbook.difference('a', 'c'), 12);
      }),
    );
  });

  it('takes a steady load beside for the machine: it hardly costs precision', () => {
    const settings = [
      [8, 1],
      [8, 1],
    ] as const;
    const width = (taken: Planted['taken']): number => {
      const fit = fitted(planted({ rounds: 20, settings, sd: 0.03, taken }, 11));
      return studentTQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.varianceOfDifference('0', '1'));
    };
    expect(width((uniform) => 0.24 + 0.02 * uniform()) / width(() => 0)).toBeLessThan(1.3);
  });

  it('gives a block less weight the more of the CPU was taken, whatever it measured', () => {
    /** By how much the difference moves with a block of round 6, by which `push` it is moved. */
    const influence = (share: number, push: number): number => {
      const uniform = seeded(17);
      const error = normal(uniform);
      const cells = Array.from({ length: 8 }, (_, round) =>
        ['a', 'b'].map((setting) => ({ setting, round, taken: round === 6 ? share : 0.004 * (round % 2), value: 8 + 0.05 * error() })),
      ).flat();
      const moved = cells.map((cell) => (cell.setting === 'a' && cell.round === 6 ? { ...cell, value: cell.value + push } : cell));
      return (fitted(moved).difference('a', 'b') - fitted(cells).difference('a', 'b')) / push;
    };
    const weights = [0, 0.1, 0.3, 0.6].map((share) => influence(share, 1e-4));
    expect(weights[0]).toBeCloseTo(1 / 8, 2);
    expect([...weights].sort((one, other) => other - one)).toEqual(weights);
    expect(Math.abs(weights.at(-1) ?? Number.NaN)).toBeLessThan(0.02);
    for (const share of [0.1, 0.3]) expect(influence(share, 1e-4) / influence(share, -1e-4)).toBeCloseTo(1, 2);
  });

  it.each([
    { rounds: 5, settings: 2, scatter: 0 },
    { rounds: 10, settings: 2, scatter: 0 },
    { rounds: 10, settings: 4, scatter: 0 },
    { rounds: 5, settings: 2, scatter: 0.3 },
    { rounds: 10, settings: 4, scatter: 0.3 },
  ])('has intervals that hold the truth among bursts of theft: $settings settings, $rounds rounds, scatter $scatter', (of) => {
    const trials = 400;
    const error = normal(seeded(23));
    let held = 0;
    for (let seed = 0; seed < trials; seed += 1) {
      const settings = Array.from({ length: of.settings }, () => [8, 0.9] as const);
      const cells = planted({ rounds: of.rounds, settings, sd: 0.05, taken: bursts }, 1000 + seed).map((cell) => ({
        ...cell,
        value: cell.value + of.scatter * (cell.taken ?? 0) * error(),
      }));
      const fit = fitted(cells);
      const half = studentTQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.varianceOfDifference('0', '1'));
      if (Math.abs(fit.difference('0', '1')) <= half) held += 1;
    }
    // 94 %, less twice the sampling error of 400 trials.
    expect(held / trials).toBeGreaterThanOrEqual(0.916);
  });

  it('knows an app that waits well through bursts that hardly reach it, and no better than it may where they do', () => {
    const trials = 200;
    const settings = Array.from({ length: 4 }, () => [8, 0] as const);
    const seen = [0, 0.1].map((scatter) => {
      const error = normal(seeded(29));
      let [held, widths] = [0, 0];
      for (let seed = 0; seed < trials; seed += 1) {
        const cells = planted({ rounds: 12, settings, sd: 0.01, taken: (uniform) => 0.9 * uniform() }, 2000 + seed);
        const fit = fitted(cells.map((cell) => ({ ...cell, value: cell.value + scatter * (cell.taken ?? 0) * error() })));
        const half = studentTQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.varianceOfDifference('0', '1'));
        if (Math.abs(fit.difference('0', '1')) <= half) held += 1;
        widths += half / trials;
      }
      return { held: held / trials, width: widths };
    });
    expect(seen[0]?.width).toBeLessThan(0.03);
    expect(seen[1]?.width).toBeGreaterThan(0.03);
    // 94 %, less twice the sampling error of 200 trials.
    for (const { held } of seen) expect(held).toBeGreaterThanOrEqual(0.906);
  });
});
