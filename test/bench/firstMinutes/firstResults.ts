import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

/** The first minutes with one service. Nothing in it names the machine: it is kept in the repository. */
const firstSchema = z.object({
  service: z.string(),
  title: z.string(),
  decisions: z.number().describe('clicks from the row of the service to the run'),
  setUpS: z.number().describe('until the run begins'),
  figuresS: z.number().describe('until a first throughput under load is shown'),
  answerS: z.number().describe('until the line of the answer has a figure or names a setting'),
  endS: z.number().describe('until the run is over'),
  warmUpS: z.number().nullable().describe('the longest warm-up of the run; null where it has none'),
  answer: z.string().describe('the first line that told an answer'),
  countS: z.number().nullable().describe('from a save to the counts at a handler; null where none came'),
  counts: z.string().nullable().describe('what was shown at a handler'),
  load: z.number().describe('processes that wanted to run on each core, over the last minute, when it began'),
});
export type FirstResult = z.infer<typeof firstSchema>;

const file = path.resolve('test/bench/firstMinutes/results/first.jsonl');
const page = path.resolve('docs/first-minutes.md');
const goals = { decisions: 4, answerS: 45, busyAnswerS: 75, countS: 2 } as const;
/** From so many on there were bursts of others. */
const busyLoad = 1;

/** Everything that was tried; of a service the last one counts. */
export function readFirst(): FirstResult[] {
  if (!existsSync(file)) return [];
  const all = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return [...new Map(all.map((line) => firstSchema.parse(JSON.parse(line))).map((one) => [one.service, one])).values()];
}

/** Written at once, so that nothing is lost when the bench is broken off. */
export function addFirst(result: FirstResult): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(firstSchema.parse(result))}\n`);
}

/** Writes docs/first-minutes.md of what is stored, in the order of these names. */
export function writeFirstPage(services: readonly string[]): void {
  const all = readFirst();
  const known = services.flatMap((service) => all.find((one) => one.service === service) ?? []);
  writeFileSync(page, firstPage(known, services.length));
}

function firstPage(known: readonly FirstResult[], all: number): string {
  const head = [
    'service',
    'decisions',
    'set-up, s',
    'first figures, s',
    'first answer, s',
    'end, s',
    'of it warm-up, s',
    'first answer',
    'load',
  ];
  const rows = known.map((one) => [
    one.title,
    String(one.decisions),
    ...[one.setUpS, one.figuresS, one.answerS, one.endS].map((seconds) => seconds.toFixed(0)),
    one.warmUpS?.toFixed(0) ?? '–',
    one.answer,
    one.load.toFixed(1),
  ]);
  const saves = known.map((one) => [
    one.title,
    one.countS === null ? '**none**' : one.countS.toFixed(1),
    one.counts ?? '–',
    one.load.toFixed(1),
  ]);
  const busy = known.filter(({ load }) => load >= busyLoad);
  const late = known.filter(({ answerS, load }) => answerS > (load >= busyLoad ? goals.busyAnswerS : goals.answerS));
  const counted = known.flatMap(({ countS }) => countS ?? []);
  const median = medianOf(counted);
  return `# The first minutes

What a first answer takes in the editor, for services that it has not seen: in a real VS Code, from the click on the row of the service. Nothing of them is in the shell, and nothing is typed: every question is answered by what is proposed.
The first answer is read on the page: the first time that the line of the answer has a figure or names a setting, if only as “so far”. The load counts the processes that wanted to run on each core over the minute before; from ${busyLoad} on, others ran in bursts.

\`npm run bench firstMinutes\` does it, one service after the other, and goes on where it was broken off; \`--only NAME\` tries that one again.

${table([head, head.map(() => '---'), ...rows])}

${known.length} of ${all} were tried so far, ${busy.length} of them beside bursts. Goals: at most ${goals.decisions} decisions (${known.every(({ decisions }) => decisions <= goals.decisions) ? 'reached' : '**missed**'}), and a first answer within ${goals.answerS} s on a quiet machine and within ${goals.busyAnswerS} s beside bursts (${late.length === 0 ? 'reached' : `**missed** with ${late.map(({ title }) => title).join('; ')}`}).

## Counts on save

The target was started by hand, one of its files is open, and is saved: seconds until a handler has its counts.

${table([['service', 'from save to counts, s', 'shown', 'load'], ['---', '---', '---', '---'], ...saves])}

The median of the ${counted.length} of ${known.length} that have counts is ${median === null ? 'not known yet' : `${median.toFixed(1)} s (goal: at most ${goals.countS} s, ${median <= goals.countS ? 'reached' : '**missed**'})`}.
`;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const before = sorted[Math.ceil(sorted.length / 2) - 1];
  return middle === undefined || before === undefined ? null : (middle + before) / 2;
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
