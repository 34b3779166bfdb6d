// Services that others wrote, and what the product makes of them without an edit: found, declared, measured; docs/field.md says what came out.
// Resumable: a service that is in test/bench/field/results is not tried again, unless it is named. Needs the registries; alone on the machine.
// Usage: node scripts/bench.mjs field [--service=part of a name,…] [--runtime=node|jvm]
//   --list          what there is, and how far each came
//   --report        only writes docs/field.md from what is stored
//   --minutes=60    begins no further service after that time
//   --again         tries also what is stored already
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryDir } from '../../support/engine.ts';
import { FieldDatabase } from './fieldDatabase.ts';
import { type FieldResult, addResult, readResults } from './fieldResults.ts';
import type { FieldService } from './fieldService.ts';
import { writeFieldPage } from './report.ts';
import { fieldServices } from './services/fieldServices.ts';
import { tryService } from './tryService.ts';

const { values } = parseArgs({
  options: {
    service: { type: 'string', default: '' },
    runtime: { type: 'string', default: '' },
    minutes: { type: 'string', default: '6000' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});
const parts = values.service.split(',').filter((part) => part !== '');
const chosen = fieldServices.filter(
  ({ name, runtime }) =>
    (parts.length === 0 || parts.some((part) => name.includes(part))) && (values.runtime === '' || runtime === values.runtime),
);
if (chosen.length === 0) throw new Error(`Name some of: ${fieldServices.map(({ name }) => name).join(', ')}.`);

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(new Error('broken off')));

if (values.list) list();
else {
  try {
    if (!values.report) await tryAll();
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    console.log('Broken off; what was tried is kept.');
    process.exitCode = 130;
  }
  writeFieldPage(fieldServices, readResults());
  console.log('docs/field.md is written.');
}

function list(): void {
  const results = new Map(readResults().map((one) => [one.service, one]));
  for (const { name, runtime } of chosen) {
    const known = results.get(name);
    console.log(`${runtime.padEnd(5)} ${name.padEnd(24)} ${known === undefined ? 'not tried yet' : lineOf(known)}`);
  }
}

async function tryAll(): Promise<void> {
  const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
  const done = new Set(values.again || parts.length > 0 ? [] : readResults().map(({ service }) => service));
  const left = chosen.filter(({ name }) => !done.has(name));
  const storageDir = mkdtempSync(path.join(tmpdir(), 'benchside-field-storage-'));
  // Of the bench and of what it calls: no data folder of the user's is touched.
  const postgresDir = mkdtempSync(path.join(tmpdir(), 'benchside-field-postgres-'));
  // As root PostgreSQL runs as another user, who has to enter it.
  chmodSync(postgresDir, 0o755);
  process.env['BENCHSIDE_POSTGRES_HOME'] = postgresDir;
  const database = new FieldDatabase(storageDir);
  const context = { database, storageDir, commit: headCommit(), signal: stopped.signal };
  try {
    for (const service of left) {
      if (performance.now() > deadlineMs) break;
      await tryOne(service, context);
    }
  } finally {
    await database.stop();
    for (const folder of [storageDir, postgresDir]) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function tryOne(service: FieldService, context: Parameters<typeof tryService>[1]): Promise<void> {
  const result = await tryService(service, context);
  addResult(result);
  console.log(`${result.service.padEnd(24)} ${lineOf(result)}`);
  if (result.step !== 'done') console.log(result.said.replace(/^/gm, '   │ '));
}

function lineOf({
  step,
  built,
  offered,
  found,
  declared,
  questions,
  routes,
  measured,
  requestsPerS,
  poolMoved,
  seconds,
}: FieldResult): string {
  if (!built) return 'not built here';
  const pool = poolMoved === null ? '' : `, pool ${poolMoved ? 'moved' : 'not moved'}`;
  const told = `offered ${offered}, ${found ? 'found' : 'NOT FOUND'}, ${declared ? 'declared' : 'NOT DECLARED'}, ${questions} asked, routes ${routes.found} of ${routes.of}`;
  const figures = measured ? `measured ${requestsPerS ?? 0} req/s` : `NOT MEASURED (${step})`;
  return `${told}, ${figures}${pool}; ${Math.round(seconds.init)} + ${Math.round(seconds.run)} s`;
}

function headCommit(): string | null {
  try {
    const git = ['rev-parse', '--short', 'HEAD'];
    return execFileSync('git', git, { cwd: repositoryDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
