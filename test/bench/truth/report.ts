import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import { type Cell, countOf, median, share } from './cell.ts';
import { atLeast } from './confidence.ts';
import { type Condition, conditionLabels, conditionSchema } from './conditions.ts';
import { type SimulationTally, judgeSimulation, simulationGoal, simulationTable, theftLevels } from './simulation.ts';
import type { Result } from './store.ts';

const conditions = conditionSchema.options;
const word = { true: 'yes', false: '**no**', null: 'open' } as const;

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/** Repetitions that a cell wants in a condition and that are not there. */
function missing(cell: Cell, results: readonly Result[], condition: Condition): number {
  const of = (variant: string): number =>
    results.filter((one) => one.cell === cell.name && one.condition === condition && one.variant === variant).length;
  return cell.variants.reduce((sum, variant) => sum + Math.max(0, cell.times - of(variant)), 0);
}

function summary(cells: readonly Cell[], results: readonly Result[], simulation: readonly SimulationTally[]): string {
  const rows = cells.flatMap((cell) =>
    conditions.map((condition) => {
      const own = results.filter((one) => one.cell === cell.name && one.condition === condition);
      const { figures, reached } = cell.judge(own);
      const left = missing(cell, results, condition);
      const open = left === 0 ? '' : ` (${left} of ${cell.times * cell.variants.length} not run yet)`;
      return [
        cell.title,
        conditionLabels[condition],
        own.length === 0 ? 'not run yet' : `${figures}${open}`,
        cell.goal,
        own.length === 0 ? 'open' : word[`${reached ?? 'null'}`],
      ];
    }),
  );
  const simulated = theftLevels.map((theft) => {
    const { figures, reached } = judgeSimulation(simulation.filter((one) => one.theft === theft));
    return [
      'Simulation of the whole procedure',
      theft === 1 ? 'along the recorded trace of stolen CPU' : `along ${theft} times its theft`,
      figures,
      simulationGoal,
      word[`${reached ?? 'null'}`],
    ];
  });
  return table([['what', 'condition', 'measured', 'goal', 'reached'], ...rows, ...simulated]);
}

/** What all conditions together make certain. */
function certainty(cells: readonly Cell[], results: readonly Result[]): string {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const rows = cells.flatMap((cell) => {
    const own = results.filter((one) => one.cell === cell.name);
    return (cell.wishes ?? []).map((wish) => {
      const good = countOf(own, ...wish.outcomes);
      const certain = atLeast(good, own.length);
      const sure = certain >= wish.share ? 'yes' : 1 - atLeast(own.length - good, own.length) < wish.share ? '**no**' : 'not yet';
      return [wish.what, `${good} of ${own.length}`, percent(certain), percent(wish.share), sure];
    });
  });
  return table([['what', 'as it should be', 'at least (95 %)', 'goal', 'certain'], ...rows]);
}

function details(cell: Cell, results: readonly Result[]): string {
  const own = results.filter((one) => one.cell === cell.name);
  if (own.length === 0) return '';
  // Of many variants only those that were not all alike have a row of their own.
  const perVariant = cell.variants.length <= 15;
  const groups = conditions.flatMap((condition) =>
    (perVariant ? cell.variants : [null]).map((variant) => ({
      condition,
      variant,
      of: own.filter((one) => one.condition === condition && (variant === null || one.variant === variant)),
    })),
  );
  const seconds = (values: readonly (number | null)[]): string => {
    const middle = median(values);
    return middle === null ? '–' : `${middle.toFixed(0)} s`;
  };
  const rows = groups
    .filter(({ of }) => of.length > 0)
    .map(({ condition, variant, of }) => [
      ...(variant === null ? [] : [variant]),
      condition,
      String(of.length),
      ...cell.outcomes.map((outcome) => {
        const count = of.filter((one) => one.outcome === outcome).length;
        return count === 0 ? '' : `${count} (${share(count, of.length)})`;
      }),
      seconds(of.map(({ windowsS }) => windowsS ?? null)),
      seconds(of.map(({ measuringS }) => measuringS)),
      seconds(of.map(({ wholeS }) => wholeS)),
      median(of.map(({ takenPercent }) => takenPercent))
        ?.toFixed(0)
        .concat(' %') ?? '–',
    ]);
  const head = [
    ...(perVariant ? ['variant'] : []),
    'condition',
    'times',
    ...cell.outcomes,
    'in windows (median)',
    'measuring (median)',
    'whole (median)',
    'CPU taken (median)',
  ];
  return `\n### ${cell.title}\n\nGoal: ${cell.goal}. ${cell.how}\n\n${table([head, ...rows])}\n${failures(cell, own)}`;
}

