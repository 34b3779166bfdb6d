import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../../support/engine.ts';
import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, type CellContext, type Measured, countOf, oneByOne, share } from '../cell.ts';
import type { Result } from '../store.ts';

/** A commit on top of a small service: what it changes of it, what the verdict has to be, and what has to be named first where something is slower. */
interface Commit {
  change: (source: string) => string;
  schema?: (sql: string) => string;
  expected: 'same' | 'worse';
  names?: RegExp;
}

/** Iterations of the loop that a request computes in. */
const computes = 40_000;

const source = `'use strict';
const http = require('node:http');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
function compute(times) {
  let x = 1;
  for (let i = 0; i < times; i += 1) x = Math.imul(x ^ i, 1664525);
  return x;
}
async function items(group) {
  const { rows } = await pool.query('select id, name from items where group_id = $1', [group]);
  return rows;
}
http
  .createServer(async (request, response) => {
    if (request.url === '/health') return response.end('ok');
    const rows = await items(1 + (Number(request.url.split('/').at(-1)) % 2000));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ rows, sum: compute(${computes}) }));
  })
  .listen(process.env.PORT);
`;

const schema = `create table items (id int primary key, group_id int not null, name text not null);
insert into items select n, n % 2000, 'item ' || n from generate_series(1, 20000) n;
create index items_by_group on items (group_id);
analyze items;
`;

const computesMore = (factor: number): Commit => ({
  change: (text) => text.replace(`compute(${computes})`, `compute(${Math.round(computes * factor)})`),
  expected: 'worse',
});

const commits: Readonly<Record<string, Commit>> = {
  'a comment': { change: (text) => `// Answers with the items of a group.\n${text}`, expected: 'same' },
  'a rename': { change: (text) => text.replaceAll('rows', 'found').replaceAll('{ found }', '{ rows: found }'), expected: 'same' },
  'twice the computing': computesMore(2),
  'a fifth more computing': computesMore(1.2),
  'a statement for each row': {
    change: (text) =>
      text.replace(
        '  return rows;',
        "  for (const row of rows) row.name = (await pool.query('select name from items where id = $1', [row.id])).rows[0].name;\n  return rows;",
      ),
    expected: 'worse',
    names: /select name from items where id/,
  },
  'a lost index': { change: (text) => text, schema: (sql) => sql.replace(/create index.*\n/, ''), expected: 'worse' },
  'a file that is read at once': {
    change: (text) =>
      text.replace(
        "    response.setHeader('Content-Type'",
        "    for (let i = 0; i < 20; i += 1) require('node:fs').readFileSync(__filename);\n    response.setHeader('Content-Type'",
      ),
    expected: 'worse',
  },
  'a pool of a quarter': {
    change: (text) => text.replace('max: 8', 'max: 2').replace('select id, name', 'select pg_sleep(0.005), id, name'),
    expected: 'worse',
  },
};

/** What is read of the document of `benchside diff --json`. */
export const answerSchema = z.object({
  diff: z.object({
    verdict: z.enum(['better', 'worse', 'same', 'unknown']),
    headline: z.string(),
    reasons: z.array(z.string()),
    metrics: z.array(
      z.object({
        name: z.string(),
        ratio: z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() }).nullable(),
      }),
    ),
  }),
});

/** A repository with the service, the commit on top of it, and what tells its state. */
function repositoryWith({ change, schema: sql }: Commit): { dir: string; git: (...args: string[]) => string } {
  const dir = mkdtempSync(path.join(tmpdir(), 'benchside-truth-'));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const write = (file: string, text: string): void => writeFileSync(path.join(dir, file), text);
  mkdirSync(dir, { recursive: true });
  write('server.js', source);
  write('schema.sql', schema);
  write('.gitignore', '.benchside\n');
  write(
    'benchside.json',
    JSON.stringify({
      targets: [
        {
          id: 'shop',
          runtime: 'node',
          command: ['node', 'server.js'],
          build: [],
          ready: { path: '/health' },
          env: { NODE_PATH: path.join(repositoryDir, 'samples', 'node', 'node_modules') },
          routes: [{ path: '/items/:id', parameters: { id: { min: 1, max: 2000 } } }],
          postgres: { env: { url: 'DATABASE_URL' }, database: 'shop', sql: ['schema.sql'] },
        },
      ],
    }),
  );
  git('init', '--quiet', '--initial-branch=main');
  const commit = (message: string): string =>
    git(
      '-c',
      'user.name=Someone',
      '-c',
      'user.email=someone@example.org',
      'commit',
      '--quiet',
      '--all',
      '--allow-empty',
      `--message=${message}`,
    );
  git('add', '--all');
  commit('The service');
  write('server.js', change(source));
  write('schema.sql', sql?.(schema) ?? schema);
  commit('The change');
  return { dir, git };
}

async function measure(name: string, { signal, extra }: CellContext): Promise<Measured> {
  const commit = commits[name];
  if (commit === undefined) throw new Error(`there is no commit ${name}`);
  const { dir, git } = repositoryWith(commit);
  try {
    const before = runsOf(dir);
    const called = await benchside(['diff', 'HEAD~1', 'HEAD', '--connections', '16', '--p99', 'none', ...extra], dir, signal);
    const noted = { ...circumstances(newRun(dir, before)), wholeS: called.wholeS };
    if (called.status !== 0)
      return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    const { diff } = answerSchema.parse(JSON.parse(called.stdout));
    const untouched =
      git('status', '--porcelain') === '' &&
      git('worktree', 'list').trim().split('\n').length === 1 &&
      !existsSync(path.join(dir, '.git', 'index.lock'));
    const right = diff.verdict === commit.expected && untouched;
    const named = commit.names === undefined || commit.names.test(diff.reasons[0] ?? '');
    const ratio = diff.metrics.find((metric) => metric.name === 'throughput')?.ratio ?? undefined;
    return {
      ...noted,
      outcome: right ? (named ? 'right' : 'cause not named') : diff.verdict === 'unknown' ? 'no word' : 'wrong',
      ...(ratio === undefined ? {} : { ratio }),
      said: [diff.headline, ...diff.reasons].join(' '),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Two commits of a small service, compared by `benchside diff`. */
export const versions: Cell = {
  name: 'versions',
  title: 'Two commits of a small service: no change, or a planted one',
  goal: 'no change called different ≤ 5 %; a planted one found and, where it is a statement, named first ≥ 90 %, within 2 min',
  how: '`benchside diff HEAD~1 HEAD --p99 none` in a repository made for it. *Right* is “the same” for a comment and a rename and “worse” for the others, with the statement in the first reason where one was planted, and a repository that is as it was.',
  variants: Object.keys(commits),
  times: 3,
  outcomes: ['right', 'cause not named', 'no word', 'wrong', 'failed'],
  measure: oneByOne(measure),
  judge: (results) => {
    const unchanged = (result: Result): boolean => commits[result.variant]?.expected === 'same';
    const [same, changed] = [results.filter(unchanged), results.filter((result) => !unchanged(result))];
    const different = countOf(same, 'wrong');
    const found = countOf(changed, 'right');
    return {
      figures: `${same.length} without a change: different ${share(different, same.length)}, without a word ${share(countOf(same, 'no word', 'failed'), same.length)}; ${changed.length} with one: found ${share(found, changed.length)}, the wrong way ${share(countOf(changed, 'wrong'), changed.length)}`,
      reached: results.length === 0 ? null : different <= 0.05 * same.length && found >= 0.9 * changed.length,
    };
  },
};
