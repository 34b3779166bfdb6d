import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import {
  type Candidate,
  type Detection,
  type FoundService,
  detectionSchema,
  findingsOf,
  introspectionSchema,
} from '../../../src/model/domain/detection.ts';
import { nodeWords } from '../../../src/engine/detect/candidates/commandWords.ts';
import { repositoryDir } from '../../support/engine.ts';
import { type Ended, boundedCommand, endLeftOver } from './boundedCommand.ts';
import { type FieldDatabase, filledEnvironment } from './fieldDatabase.ts';
import { type FieldResult, lastLines } from './fieldResults.ts';
import type { FieldService } from './fieldService.ts';

/** Marks whatever a service and the product start, so that nothing is left behind. */
const mark = 'BENCHSIDE_FIELD';
const limits = { build: 600_000, offer: 60_000, init: 420_000, run: 240_000 } as const;
/** Short blocks: what is asked is whether a first measurement comes about, not what it says. */
const brief = ['--load', 'quick', '--duration', '0.5', '--rounds', '1', '--budget', '20'] as const;
/** A developer's shell has nothing of the program that runs the bench. */
const withheld = /^(?:npm_|NODE_|VITEST|BENCHSIDE_STORAGE$)/;

const initSchema = z.object({
  found: detectionSchema,
  looked: z.array(introspectionSchema).default([]),
  text: z.string().nullable().default(null),
  written: z.string().nullable().default(null),
  answered: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
});
const recordSchema = z.object({
  trials: z.array(
    z.object({
      valid: z.boolean(),
      reasons: z.array(z.object({ code: z.string(), value: z.number().optional() })).default([]),
      settings: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
      throughput: z.object({ mean: z.number() }),
      requests: z.number(),
      errors: z.object({ total: z.number() }),
    }),
  ),
});

export interface TrialContext {
  database: FieldDatabase;
  storageDir: string;
  commit: string | null;
  signal: AbortSignal;
}

/** Installs a service in a fresh folder, lets the product look for it, declare it and measure it, and removes all of it. */
export async function tryService(service: FieldService, context: TrialContext): Promise<FieldResult> {
  const { signal, storageDir } = context;
  const folder = mkdtempSync(path.join(tmpdir(), 'benchside-field-'));
  const own = path.join(folder, service.name);
  const id = path.basename(folder);
  const result = blank(service, context.commit);
  try {
    writeFiles(own, service.files);
    const plain = Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value !== undefined && !withheld.test(name)));
    const base = { ...(plain as Record<string, string>), [mark]: id };
    for (const argv of service.build) {
      const built = await boundedCommand(argv, { cwd: own, env: base, withinMs: limits.build, signal });
      result.seconds.build += built.wholeS;
      if (built.status !== 0) return failed(result, 'build', built);
    }
    result.built = true;
    const values = service.usesPostgres ? await context.database.fresh(service.name) : {};
    const env = { ...base, ...filledEnvironment(service.env, values), BENCHSIDE_STORAGE: storageDir };
    const benchside = (withinMs: number, command: string, ...args: string[]): Promise<Ended> =>
      boundedCommand([process.execPath, path.join(repositoryDir, 'dist', 'cli.cjs'), command, '--json', '--workspace', own, ...args], {
        cwd: own,
        env,
        withinMs,
        signal,
      });

    const offer = read(initSchema, await benchside(limits.offer, 'init', '--files-only'));
    if (offer !== null) result.offered = offered(service, offer.found);

    const init = await benchside(limits.init, 'init', '--yes', '--', ...service.command);
    result.seconds.init = init.wholeS;
    const seen = read(initSchema, init);
    const looked = seen?.looked[0];
    const chosen = looked?.service;
    result.found = looked !== undefined && looked.problem === null;
    if (!result.found || chosen === undefined) {
      const why = looked?.problem == null ? '' : `${looked.problem.message}\n${lastLines(looked.problem.detail ?? '')}`;
      return failed(result, 'find', init, why);
    }
    note(result, service, chosen, seen?.answered.length ?? 0);
    result.declared = typeof seen?.written === 'string';
    if (!result.declared) return failed(result, 'declare', init, result.open.join('\n'));

    const pool = findingsOf(chosen.findings, 'setting').find(({ name }) => name === 'pool');
    const sizes = pool === undefined ? [] : ['--set', 'pool=2,5'];
    const run = await benchside(limits.run, 'run', '--target', chosen.id, ...brief, ...sizes);
    result.seconds.run = run.wholeS;
    const record = storedRun(own);
    const good = record?.trials.filter(({ valid, requests, errors }) => valid && requests > 0 && errors.total === 0) ?? [];
    result.measured = run.status === 0 && good.length > 0;
    result.requestsPerS = good.length === 0 ? null : Math.round(Math.max(...good.map(({ throughput }) => throughput.mean)));
    if (result.poolFound !== null) result.poolMoved = new Set(good.map(({ settings }) => settings?.['pool'])).size > 1;
    if (!result.measured) return failed(result, 'measure', run, record === null ? '' : whyNone(record.trials));
    result.step = 'done';
    if (result.poolMoved === false && record !== null) result.said = whyNone(record.trials);
    return result;
  } finally {
    result.load = loadPerCore();
    result.left = await endLeftOver(mark, id);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function loadPerCore(): number {
  return Math.round((10 * (loadavg()[0] ?? 0)) / availableParallelism()) / 10;
}

/** Why none of the trials of a run counts. */
function whyNone(trials: z.infer<typeof recordSchema>['trials']): string {
  return trials
    .map(({ settings, requests, errors, reasons }) => {
      const why = reasons.map(({ code, value }) => (value === undefined ? code : `${code} ${value.toFixed(2)}`)).join(', ');
      return `pool ${String(settings?.['pool'] ?? '–')}: ${Math.round(requests)} requests, ${errors.total} errors${why === '' ? '' : `, void: ${why}`}`;
    })
    .join('\n');
}

function blank(service: FieldService, commit: string | null): FieldResult {
  return {
    service: service.name,
    runtime: service.runtime,
    built: false,
    offered: 'nothing',
    found: false,
    port: null,
    declared: false,
    questions: 0,
    open: [],
    routes: { found: 0, of: service.routes.length },
    measured: false,
    requestsPerS: null,
    database: service.usesPostgres ? false : null,
    poolFound: service.pool === null ? null : false,
    poolMoved: service.pool === null ? null : false,
    seconds: { build: 0, init: 0, run: 0 },
    step: 'build',
    said: '',
    left: 0,
    load: null,
    commit,
  };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  }
}

