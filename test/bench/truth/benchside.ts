import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { answerFactsSchema, answerHeadline } from '../../../src/model/domain/answerFacts.ts';
import { repositoryDir } from '../../support/engine.ts';
import type { Result } from './store.ts';

/** What a program that was called left behind. */
export interface Called {
  status: number | null;
  stdout: string;
  /** The end of what it said, without paths or names of this machine. */
  lastWords: string;
  wholeS: number;
}

/** A sentence without what names the machine. */
export function withoutPlaces(text: string): string {
  let clean = text;
  for (const place of [repositoryDir, tmpdir(), homedir(), hostname()]) if (place.length > 2) clean = clean.replaceAll(place, '…');
  return clean.trim().slice(-400);
}

/** Calls a program and waits for its end; ends it when `signal` says so, or after `longestS`: no run, tuning or experiment in short form takes half an hour. */
export async function call(program: string, args: readonly string[], signal: AbortSignal, longestS = 1800): Promise<Called> {
  signal.throwIfAborted();
  const startedMs = performance.now();
  const child = spawn(program, args, { cwd: repositoryDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const end = (): void => void child.kill('SIGINT');
  signal.addEventListener('abort', end, { once: true });
  const tooLong = setTimeout(end, 1000 * longestS);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(tooLong);
    signal.removeEventListener('abort', end);
  }
  signal.throwIfAborted();
  const wholeS = Math.round((performance.now() - startedMs) / 100) / 10;
  return {
    status: child.exitCode,
    stdout: Buffer.concat(out).toString(),
    lastWords: withoutPlaces(Buffer.concat(err).toString().trim().split('\n').slice(-4).join(' ')),
    wholeS,
  };
}

export function benchside(args: readonly string[], workspace: string, signal: AbortSignal): Promise<Called> {
  return call(process.execPath, [path.join(repositoryDir, 'dist', 'cli.cjs'), ...args, '--workspace', workspace, '--json'], signal);
}

const host = z.object({ stealPercent: z.number().nullish(), otherPercent: z.number().nullish() });
const statusSchema = z.enum(['confirmed', 'plausible', 'undecided']);
/** What is read of a stored run. */
const recordSchema = z.object({
  id: z.string(),
  durationMs: z.number(),
  environment: z.object({ cores: z.number() }),
  trials: z.array(
    z.object({
      key: z.string(),
      valid: z.boolean(),
      settings: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
      throughput: z.object({ mean: z.number() }).optional(),
      resources: z.object({ host }),
      blocks: z.array(z.object({ startMs: z.number(), windowMs: z.number() })),
    }),
  ),
  notes: z.array(z.looseObject({ code: z.string() })).default([]),
  recommendations: z.array(
    z
      .object({
        target: z.string(),
        setting: z.string(),
        settingLabel: z.string(),
        status: statusSchema,
        value: z.union([z.number(), z.string()]).nullable(),
        facts: answerFactsSchema,
      })
      .transform((one) => ({ ...one, headline: answerHeadline(one) })),
  ),
  result: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('tune'),
      answers: z.array(
        z
          .object({
            status: statusSchema,
            settingNames: z.array(z.string()),
            settingLabels: z.record(z.string(), z.string()),
            values: z.record(z.string(), z.union([z.number(), z.string()])).nullable(),
            facts: answerFactsSchema,
            mode: z.string(),
          })
          .transform((one) => ({ ...one, headline: answerHeadline(one) })),
      ),
    }),
    z.object({ kind: z.enum(['run', 'experiment', 'diff', 'live']) }),
  ]),
});
export type StoredRun = z.infer<typeof recordSchema>;

function runFolders(workspace: string): string[] {
  const folder = path.join(workspace, '.benchside', 'runs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => path.join(folder, name));
}

/** The ids of the runs that a workspace holds. */
export function runsOf(workspace: string): Set<string> {
  return new Set(runFolders(workspace).map((folder) => path.basename(folder)));
}

/** The run that was stored last and is none of `before`; null when there is none. */
export function newRun(workspace: string, before: ReadonlySet<string>): StoredRun | null {
  const files = runFolders(workspace)
    .filter((folder) => !before.has(path.basename(folder)))
    .map((folder) => path.join(folder, 'run.json'))
    .filter((file) => existsSync(file))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const [file] = files;
  return file === undefined ? null : recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** What every cell notes of a run. */
export function circumstances(run: StoredRun | null): Pick<Result, 'measuringS' | 'windowsS' | 'takenPercent' | 'cores'> {
  if (run === null) return { measuringS: null, windowsS: null, takenPercent: null, cores: null };
  const blocks = run.trials.flatMap((trial) => trial.blocks);
  const beginMs = Math.min(...blocks.map(({ startMs }) => startMs));
  const endMs = Math.max(...blocks.map(({ startMs, windowMs }) => startMs + windowMs));
  const taken = run.trials.map(({ resources }) => (resources.host.stealPercent ?? 0) + (resources.host.otherPercent ?? 0));
  const tenth = (value: number): number => Math.round(10 * value) / 10;
  return {
    measuringS: blocks.length === 0 ? null : tenth((endMs - beginMs) / 1000),
    windowsS: blocks.length === 0 ? null : tenth(blocks.reduce((sum, { windowMs }) => sum + windowMs, 0) / 1000),
    takenPercent: taken.length === 0 ? null : tenth(taken.reduce((sum, one) => sum + one, 0) / taken.length),
    cores: run.environment.cores,
  };
}
