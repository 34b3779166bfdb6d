// Pairs of sides that answer otherwise, and that differ by nature alone, run through the command line; docs/answers.md says what came out.
// Resumable: what is in test/bench/answers/results is not measured again.
// Usage: node scripts/bench.mjs answers [--pair=part of a name] [--report: only writes docs/answers.md]
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type DifferingAnswer, comparedAnswersSchema, differingAnswerSchema } from '../../../src/model/domain/routeCheck.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../../support/engine.ts';

const folder = path.join(repositoryDir, 'test', 'bench', 'answers');
const service = path.join(folder, 'service.cjs');
const file = path.join(folder, 'results', 'answers.jsonl');
const longestMs = 120_000;

const pairSchema = z.object({
  name: z.string(),
  what: z.string(),
  differs: z.boolean(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
});
/** Sides of the service, or of the Node sample with a file of SQL. */
type Pair = z.infer<typeof pairSchema> & { sql?: string };
const measuredSchema = z.object({
  pair: z.string(),
  commit: z.string(),
  said: z.enum(['differ', 'the same', 'failed']),
  first: differingAnswerSchema.shape.first,
  tookS: z.number(),
});
/** What of the answer of the command line counts here. */
const saidSchema = z.object({
  run: z.object({
    plan: z.object({ commands: z.record(z.string(), z.object({ compared: comparedAnswersSchema.optional() })) }),
  }),
});
type Measured = z.infer<typeof measuredSchema>;

const list = '/ads?category=:category&limit=20';
const ofSql = (name: string, what: string, differs: boolean, sql: string): Pair => ({ name, what, differs, path: list, headers: {}, sql });
const pairs: Pair[] = [
  ...z.array(pairSchema).parse(JSON.parse(execFileSync(process.execPath, [service, '--list'], { encoding: 'utf8' }))),
  ofSql(
    'sql-update',
    'SQL that raises one price in 7 (Node sample)',
    true,
    'UPDATE ads SET price_cents = price_cents + 1 WHERE id % 7 = 0;',
  ),
  ofSql('sql-delete', 'SQL that deletes one row in 11 (Node sample)', true, 'DELETE FROM ads WHERE id % 11 = 0;'),
  ofSql('sql-index', 'an index (Node sample)', false, 'CREATE INDEX ON ads (price_cents, created_at);'),
  ofSql(
    'sql-rewrite',
    'rows that are written again, in another order on disk (Node sample)',
    false,
    'UPDATE ads SET title = title WHERE id % 7 = 0;',
  ),
];

const { values } = parseArgs({ options: { pair: { type: 'string', default: '' }, report: { type: 'boolean', default: false } } });
const results = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => measuredSchema.parse(JSON.parse(line)))
  : [];

try {
  if (!values.report) measureAll();
} finally {
  removeTemporaryFolders();
}
writeFileSync(path.join(repositoryDir, 'docs', 'answers.md'), page());
console.log('docs/answers.md is written.');

/** All pairs of the service in one run, a route each, and each file of SQL in a run of its own. */
function measureAll(): void {
  const workspace = temporaryFolder('answers');
  const left = pairs.filter(({ name }) => name.includes(values.pair) && !results.some((one) => one.pair === name));
  const ofService = left.filter(({ sql }) => sql === undefined);
  const routes = ofService.map(({ path: route, headers }) => ({
    path: route,
    headers,
    ...(route.includes(':id') ? { parameters: { id: { max: 1000 } } } : {}),
  }));
  const side = { kind: 'choice', choices: ['a', 'b'], default: 'a', env: 'SIDE' };
  const target = { id: 'pairs', runtime: 'node', command: ['node', service], routes, settings: { side } };
  if (ofService.length > 0) {
    writeFileSync(path.join(workspace, 'benchside.json'), JSON.stringify({ targets: [target] }));
    keep(ofService, measure(workspace, ['-t', 'pairs', '-s', 'side=a,b', '--rounds', '1', '--duration', '0.5']));
  }
  for (const pair of left) {
    if (pair.sql === undefined) continue;
    const sqlFile = path.join(workspace, 'side.sql');
    writeFileSync(sqlFile, pair.sql);
    keep([pair], measure(workspace, ['-t', 'node', '--vary', `sql=none,${sqlFile}`, '--budget', '5', '--route', pair.path]));
  }
}

