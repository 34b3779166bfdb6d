// Services with one thing wrong, asked what would help through the command line; docs/cures.md says what came out.
// Resumable: what is in test/bench/cures/results is not measured again. Alone on the machine.
// Usage: node scripts/bench.mjs cures [--plant=part of a name] [--times=1] [--minutes=60] [--budget=300] [--report: only writes docs/cures.md]
//   [--workspace=FOLDER: only declares all of them there, so that a plant and its cure can be tried by hand]
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { adviceSchema, isUseful } from '../../../src/model/domain/advice.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { type Measured, measuredSchema } from './measured.ts';
import { page } from './page.ts';
import { type Planted, planted, unread } from './planted.ts';

const folder = path.join(repositoryDir, 'test', 'bench', 'cures');
const file = path.join(folder, 'results', 'cures.jsonl');

const { values } = parseArgs({
  options: {
    plant: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    budget: { type: 'string', default: '300' },
    report: { type: 'boolean', default: false },
    workspace: { type: 'string' },
  },
});

const results = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => measuredSchema.parse(JSON.parse(line)))
  : [];

if (values.workspace === undefined) {
  try {
    if (!values.report) measureAll();
  } finally {
    removeTemporaryFolders();
  }
  writeFileSync(path.join(repositoryDir, 'docs', 'cures.md'), page(results));
  console.log('docs/cures.md is written.');
} else {
  declareIn(path.resolve(values.workspace));
}

/** Each once before any twice. */
function measureAll(): void {
  const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
  const workspace = temporaryFolder('cures');
  declareIn(workspace);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryDir, encoding: 'utf8' }).trim();
  for (let repeat = 1; repeat <= Number(values.times); repeat += 1)
    for (const one of planted) {
      const isDone = results.some((result) => result.plant === one.id && result.repeat === repeat);
      if (isDone || !one.id.includes(values.plant) || performance.now() > deadlineMs) continue;
      const measured = { plant: one.id, repeat, commit, ...measure(one, workspace) };
      results.push(measured);
      mkdirSync(path.dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(measured)}\n`);
      const wrong = measured.tried.filter(({ is, isUseful: told }) => is === 'nothing' && told).map(({ id }) => id);
      console.log(
        `${measured.outcome.padEnd(8)} ${one.id}: ${measured.first ?? '–'} · ${measured.tried.filter(({ is }) => is === 'nothing').length} that do nothing, useful: ${wrong.join(', ') || 'none'} · ${Math.round(measured.spentS)} s`,
      );
    }
}

/** Makes an existing folder one that declares all of them. */
function declareIn(workspace: string): void {
  const sqlFiles = (id: string, sql: readonly string[]): string[] =>
    sql.map((text, index) => {
      const name = path.join(workspace, `${id}-${index}.sql`);
      writeFileSync(name, text);
      return name;
    });
  const own = planted.filter(({ sample }) => sample === undefined);
  if (own.some(({ command }) => command !== undefined)) execFileSync('javac', ['-d', workspace, path.join(folder, 'Service.java')]);
  const targets = own.map(({ id, env, settings, database, command, sql = [] }) => ({
    id,
    runtime: command === undefined ? 'node' : 'jvm',
    command: command ?? ['node', path.join(folder, 'service.cjs')],
    build: [],
    env: { PLANT: id, NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules'), ...env },
    routes: [{ path: '/jobs/:id', parameters: { id: { min: 1, max: 20_000 } } }],
    settings: { ...settings, ...unread },
    ...(database === false
      ? {}
      : {
          postgres: {
            env: { url: 'DATABASE_URL' },
            database: sql.length === 0 ? 'cures' : id.replaceAll('-', '_'),
            sql: [path.join(folder, 'data.sql'), ...sqlFiles(id, sql)],
          },
        }),
  }));
  writeFileSync(path.join(workspace, 'benchside.json'), JSON.stringify({ targets }));
}

function measure(
  { id, cures, mayHelp, sample, connections = 32 }: Planted,
  workspace: string,
): Omit<Measured, 'plant' | 'repeat' | 'commit'> {
  const args = ['advise', '--json', '--workspace', workspace, '--load', 'quick', '--budget', values.budget];
  const what =
    sample === undefined ? ['-t', id] : ['-t', sample.target, '--route', sample.route, ...sample.set.flatMap((value) => ['-s', value])];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(repositoryDir, 'bin', 'benchside.cjs'), ...args, ...what, '--connections', String(connections)],
    {
      encoding: 'utf8',
      timeout: 3000 * Number(values.budget),
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, BENCHSIDE_STORAGE: path.join(workspace, 'storage') },
    },
  );
  const said = z.object({ advice: adviceSchema }).safeParse(safely(stdout));
  if (!said.success) {
    console.error(stderr.slice(-2_000));
    return { outcome: 'failed', first: null, verdict: null, tried: [], notTried: [], spentS: 0 };
  }
  if (status !== 0) throw new Error('The search was broken off, and is not kept.');
  const { tried, verdict, notTried, spentS } = said.data.advice;
  const [first] = tried.filter(isUseful);
  const kindOf = (change: string): 'cure' | 'other' | 'nothing' =>
    cures.test(change) ? 'cure' : mayHelp?.test(change) === true ? 'other' : 'nothing';
  return {
    outcome: first === undefined ? 'none' : kindOf(first.id) === 'cure' ? 'first' : 'wrong',
    first: first?.id ?? null,
    verdict: verdict?.kind ?? null,
    tried: tried.map((one) => ({
      id: one.id,
      is: kindOf(one.id),
      isUseful: isUseful(one),
      stage: one.stage,
      mean: one.ratio?.mean ?? null,
      low: one.ratio?.ciLow ?? null,
      high: one.ratio?.ciHigh ?? null,
      answersDiffer: one.answersDiffer,
    })),
    notTried: notTried.map((one) => `${one.id}: ${one.why}`),
    spentS,
  };
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
