import { beforeAll, describe, expect, it } from 'vitest';
import { type SimulationTally, simulateApp, theftLevels } from '../../bench/truth/simulation.ts';
import { disturbedApps, nearTheMargin } from '../../support/disturbedApps.ts';
import { type DisturbedOutcome, disturbedDefaults, judgeDisturbed, searchDisturbed } from '../../support/disturbedSearch.ts';
import { type StolenCpu, stolenCpu } from '../../support/stolenCpu.ts';
import { seeded } from '../strategies/noiseModel.ts';

const trials = 12;
const decidable = Object.keys(disturbedApps).filter((app) => !nearTheMargin.has(app));

/** The goal in percent, and three times the sampling error of so many trials: they are few here, and many in `npm run bench truth`. */
const atMost = (goalPercent: number, of: number): number =>
  goalPercent / 100 + 3 * Math.sqrt(((goalPercent / 100) * (1 - goalPercent / 100)) / of);

describe.each(theftLevels)('the whole procedure along a recorded theft of CPU, ×%d', (theft) => {
  let tallies: SimulationTally[] = [];
  const sum = (of: (one: SimulationTally) => number): number => tallies.reduce((total, one) => total + of(one), 0);

  beforeAll(() => {
    tallies = decidable.map((app) => simulateApp(app, theft, trials, disturbedDefaults));
    // Some seconds of computing; a machine that is shared may take many times that.
  }, 240_000);

  it('calls equal settings different in no more than 5 of 100 intervals, and hardly ever by more than δ', () => {
    const equal = sum((one) => one.equal);
    expect(equal).toBeGreaterThanOrEqual(100);
    expect(sum((one) => one.falselyDifferent) / equal).toBeLessThanOrEqual(atMost(5, equal));
    expect(sum((one) => one.calledDifferent) / equal).toBeLessThanOrEqual(0.01);
  });

  it('has intervals that hold the truth 94 times in 100', () => {
    const intervals = sum((one) => one.intervals);
    expect(intervals).toBeGreaterThanOrEqual(300);
    expect(1 - sum((one) => one.covered) / intervals).toBeLessThanOrEqual(atMost(6, intervals));
  });

  it('withholds an answer in at most 5 of 100, and recommends what is truly too small in at most 2', () => {
    const all = sum((one) => one.trials);
    expect(all).toBe(decidable.length * trials);
    expect(sum((one) => one.withheld) / all).toBeLessThanOrEqual(0.05);
    expect(sum((one) => one.tooSmall) / all).toBeLessThanOrEqual(atMost(2, all));
    expect(sum((one) => one.withinOneStep) / all).toBeGreaterThanOrEqual(0.95);
    // To hold back nothing would be no art if nothing were ever proven.
    expect(sum((one) => one.confirmed) / all).toBeGreaterThanOrEqual(0.7);
  });

  it('finds a true difference of 10 % within its budget', () => {
    const apart = tallies.filter(({ app }) => app.startsWith('10 % apart'));
    expect(apart).toHaveLength(2);
    for (const { unequal, found } of apart) {
      expect(unequal).toBe(trials);
      expect(found / unequal).toBeGreaterThanOrEqual(0.9);
    }
  });
});

describe('the whole procedure beside other loads', () => {
  const outcomes = (app: string, theft: StolenCpu, count: number): DisturbedOutcome[] => {
    const made = disturbedApps[app];
    if (made === undefined) throw new Error(app);
    return Array.from({ length: count }, (_, seed) =>
      judgeDisturbed(made, searchDisturbed(made, theft, 104_729 * (seed + 1), disturbedDefaults), disturbedDefaults.delta),
    );
  };
  const uniform = seeded(10);
  /** Every eight seconds or so, others use half of the CPU for one to five. */
  const bursts = (): StolenCpu => {
    let left = 0;
    return stolenCpu(
      Array.from({ length: 4000 }, () => {
        left = left > 0 ? left - 1 : uniform() < 0.06 ? 2 + Math.floor(8 * uniform()) : 0;
        return left > 0 ? 0.5 : 0.01;
      }),
    );
  };
  const steady = stolenCpu(Array.from({ length: 4000 }, () => 0.23 + 0.04 * uniform()));

  it('does not take bursts of full load for differences between copies', () => {
    const seen = outcomes('copies, both CPU-bound', bursts(), 60);
    expect(seen.reduce((sum, { equal }) => sum + equal, 0)).toBe(60);
    expect(seen.filter(({ falselyDifferent }) => falselyDifferent > 0).length / seen.length).toBeLessThanOrEqual(atMost(5, seen.length));
  });

  it('decides beside a steady load as on a machine that nobody disturbs: it is the machine', () => {
    const confirmed = (theft: StolenCpu): number =>
      outcomes('waits, knee at 16', theft, 12).filter((one) => one.confirmed && one.exact).length;
    expect(confirmed(steady)).toBeGreaterThanOrEqual(confirmed(stolenCpu([0, 0])) - 3);
  });
}, 120_000);
