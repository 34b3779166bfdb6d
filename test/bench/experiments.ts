// Repeats the published experiments in their short form, and writes what came of them into docs/experiments.md, those that do not agree included.
// Resumable: what was measured is kept in .cache/bench/experiments (or --results <file>) after each, and not measured again without --again.
// Options: --only C1,C2 (only these, C for all of that publication) · --full · --again · --results <file> · --json (the results alone, on standard output;
// nothing is written into the page) · --no-page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { ListedExperiment } from '../../src/model/domain/experiment.ts';
import { experimentSummary, shapeWords } from '../../src/model/presentation/shapeWords.ts';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../support/engine.ts';
import { resultOf } from '../support/resultOf.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    results: { type: 'string' },
    full: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'no-page': { type: 'boolean', default: false },
  },
});
const form = values.full ? 'full' : 'short';
const only = values.only?.toUpperCase().split(',');
const page = path.join(repositoryDir, 'docs', 'experiments.md');
const resultsFile = values.results ?? path.join(repositoryDir, '.cache', 'bench', 'experiments', `${form}.json`);
const [from, to] = ['<!-- measured: begin -->', '<!-- measured: end -->'];

const outcomes = ['agrees', 'does not agree', 'cannot tell', 'not run here', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

/** One experiment as it came out. */
const resultSchema = z.object({
  id: z.string(),
  title: z.string(),
  outcome: z.enum(outcomes),
  shape: z.array(z.object({ agrees: z.boolean().nullable(), sentence: z.string() })),
  notToday: z.string(),
  /** Mean share of the CPU that other programs used while its blocks were measured, in percent; null where it is not known. */
  takenPercent: z.number().nullable(),
  rounds: z.number().nullable(),
  seconds: z.number(),
  said: z.string(),
});
type Result = z.infer<typeof resultSchema>;

function previous(): Map<string, Result> {
  if (values.again && only === undefined) return new Map();
  let text: string;
  try {
    text = readFileSync(resultsFile, 'utf8');
  } catch {
    return new Map();
  }
  return new Map(
    z
      .array(resultSchema)
      .parse(JSON.parse(text))
      .map((result) => [result.id, result]),
  );
}

const say = (line: string): void => void (values.json ? process.stderr : process.stdout).write(`${line}\n`);
const sign = (agrees: boolean | null): string => (agrees === null ? '?' : agrees ? '✓' : '✗');

async function measured(engine: TestEngine, experiment: ListedExperiment): Promise<Result> {
  const started = performance.now();
  const plain = { id: experiment.id, title: experiment.title, shape: [], notToday: '', takenPercent: null, rounds: null };
  const seconds = (): number => Math.round((performance.now() - started) / 1000);
  if (experiment.missing.length > 0)
    return { ...plain, outcome: 'not run here', seconds: 0, said: experiment.missing.map(({ message }) => message).join(' ') };
  try {
    const { runId } = await engine.measure({ kind: 'experiment', id: experiment.id, form });
    const { run } = await engine.request('runs/get', { id: runId });
    const result = resultOf(run, 'experiment');
    const { agrees, experiment: measured } = result;
    const blocks = run.trials.flatMap((trial) => trial.blocks);
    const taken = blocks.flatMap(({ interference }) => interference?.takenPercent ?? []);
    return {
      ...plain,
      outcome: agrees === null ? 'cannot tell' : agrees ? 'agrees' : 'does not agree',
      shape: result.shape.map((rule) => ({ agrees: rule.agrees, sentence: shapeWords(rule, measured).sentence })),
      notToday: agrees === true ? '' : measured.notToday,
      takenPercent: taken.length === 0 ? null : Math.round(taken.reduce((sum, one) => sum + one, 0) / taken.length),
      rounds: Math.max(0, ...blocks.map(({ round }) => round)),
      seconds: seconds(),
      said: experimentSummary(result),
    };
  } catch (error) {
    process.exitCode = 1;
    return { ...plain, outcome: 'failed', seconds: seconds(), said: error instanceof Error ? error.message : String(error) };
  }
}

/** A line of the table. A bar in a sentence would end its cell. */
function row({ id, title, outcome, shape, said, takenPercent, seconds }: Result): string {
  const words: Record<Outcome, string> = {
    ...Object.fromEntries(outcomes.map((one) => [one, one])),
    agrees: 'yes',
    'does not agree': '**no**',
  } as Record<Outcome, string>;
  const rules = shape.length === 0 ? said : shape.map(({ agrees, sentence }) => `${sign(agrees)} ${sentence}`).join('<br>');
  const cells = [id, title, words[outcome], rules, takenPercent === null ? '–' : `${takenPercent} %`, `${seconds} s`];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function tally(results: readonly Result[]): string {
  return outcomes.map((outcome) => `${outcome}: ${results.filter((one) => one.outcome === outcome).length}`).join(' · ');
}

function writePage(results: readonly Result[]): void {
  const text = readFileSync(page, 'utf8');
  const table = [
    '',
    `${results.length} experiments, one run of each. ${tally(results)}.`,
    '',
    '| | Experiment | Shape agrees | What was measured | CPU taken | Took |',
    '|---|---|---|---|---|---|',
    ...results.map(row),
    '',
  ].join('\n');
  writeFileSync(page, `${text.slice(0, text.indexOf(from) + from.length)}\n${table}\n${text.slice(text.indexOf(to))}`);
}

const known = previous();
const sorted = (): Result[] => [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
const engine = await TestEngine.start({});
try {
  const { experiments } = await engine.request('experiments/list', {});
  const wanted = experiments.filter(
    ({ id }) => only === undefined || only.some((one) => id === one || (one.length === 1 && id.startsWith(one))),
  );
  for (const experiment of wanted) {
    const before = known.get(experiment.id);
    if (before !== undefined && before.outcome !== 'failed' && !values.again) {
      say(`${experiment.id} ${experiment.title}: ${before.outcome} (measured before)`);
      continue;
    }
    const result = await measured(engine, experiment);
    known.set(experiment.id, result);
    say(`${result.id} ${result.title}: ${result.outcome} (${result.seconds} s)`);
    if (result.shape.length === 0) say(`   ${result.said}`);
    for (const { agrees, sentence } of result.shape) say(`   ${sign(agrees)} ${sentence}`);
    // After each, so that what was measured is kept when a later one is broken off.
    mkdirSync(path.dirname(resultsFile), { recursive: true });
    writeFileSync(resultsFile, `${JSON.stringify(sorted(), null, 2)}\n`);
    if (!values.json && !values['no-page'] && !values.full) writePage(sorted());
  }
  const asked = sorted().filter(({ id }) => wanted.some((experiment) => experiment.id === id));
  say(tally(asked));
  if (values.json) process.stdout.write(`${JSON.stringify(asked)}\n`);
} finally {
  await engine.dispose();
  removeTemporaryFolders();
}
