import { describe, expect, it } from 'vitest';
import { ladderSizes, stepsOff } from '../../bench/truth/ladderLaw.ts';
import { disturbedApps } from '../../support/disturbedApps.ts';
import { type DisturbedApp, disturbedDefaults, judgeDisturbed, searchDisturbed } from '../../support/disturbedSearch.ts';
import { recordedTheft, stolenCpu } from '../../support/stolenCpu.ts';

function app(name: string): DisturbedApp {
  const made = disturbedApps[name];
  if (made === undefined) throw new Error(`there is no app ${name}`);
  return made;
}

describe('a trace of stolen CPU', () => {
  it('gives the mean share of any window, and begins anew at its end', () => {
    const trace = stolenCpu([0, 0.2, 0.4, 0.1]);
    expect(trace.lengthS).toBe(2);
    expect(trace.share(0.5, 1.5)).toBeCloseTo(0.3, 12);
    expect(trace.share(0.25, 0.75)).toBeCloseTo(0.1, 12);
    expect(trace.share(1.5, 2.5)).toBeCloseTo(0.05, 12);
    expect(trace.share(4.5, 5.5)).toBeCloseTo(0.3, 12);
  });

  it('is the recorded one: 83 minutes, 4 % in the mean, three times that where more is not all there is', () => {
    const [once, thrice] = [recordedTheft(), recordedTheft(3)];
    expect(once.lengthS / 60).toBeCloseTo(83, 0);
    expect(once.share(0, once.lengthS)).toBeCloseTo(0.041, 3);
    expect(thrice.share(0, thrice.lengthS)).toBeGreaterThan(0.1);
    expect(thrice.share(0, thrice.lengthS)).toBeLessThan(3 * once.share(0, once.lengthS));
  });
});

describe('a search along it', () => {
  it('is the same each time for the same seed, and another for another', () => {
    const figures = (seed: number): unknown => {
      const { finding, seconds } = searchDisturbed(app('CPU-bound from 8'), recordedTheft(), seed, disturbedDefaults);
      return [seconds, [...finding.statistics.intervals]];
    };
    expect(figures(5)).toEqual(figures(5));
    expect(figures(5)).not.toEqual(figures(6));
  });

  it('finds the smallest pool that is enough where nothing is stolen and the noise is small', () => {
    const quiet = { ...disturbedDefaults, noise: 0.005 };
    const made = app('waits, knee at 16');
    const trial = searchDisturbed(made, stolenCpu([0]), 1, quiet);
    expect(trial.taken).toBe(0);
    expect(trial.seconds).toBeLessThanOrEqual(quiet.budgetS);
    expect(judgeDisturbed(made, trial, quiet.delta)).toMatchObject({ withheld: false, exact: true, withinOneStep: true, tooSmall: false });
  });

  it('counts what is truly too small, and what is too large, by the undisturbed truth', () => {
    const made = app('waits, knee at 16');
    const trial = searchDisturbed(made, stolenCpu([0]), 1, { ...disturbedDefaults, noise: 0.005 });
    const answer = (pool: number): typeof trial => {
      const confirmed = trial.finding.knee?.best;
      if (trial.finding.knee === null || confirmed === undefined) throw new Error('it found nothing');
      const chosen = { ...confirmed, key: `pool=${pool}`, values: { pool }, cost: pool };
      return { ...trial, finding: { ...trial.finding, knee: { ...trial.finding.knee, confirmed: chosen } } };
    };
    expect(judgeDisturbed(made, answer(8), 0.05)).toMatchObject({ tooSmall: true, exact: false, withinOneStep: true });
    expect(judgeDisturbed(made, answer(64), 0.05)).toMatchObject({ tooSmall: false, exact: false, withinOneStep: false });
  });
});

describe('a ladder whose answer is known', () => {
  it('counts the steps from the smallest pool that is enough by the law', () => {
    expect(ladderSizes.map((size) => stepsOff(size, 16))).toEqual([3, 2, 1, 0, 1, 2]);
    expect(ladderSizes.map((size) => stepsOff(size, 24))).toEqual([4, 3, 2, 1, 0, 1]);
  });

  it('takes a value between two rungs as right when it is enough and the rung below it is not', () => {
    expect([23, 24, 28].map((size) => stepsOff(size, 24))).toEqual([0, 0, 0]);
    expect([20, 45].map((size) => stepsOff(size, 24))).toEqual([1, 1]);
  });
});
