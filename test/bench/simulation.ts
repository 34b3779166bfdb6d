// How often a tuning is right along a recorded trace of stolen CPU, and along three times its theft, on made-up apps; see test/support/disturbedSearch.ts.
// Usage: node scripts/bench.mjs simulation [--trials=400] [--apps=part of a name,…] [--theft=1,3] [--block=0.6] [--budget=60] [--noise=0.05] [--delta=0.05] [--mechanism]
import { parseArgs } from 'node:util';
import { disturbedApps } from '../support/disturbedApps.ts';
import { disturbedDefaults } from '../support/disturbedSearch.ts';
import { simulateApp, simulationTable, theftLevels } from './truth/simulation.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '400' },
    apps: { type: 'string', default: '' },
    theft: { type: 'string', default: theftLevels.join(',') },
    block: { type: 'string', default: String(disturbedDefaults.blockS) },
    budget: { type: 'string', default: String(disturbedDefaults.budgetS) },
    noise: { type: 'string', default: String(disturbedDefaults.noise) },
    delta: { type: 'string', default: String(disturbedDefaults.delta) },
    mechanism: { type: 'boolean', default: false },
  },
});
const options = {
  delta: Number(values.delta),
  blockS: Number(values.block),
  budgetS: Number(values.budget),
  noise: Number(values.noise),
  mechanism: values.mechanism,
};
const parts = values.apps.split(',');
const apps = Object.keys(disturbedApps).filter((name) => parts.some((part) => name.includes(part)));
const startedMs = performance.now();
const tallies = values.theft
  .split(',')
  .map(Number)
  .flatMap((theft) => apps.map((app) => simulateApp(app, theft, Number(values.trials), options)));
console.log(
  `${values.trials} trials each; ${options.blockS} s of each setting a round, in slices, at most ${options.budgetS} s; noise ${100 * options.noise} %/√s; δ = ${100 * options.delta} %\n`,
);
console.log(simulationTable(tallies));
console.log(`\n${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
