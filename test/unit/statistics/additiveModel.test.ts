import { describe, expect, it } from 'vitest';
import { fitAdditive } from '../../../src/engine/statistics/additiveModel.ts';
import { normal, seeded } from '../experiment/noiseModel.ts';

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
