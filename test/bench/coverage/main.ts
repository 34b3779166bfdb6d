// CPU time by the kernel against CPU time in a recording, of services that compute in other ways; docs/coverage.md says what came out.
// Resumable: what is in test/bench/coverage/results is not recorded again. Needs the registries; alone on the machine.
// Usage: node scripts/bench.mjs coverage [--only=part of a name,…]
//   --again         also what is stored already
//   --list          what there is
//   --report        only writes docs/coverage.md from what is stored
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { type Ended, boundedCommand, endLeftOver } from '../field/boundedCommand.ts';
import { FieldDatabase, filledEnvironment } from '../field/fieldDatabase.ts';
import { lastLines } from '../field/fieldResults.ts';
import { addResult, readResults, writePage } from './results.ts';
import { type Subject, subjects } from './subjects.ts';

/** Marks whatever is started, so that nothing is left behind. */
const mark = 'BENCHSIDE_COVERAGE';
const limits = { build: 600_000, init: 420_000, run: 300_000, read: 60_000 } as const;
const brief = ['--load', 'quick', '--duration', '1', '--rounds', '1', '--budget', '30', '--record'] as const;
const withheld = /^(?:npm_|NODE_|VITEST|BENCHSIDE_STORAGE$)/;
const lookedSchema = z.object({ looked: z.array(z.object({ service: z.object({ id: z.string() }).nullish() })).default([]) });
const writtenSchema = z.object({
  sentence: z.string(),
  cpu: z.object({ kernelNs: z.number(), recordedNs: z.number(), recorderNs: z.number() }),
});

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const parts = values.only.split(',');
const chosen = subjects.filter(({ name }) => parts.some((part) => name.includes(part)));
const known = new Set(readResults().map(({ subject }) => subject));
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(new Error('broken off')));

if (values.list) for (const { name, what } of chosen) console.log(`${known.has(name) ? '✓' : '·'} ${name}: ${what}`);
else {
  if (!values.report) await recordAll(chosen.filter(({ name }) => values.again || !known.has(name)));
  writePage(subjects);
  console.log('docs/coverage.md is written.');
}

async function recordAll(left: readonly Subject[]): Promise<void> {
  const base = mkdtempSync(path.join(tmpdir(), 'benchside-coverage-'));
  // As root PostgreSQL runs as another user, who has to enter it.
  const postgresDir = path.join(base, 'postgres');
  mkdirSync(postgresDir);
  for (const folder of [base, postgresDir]) chmodSync(folder, 0o755);
  process.env['BENCHSIDE_POSTGRES_HOME'] = postgresDir;
  const database = new FieldDatabase(path.join(base, 'storage'));
  try {
    for (const subject of left) {
      const failed = await recordOne(subject, path.join(base, subject.name), { database, id: path.basename(base) });
      if (failed === null) continue;
      console.log(`✗ ${subject.name}: ${failed}`);
      process.exitCode = 1;
    }
  } finally {
    await database.stop();
    await endLeftOver(mark, path.basename(base));
    rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Null where it was recorded, else what was said last. */
async function recordOne(
  subject: Subject,
  folder: string,
  { database, id }: { database: FieldDatabase; id: string },
): Promise<string | null> {
  mkdirSync(folder);
  const own = Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value !== undefined && !withheld.test(name)));
  let env: Record<string, string> = { ...(own as Record<string, string>), [mark]: id, BENCHSIDE_STORAGE: path.join(folder, '.storage') };
  const command = (argv: readonly string[], withinMs: number): Promise<Ended> =>
    boundedCommand(argv, { cwd: folder, env, withinMs, signal: stopped.signal });
  const benchside = (withinMs: number, name: string, ...args: string[]): Promise<Ended> =>
    command([process.execPath, path.join(repositoryDir, 'dist', 'cli.cjs'), name, '--json', '--workspace', folder, ...args], withinMs);
  let target: string;
  if ('sample' in subject) target = subject.sample;
  else {
    const { files, build, command: words, env: ofService, usesPostgres, name } = subject.service;
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    for (const argv of build) {
      const built = await command(argv, limits.build);
      if (built.status !== 0) return lastLines(built.said);
    }
    env = { ...env, ...filledEnvironment(ofService, usesPostgres ? await database.fresh(name) : {}) };
    const init = await benchside(limits.init, 'init', '--yes', '--', ...words);
    const found = lookedSchema.safeParse(parsed(init.stdout)).data?.looked[0]?.service?.id;
    if (found === undefined) return lastLines(init.said);
    target = found;
  }
  const run = await benchside(limits.run, 'run', '--target', target, ...brief);
  if (run.status !== 0) return lastLines(run.said);
  const read = await benchside(limits.read, 'flamegraph', 'last', '--event', 'cpu');
  const written = writtenSchema.safeParse(parsed(read.stdout));
  if (!written.success) return lastLines(read.said);
  const { sentence, cpu } = written.data;
  const ms = (ns: number): number => Math.round(ns / 1e6);
  const [kernelMs, recordedMs, recorderMs] = [ms(cpu.kernelNs), ms(cpu.recordedNs), ms(cpu.recorderNs)];
  addResult({ subject: subject.name, kernelMs, recordedMs, recorderMs, sentence });
  console.log(`${subject.name.padEnd(20)} ${recordedMs} + ${recorderMs} of ${kernelMs} ms. ${sentence}`);
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
