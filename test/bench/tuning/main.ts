// How often a tuning is right, on made-up apps and a made-up noisy machine (see test/unit/strategies/noiseModel.ts), compared with two usual readings
// of the same figures and the usual way to measure: one setting after the other, each in one piece.
// Usage: node scripts/bench.mjs tuning [--experiments=1000] [--shapes=plateau,…] [--block=4] [--budget=240] [--block-sd=0.015] [--delta=0.05]
import { parseArgs } from 'node:util';
import { seeded } from '../../unit/strategies/noiseModel.ts';
import {
  type ReferenceTally,
  type Tally,
  emptyReference,
  emptyTally,
  shapes,
  simulateSequence,
  simulateTuning,
  tallyReference,
  tallySearch,
} from '../../unit/tuning/simulatedTuning.ts';

const { values } = parseArgs({
  options: {
    experiments: { type: 'string', default: '1000' },
    shapes: { type: 'string', default: Object.keys(shapes).join(',') },
    block: { type: 'string', default: '4' },
    budget: { type: 'string', default: '240' },
    'block-sd': { type: 'string', default: '0.015' },
    delta: { type: 'string', default: '0.05' },
  },
});
const experiments = Number(values.experiments);
const delta = Number(values.delta);
const options = { delta, blockS: Number(values.block), budgetS: Number(values.budget), blockSd: Number(values['block-sd']) };

function percent(count: number, of: number): string {
  return of === 0 ? '–' : `${((100 * count) / of).toFixed(1)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
  console.log('');
}

function searchRow(name: string, tally: Tally): string[] {
  const { experiments: n, seconds } = tally;
  const sorted = [...seconds].sort((a, b) => a - b);
  const mean = seconds.reduce((sum, value) => sum + value, 0) / n;
  return [
    name,
    percent(tally.covered, tally.intervals),
    percent(tally.falselyDifferent, tally.equal),
    percent(tally.tooSmall, n),
    percent(tally.confirmedTooSmall, tally.confirmed),
    percent(tally.confirmed, n),
    percent(tally.undecided, n),
    percent(tally.exact, n),
    percent(tally.needless, n),
    percent(tally.inRange, n),
    `${mean.toFixed(0)} s`,
    `${sorted[Math.floor(0.9 * n)] ?? 0} s`,
  ];
}

function referenceRow(name: string, how: string, tally: ReferenceTally): string[] {
  const n = tally.experiments;
  const ofMaximum = [tally.maximum.tooSmall, tally.maximum.exact, tally.maximum.needless].map((count) => percent(count, n));
  return [
    name,
    how,
    percent(tally.covered, tally.intervals),
    percent(tally.falselyDifferent, tally.equal),
    percent(tally.tooSmall, n),
    percent(tally.exact, n),
    percent(tally.needless, n),
    ...ofMaximum,
  ];
}

const searches: string[][] = [];
const references: string[][] = [];
for (const name of values.shapes.split(',')) {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`Name shapes of: ${Object.keys(shapes).join(', ')}.`);
  const uniform = seeded(20_260);
  const [search, same, sequence] = [emptyTally(), emptyReference(), emptyReference()];
  for (let i = 0; i < experiments; i += 1) {
    const simulated = simulateTuning(shape, i, options, uniform);
    tallySearch(search, shape, simulated, delta);
    tallyReference(same, shape, simulated.candidates, simulated.ticks, delta);
    tallyReference(sequence, shape, shape.candidates, simulateSequence(shape, options.budgetS, uniform), delta);
  }
  searches.push(searchRow(name, search));
  references.push(referenceRow(name, 'the same blocks', same), referenceRow(name, 'one after the other', sequence));
}
console.log(
  `${experiments} experiments each; blocks of ${options.blockS} s after 1 s, at most ${options.budgetS} s, block sd ${100 * options.blockSd} %, δ = ${100 * delta} %\n`,
);
table(
  [
    'curve',
    'intervals hold',
    '“different” of equals',
    'truly too small',
    '… of confirmed',
    'confirmed',
    'undecided',
    'exact',
    'needlessly large',
    'truth in range',
    'mean',
    'p90',
  ],
  searches,
);
table(
  [
    'curve',
    'data',
    'Welch on ticks: intervals hold',
    '“different” of equals',
    'too small',
    'exact',
    'needless',
    'largest mean: too small',
    'exact',
    'needless',
  ],
  references,
);