function failed(result: FieldResult, step: FieldResult['step'], { status, said }: Ended, why = ''): FieldResult {
  const words = why === '' ? lastLines(said) : lastLines(why, 8);
  result.step = step;
  result.said = status === null ? `its time was over\n${words}` : words;
  return result;
}

function read<T extends z.ZodType>(schema: T, { stdout }: Ended): z.infer<T> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(stdout));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Whether what a developer types is among the ways that are offered without a command: the same words, or the script that they name. */
function offered({ command, files }: FieldService, { services, candidates }: Detection): FieldResult['offered'] {
  const ways = [...services, ...candidates.map(({ service }: Candidate) => service)].flatMap(({ findings }) =>
    findingsOf(findings, 'command').map(({ command: words }) => words.filter((word) => word !== '{arguments}').join(' ')),
  );
  const typed = command.join(' ');
  const script = /^(?:npm|pnpm|yarn)(?: run)? (\S+)$/.exec(typed)?.[1];
  const meant = new Set([typed, typed.replaceAll('{port}', '$PORT')]);
  if (script !== undefined) {
    meant.add(`npm run ${script}`);
    const line = scriptOf(files['package.json'] ?? '{}', script);
    meant.add(line);
    // A runner of TypeScript is offered as Node with its loader.
    meant.add(nodeWords(line.split(' '))?.join(' ') ?? line);
  }
  if (ways.some((way) => meant.has(way))) return 'same';
  return ways.length > 0 ? 'other' : 'nothing';
}

function scriptOf(manifest: string, name: string): string {
  const parsed = z.object({ scripts: z.record(z.string(), z.string()).default({}) }).safeParse(JSON.parse(manifest));
  return (parsed.success ? (parsed.data.scripts[name] ?? '') : '').replace(/^(?:cross-env\s+)?(?:\w+=\S+\s+)*/, '');
}

/** What was found, as far as it is known what is right. */
function note(result: FieldResult, service: FieldService, { findings, questions }: FoundService, asked: number): void {
  const [port] = findingsOf(findings, 'port');
  result.port = port === undefined ? null : 'fixed' in port.port ? String(port.port.fixed) : port.port.env;
  result.questions = asked;
  result.open = questions.map(({ text }) => text.slice(0, 200)).slice(0, 8);
  const paths = findingsOf(findings, 'route').flatMap(({ route }) =>
    route.method === 'GET' && route.weight > 0 ? [patternOf(route.path)] : [],
  );
  result.routes.found = service.routes.filter((one) => paths.some((pattern) => pattern.test(one.split('?')[0] ?? one))).length;
  if (service.usesPostgres) result.database = findingsOf(findings, 'postgres').some(({ seen }) => seen === true);
  if (service.pool !== null) result.poolFound = findingsOf(findings, 'setting').some(({ name }) => name === 'pool');
}

function patternOf(route: string): RegExp {
  const parts = (route.split('?')[0] ?? '').split('/').map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[^\w]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}/?$`);
}

/** The run that the folder holds; null where there is none. */
function storedRun(folder: string): z.infer<typeof recordSchema> | null {
  const runs = path.join(folder, '.benchside', 'runs');
  try {
    const [newest] = readdirSync(runs)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .reverse();
    const parsed = recordSchema.safeParse(JSON.parse(readFileSync(path.join(runs, newest ?? '', 'run.json'), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
