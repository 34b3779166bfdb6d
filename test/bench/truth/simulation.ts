import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { disturbedApps, nearTheMargin } from '../../support/disturbedApps.ts';
import {
  type DisturbedOptions,
  type DisturbedOutcome,
  disturbedDefaults,
  judgeDisturbed,
  searchDisturbed,
} from '../../support/disturbedSearch.ts';
import { repositoryDir } from '../../support/engine.ts';
import { recordedTheft } from '../../support/stolenCpu.ts';

const count = z.number().int().min(0);
const tallySchema = z.object({
  app: z.string(),
  theft: z.number().describe('how many times the recorded theft'),
  trials: count,
  withheld: count,
  confirmed: count,
  tooSmall: count,
  exact: count,
  withinOneStep: count,
  intervals: count,
  covered: count,
  equal: count,
  falselyDifferent: count,
  calledDifferent: count,
  equalWithoutWord: count,
  unequal: count,
  found: count,
  meanS: z.number(),
  medianS: z.number(),
  p90S: z.number(),
  takenPercent: z.number(),
});

/** Sums over the trials of one made-up app on one trace. */
export type SimulationTally = z.infer<typeof tallySchema>;

export const theftLevels = [1, 3] as const;

/** The whole procedure, `trials` times, each from another place of the trace. The same arguments give the same figures. */
export function simulateApp(app: string, theft: number, trials: number, options: DisturbedOptions): SimulationTally {
  const made = disturbedApps[app];
  if (made === undefined) throw new Error(`Name apps of: ${Object.keys(disturbedApps).join(', ')}.`);
  const trace = recordedTheft(theft);
  const outcomes = Array.from({ length: trials }, (_, seed) =>
    judgeDisturbed(made, searchDisturbed(made, trace, 7919 * (seed + 1), options), options.delta),
  );
  const sum = (of: (one: DisturbedOutcome) => number | boolean): number => outcomes.reduce((total, one) => total + Number(of(one)), 0);
  const seconds = outcomes.map((one) => one.seconds).sort((a, b) => a - b);
  const tenth = (value: number): number => Math.round(10 * value) / 10;
  return {
    app,
    theft,
    trials,
    ...sumsOf(sum),
    meanS: tenth(sum((one) => one.seconds) / trials),
    medianS: tenth(seconds[Math.floor(trials / 2)] ?? 0),
    p90S: tenth(seconds[Math.floor(0.9 * trials)] ?? 0),
    takenPercent: tenth((100 * sum((one) => one.taken)) / trials),
  };
}

function percent(count: number, of: number): string {
  return of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`;
}

/** A Markdown table, a row for each app and level of theft, with the sum over the apps of each level below. */
export function simulationTable(tallies: readonly SimulationTally[]): string {
  const head = [
    ...['made-up app', 'theft', 'trials', 'withheld', 'truly too small', 'smallest enough', 'within one step'],
    ...['intervals hold', 'equals: interval excludes 1', 'called different', 'no word', 'differences ≥ δ found', 'mean', 'median', 'p90'],
  ];
  const row = (one: SimulationTally): string[] => [
    ...[one.app, `×${one.theft} (${one.takenPercent.toFixed(1)} %)`, String(one.trials)],
    ...[one.withheld, one.tooSmall, one.exact, one.withinOneStep].map((count) => percent(count, one.trials)),
    percent(one.covered, one.intervals),
    ...[one.falselyDifferent, one.calledDifferent, one.equalWithoutWord].map((count) => percent(count, one.equal)),
    percent(one.found, one.unequal),
    ...[one.meanS, one.medianS, one.p90S].map((seconds) => `${seconds.toFixed(0)} s`),
  ];
  const levels = [...new Set(tallies.map(({ theft }) => theft))];
  const rows = levels.flatMap((theft) => {
    const [close, clear] = [true, false].map((near) => tallies.filter((one) => one.theft === theft && nearTheMargin.has(one.app) === near));
    return [...group('**all of these**', clear ?? []), ...group('**near the margin**', close ?? [])].map(row);
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What a tally counts, of single trials or of other tallies. */
const counted = [
  'withheld',
  'confirmed',
  'tooSmall',
  'exact',
  'withinOneStep',
  'intervals',
  'covered',
  'equal',
  'falselyDifferent',
  'calledDifferent',
  'equalWithoutWord',
  'unequal',
  'found',
] as const;

function sumsOf(
  sum: (of: (one: Record<(typeof counted)[number], number | boolean>) => number) => number,
): Record<(typeof counted)[number], number> {
  return Object.fromEntries(counted.map((name) => [name, sum((one) => Number(one[name]))])) as Record<(typeof counted)[number], number>;
}

function group(name: string, tallies: readonly SimulationTally[]): SimulationTally[] {
  return tallies.length === 0 ? [] : [...tallies, together(name, tallies)];
}

function together(app: string, tallies: readonly SimulationTally[]): SimulationTally {
  const sum = (of: (one: SimulationTally) => number): number => tallies.reduce((total, one) => total + of(one), 0);
  const trials = sum((one) => one.trials);
  const weighted = (of: (one: SimulationTally) => number): number => sum((one) => of(one) * one.trials) / Math.max(1, trials);
  return {
    app,
    theft: tallies[0]?.theft ?? 1,
    trials,
    ...sumsOf(sum),
    meanS: weighted((one) => one.meanS),
    medianS: weighted((one) => one.medianS),
    p90S: weighted((one) => one.p90S),
    takenPercent: weighted((one) => one.takenPercent),
  };
}

export const simulationGoal = 'false difference ≤ 5 %, coverage ≥ 94 %, withheld ≤ 5 %; truly too small ≤ 2 %';

/** Of one level of theft, over the apps that can be decided. */
export function judgeSimulation(tallies: readonly SimulationTally[]): { figures: string; reached: boolean | null } {
  const clear = tallies.filter(({ app }) => !nearTheMargin.has(app));
  if (clear.length === 0) return { figures: 'not run yet', reached: null };
  const all = together('all', clear);
  const [different, covered] = [all.falselyDifferent / all.equal, all.covered / all.intervals];
  return {
    figures: `${all.trials} trials: false difference ${percent(all.falselyDifferent, all.equal)}, coverage ${percent(all.covered, all.intervals)}, withheld ${percent(all.withheld, all.trials)}, truly too small ${percent(all.tooSmall, all.trials)}; mean ${all.meanS.toFixed(0)} s`,
    reached: different <= 0.05 && covered >= 0.94 && all.withheld <= 0.05 * all.trials && all.tooSmall <= 0.02 * all.trials,
  };
}

const file = path.join(repositoryDir, 'test', 'bench', 'truth', 'results', 'simulation.json');

export function readSimulation(): SimulationTally[] {
  return existsSync(file) ? z.array(tallySchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

/** All apps on both traces, kept for the page. */
export function simulateAll(trials: number): void {
  const tallies = theftLevels.flatMap((theft) =>
    Object.keys(disturbedApps).map((app) => simulateApp(app, theft, trials, disturbedDefaults)),
  );
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `[\n${tallies.map((tally) => JSON.stringify(tally)).join(',\n')}\n]\n`);
  console.log(simulationTable(tallies));
}