/** What did not go as it should, in the product's own words: each sentence once. */
function failures(cell: Cell, own: readonly Result[]): string {
  const [good = ''] = cell.outcomes;
  const fine = new Set([good, ...(cell.name === 'ladders' ? ['one step'] : [])]);
  const bad = own.filter(({ outcome }) => !fine.has(outcome));
  if (bad.length === 0) return '';
  const most = 40;
  const lines = bad
    .slice(0, most)
    .map(({ variant, condition, repeat, outcome, said }) => [variant, condition, String(repeat), outcome, said.slice(0, 220)]);
  const more = bad.length > most ? `\n\nAnd ${bad.length - most} more in \`test/bench/truth/results/${cell.name}.jsonl\`.` : '';
  return `\nThose that were not “${good}”:\n\n${table([['variant', 'condition', 'repetition', 'outcome', 'what it said'], ...lines])}${more}\n`;
}

/** Of which states of the code the figures are: a page that was measured in pieces may hold several. */
function versions(results: readonly Result[]): string {
  const commits = [...new Set(results.flatMap(({ commit }) => commit ?? []))];
  const of = commits.map((commit) => `\`${commit}\` (${results.filter((one) => one.commit === commit).length})`);
  return of.length === 0 ? '' : ` Repetitions by the commit that they were measured at: ${of.join(', ')}.`;
}

/** The page, from what is stored. */
export function page(cells: readonly Cell[], results: readonly Result[], simulation: readonly SimulationTally[]): string {
  const cores = [...new Set(results.flatMap(({ cores: count }) => count ?? []))].sort((a, b) => a - b);
  const open = cells.flatMap((cell) =>
    conditions.flatMap((condition) =>
      missing(cell, results, condition) === 0 ? [] : [{ cell, condition, left: missing(cell, results, condition) }],
    ),
  );
  return `# How often it is right, as measured

<!-- Written by \`npm run bench truth -- --report\` from test/bench/truth/results. Change the bench, not this page. -->

\`npm run bench truth\` asks Benchside questions whose answers are known beforehand, through its command line and as a user would, while the machine is left alone, while a
busy loop of 50 % duty (half of one core) runs next to it, and while one to three busy loops run at full load for 1 to 5 s at random, with as long in between. It can be broken off and taken up again; what it has
measured is in \`test/bench/truth/results\`, one line for each repetition, and this page is written from it. Everything that was measured counts: nothing is measured
again because the machine was busy, and what failed or was withheld is in the figures. Where the code behind an answer was changed, a whole pass was measured again and replaced the one before, which is in the history of the file of results.

How to read it. *Reached* compares what was measured with the goal. **No** means that it was missed in what was measured; *open* that too little is measured to say so.
A share of few repetitions is not known well: where 10 of 10 are right the truth may be 69 % (95 %, Clopper–Pearson), where 40 of 40 are, 91 %; 1 of 40 may be 0.1 to 13 %.
*In windows* is the sum of the measured windows of all sides, *measuring* the time from the first to the last of them: turns, further starts and their warm-ups included.
*CPU taken* is what other programs and the hypervisor took of the whole machine meanwhile, the busy loops included, so that “the machine as it is” need not be a quiet one.
${cores.length === 0 ? 'Nothing but the simulation has been run yet.' : `Measured on a machine of ${cores.join(' and ')} cores that it shares with others; app, database and load generator together on it.${versions(results)}`} The simulation is
exact in that the same code gives the same figures, and worth as much as its model: throughput × (1 − stolen share × how much the setting minds) × noise, along a trace that was recorded on such a machine.

## In short

${summary(cells, results, simulation)}

## What is certain

All three conditions together: the share that is reached at the least, with 95 % confidence on one side (Clopper–Pearson). *Not yet* means that more repetitions are needed to be sure, not that the goal was missed.

${certainty(cells, results)}

## Not run yet

${open.length === 0 ? 'Everything has been run as often as it should be.' : table([['what', 'condition', 'repetitions left'], ...open.map(({ cell, condition, left }) => [cell.title, conditionLabels[condition], String(left)])])}

## In detail
${cells.map((cell) => details(cell, results)).join('')}
### Simulation of the whole procedure along a recorded trace

Goal: ${simulationGoal}. Each trial is a whole search (\`test/support/disturbedSearch.ts\`) from another place of 83 minutes of recorded theft (\`test/fixtures/stolenCpu.txt\`): blocks of 1 s, 0.5 s for each switch,
at most 120 s, noise of 5 % in a block of a second. The goals are for the apps that can be decided; those *near the margin* have a value so close to it that no short measurement can tell, and show what is
claimed then. *Intervals hold* counts the 95 % intervals of ratios to the best that hold the true ratio; of settings that are truly equal, how many intervals exclude 1, and how many lie wholly beyond ±5 % (*called different*). *No word* is an interval
that is neither within ±5 % nor beyond it at the end: a search ends when it knows which value to use, which often is earlier. The mechanism (how long a request waits for the pool) is not simulated.

${simulation.length === 0 ? 'Not run yet.' : simulationTable(simulation)}
`;
}

export const pageFile = path.join(repositoryDir, 'docs', 'truth.md');

/** Writes the page when it has changed, and says whether it has. */
export function writePage(text: string): boolean {
  let before = '';
  try {
    before = readFileSync(pageFile, 'utf8');
  } catch {
    // There is none yet.
  }
  if (before === text) return false;
  writeFileSync(pageFile, text);
  return true;
}