function keep(those: readonly Pair[], { differing, tookS }: Run): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryDir, encoding: 'utf8' }).trim();
  for (const pair of those) {
    const found = differing?.find(({ route }) => route === `GET ${pair.path}`);
    const status = found?.what === 'status' ? { place: 'status', before: String(found.before), after: String(found.after) } : undefined;
    const measured: Measured = {
      pair: pair.name,
      commit,
      said: differing === null ? 'failed' : found === undefined ? 'the same' : 'differ',
      first: found?.first ?? status,
      tookS: tookS / those.length,
    };
    results.push(measured);
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(measured)}\n`);
    console.log(`${isRight(pair, measured) ? 'right' : 'WRONG'} ${pair.name}: ${measured.said} ${JSON.stringify(measured.first ?? {})}`);
  }
}

/** What a run says of both sides; null where it failed. */
interface Run {
  differing: readonly DifferingAnswer[] | null;
  tookS: number;
}

function measure(workspace: string, what: readonly string[]): Run {
  const args = ['run', '--json', '--workspace', workspace, ...what, '--load', 'smoke', '--connections', '2'];
  const beganMs = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [path.join(repositoryDir, 'bin', 'benchside.cjs'), ...args], {
    encoding: 'utf8',
    timeout: longestMs,
    maxBuffer: 256 * 2 ** 20,
    env: { ...process.env, BENCHSIDE_STORAGE: path.join(workspace, 'storage') },
  });
  const tookS = (performance.now() - beganMs) / 1000;
  const said = saidSchema.safeParse(safely(stdout));
  const compared = said.success ? Object.values(said.data.run.plan.commands).flatMap((command) => command.compared ?? []) : [];
  if (compared.length === 0) console.error(stderr.slice(-2_000));
  return { differing: compared.length === 0 ? null : compared.flatMap(({ differing }) => differing), tookS };
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRight({ differs }: Pair, { said }: Measured): boolean {
  return said === (differs ? 'differ' : 'the same');
}

function page(): string {
  const of = (differs: boolean): { pair: Pair; measured: Measured }[] =>
    pairs.flatMap((pair) =>
      results.filter((one) => pair.differs === differs && one.pair === pair.name).map((measured) => ({ pair, measured })),
    );
  const [planted, none] = [of(true), of(false)];
  const share = (all: typeof planted): string =>
    all.length === 0 ? 'not run yet' : `${all.filter(({ pair, measured }) => isRight(pair, measured)).length} of ${all.length}`;
  const rows = [...planted, ...none].map(({ pair, measured: { said, first, tookS } }) =>
    [
      pair.what,
      pair.differs ? 'differ' : 'the same',
      said === (pair.differs ? 'differ' : 'the same') ? 'so' : `**${said}**`,
      first === undefined ? '' : `${first.place}: ${cell(first.before)} → ${cell(first.after)}`,
      `${tookS.toFixed(1)} s`,
    ].join(' | '),
  );
  return `# Whether two sides answer the same, as measured

<!-- Written by \`npm run bench answers\` from test/bench/answers/results. Change the bench, not this page. -->

\`npm run bench answers\` starts a service twice, with a setting of which its answers depend, and compares both by \`benchside run\`, a route for each pair; the Node sample has a copy of its
database for each side, and a file of SQL in one of them. In some pairs the answers are other ones; in the others they are not the same bytes, and say the same. It was
written with the rules, by whoever made them, so it shows what these do, not that every service is told right.

| what | told right | goal |
| --- | --- | --- |
| answers are other ones | ${share(planted)} | all |
| they differ by nature alone, and are called the same | ${share(none)} | all |

| pair | answers | told | first difference | time, its share of the run |
| --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
