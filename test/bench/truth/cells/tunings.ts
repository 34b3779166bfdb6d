import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import * as z from 'zod';
import { repositoryDir } from '../../../support/engine.ts';
import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, countOf, median, oneByOne, share } from '../cell.ts';

const sizes = [1, 2, 4, 8, 16, 32];
const connections = 32;
/** A size that does this much of the best is as good. */
const enough = 0.95;
/** The truth is the mean of so many runs of so many rounds, each in a process of its own. */
const [truthRuns, truthRounds] = [2, 10];

interface Tuned {
  target: string;
  /** Null: the workspace of the bench. */
  workspace: string | null;
}

/** Services of the user's choice: each folder below `BENCHSIDE_FIELD` with a `benchside.json` is one. */
function fieldServices(): [string, Tuned][] {
  const folder = process.env['BENCHSIDE_FIELD'];
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, 'benchside.json')))
    .map((name): [string, Tuned] => {
      const workspace = path.join(folder, name);
      const { targets } = z
        .object({ targets: z.array(z.object({ id: z.string() })).min(1) })
        .parse(parse(readFileSync(path.join(workspace, 'benchside.json'), 'utf8')));
      return [name, { target: targets[0]?.id ?? '', workspace }];
    });
}

const tuned: Readonly<Record<string, Tuned>> = Object.fromEntries([
  ['Node sample', { target: 'node', workspace: null }],
  ['Java sample', { target: 'java', workspace: null }],
  ...fieldServices(),
]);

const truthFile = path.join(repositoryDir, 'test', 'bench', 'truth', 'results', 'tunings-truth.json');
const truthSchema = z.record(z.string(), z.record(z.string(), z.number()));
type Truth = Readonly<Record<string, number>>;

function knownTruths(): Record<string, Truth> {
  return existsSync(truthFile) ? truthSchema.parse(JSON.parse(readFileSync(truthFile, 'utf8'))) : {};
}

function setsOf(target: string): string[] {
  return ['--target', target, '--set', `pool=${sizes.join(',')}`, '--connections', String(connections)];
}

/** Shares of the best by size. */
async function truthOf(name: string, { target, workspace }: Tuned, fallback: string, signal: AbortSignal): Promise<Truth> {
  const known = knownTruths()[name];
  if (known !== undefined) return known;
  const folder = workspace ?? fallback;
  const logs = new Map<number, number[]>();
  for (let run = 0; run < truthRuns; run += 1) {
    const before = runsOf(folder);
    await benchside(['run', ...setsOf(target), '--load', 'quick', '--rounds', String(truthRounds)], folder, signal);
    const record = newRun(folder, before);
    if (record === null) throw new Error(`the truth of ${name} could not be measured`);
    for (const { settings, throughput } of record.trials) {
      const size = Number(settings?.['pool']);
      if (sizes.includes(size) && throughput !== undefined) logs.set(size, [...(logs.get(size) ?? []), Math.log(throughput.mean)]);
    }
    await benchside(['delete', record.id], folder, signal);
  }
  const means = new Map([...logs].map(([size, all]) => [size, Math.exp(all.reduce((sum, log) => sum + log, 0) / all.length)]));
  const best = Math.max(...means.values());
  const truth = Object.fromEntries([...means].map(([size, mean]) => [String(size), Math.round((1000 * mean) / best) / 1000]));
  writeFileSync(truthFile, `${JSON.stringify({ ...knownTruths(), [name]: truth }, null, 2)}\n`);
  return truth;
}

/** Share of the best at any size: on the line between its neighbours that were measured, over ln(size). */
function shareAt(value: number, truth: Truth): number {
  const known = sizes.flatMap((size) => (truth[String(size)] === undefined ? [] : [{ size, share: truth[String(size)] ?? 0 }]));
  const below = known.filter(({ size }) => size <= value).at(-1);
  const above = known.find(({ size }) => size >= value);
  if (below === undefined || above === undefined || below.size === above.size) return (below ?? above)?.share ?? 0;
  const along = Math.log(value / below.size) / Math.log(above.size / below.size);
  return below.share + along * (above.share - below.share);
}

/** Right: within 5 % of the best, and at most the next smaller size is, too. */
function judged(value: number, truth: Truth): 'right' | 'too small' | 'too large' {
  if (shareAt(value, truth) < enough) return 'too small';
  const smaller = sizes.filter((size) => size < value && (truth[String(size)] ?? 0) >= enough);
  return smaller.length <= 1 ? 'right' : 'too large';
}

/** Tunings of services whose limit is mostly the CPU. */
export const tunings: Cell = {
  name: 'tunings',
  title: `Tunings of whole services: pools of 1 to 32, ${connections} connections`,
  goal: 'right ≥ 95 %, *likely* right ≥ 80 %, *proven* right ≥ 98 %, median ≤ 30 s of measuring',
  how:
    `\`benchside tune\` with its default budget of 2 min, of both samples and of services that others wrote (folders below \`BENCHSIDE_FIELD\`); those measured at \`3af3b52c\` had 60 s. The truth is the mean throughput of ${truthRuns} processes in ${truthRounds} rounds of slices each, ` +
    'measured once for all repetitions on the same machine, as it is: the Node sample was best with 8 on one host, and with 32 on another; of a size between two it is on the line between them. *Right* is a size that does at least 95 % of the best, while at most the next smaller one does, too.',
  variants: Object.keys(tuned),
  times: 10,
  outcomes: ['right', 'too small', 'too large', 'withheld', 'failed'],
  wishes: [{ what: 'a tuning of a whole service is right', outcomes: ['right'], share: 0.95 }],
  measure: oneByOne(async (variant, { workspace, signal, extra }) => {
    const one = tuned[variant];
    if (one === undefined) throw new Error(`there is no service ${variant}`);
    const folder = one.workspace ?? workspace;
    const truth = await truthOf(variant, one, workspace, signal);
    const before = runsOf(folder);
    const called = await benchside(['tune', ...setsOf(one.target), ...extra], folder, signal);
    const run = newRun(folder, before);
    const answer = run?.result.kind === 'tune' ? run.result.answers[0] : undefined;
    const noted = { ...circumstances(run), wholeS: called.wholeS };
    if (run !== null && one.workspace !== null) await benchside(['delete', run.id], folder, signal);
    if (answer === undefined)
      return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    // One that is only seen names a value to take until more is known, or none.
    const leading = answer.facts.code === 'open' ? answer.facts.leading?.values['pool'] : undefined;
    const value = answer.values?.['pool'] ?? leading;
    const said = `${answer.status === 'confirmed' ? 'proven' : answer.status === 'plausible' ? 'likely' : 'only seen'}: ${answer.headline}`;
    if (typeof value !== 'number') return { ...noted, outcome: 'withheld', value: null, said };
    return { ...noted, outcome: judged(value, truth), value, said };
  }),
  judge: (results) => {
    const n = results.length;
    const right = countOf(results, 'right');
    const of = (word: string): string => {
      const some = results.filter(({ said }) => said.startsWith(word));
      return `${word} right ${share(countOf(some, 'right'), some.length)} of ${some.length}`;
    };
    const measuringS = median(results.map((one) => one.measuringS));
    return {
      figures: `${n} tunings: right ${share(right, n)}, too small ${share(countOf(results, 'too small'), n)}, too large ${share(countOf(results, 'too large'), n)}; ${of('proven')}, ${of('likely')}; median ${measuringS?.toFixed(0) ?? '–'} s of measuring`,
      reached: n === 0 || measuringS === null ? null : right >= 0.95 * n && measuringS <= 30,
    };
  },
};
