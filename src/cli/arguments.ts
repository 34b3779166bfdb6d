import { parseArgs } from 'node:util';
import { diffNormalisers } from '../calltree/diffTrees.ts';
import type { DiffNormaliser } from '../calltree/diffTrees.ts';
import type { RunRequest } from '../model/run.ts';
import { tuneRequestSchema } from '../model/tuning.ts';
import type { TuneRequest } from '../model/tuning.ts';
import { parseRawCommand, rawRequest, rawWithoutShare } from './rawOptions.ts';
import type { RawCommandOptions } from './rawOptions.ts';
import { runTopology } from './topologyOptions.ts';
import { decimal, mergeSettings, objective, parseSetting, seconds, wholeNumber, wrong } from './values.ts';

interface CommonOptions {
  json: boolean;
  workspace: string;
  node: string | null;
  java: string | null;
  postgresUrl: string | null;
}

/** What a recording can be written as. */
export const flameGraphFormats = ['svg', 'collapsed', 'pprof', 'speedscope', 'json', 'html'] as const;
export type FlameGraphFormat = (typeof flameGraphFormats)[number];

/** What a comparison of two recordings can be written as. */
const diffFormats: readonly FlameGraphFormat[] = ['svg', 'collapsed', 'json'];

/** What draws a flame graph: a file, or a recording of ours by its own id or that of its run. */
export interface FlameGraphOptions {
  source: string;
  event: string | null;
  /** Of the run, and of the run that it is compared with. */
  trials: readonly string[];
  diff: string | null;
  normalise: DiffNormaliser | null;
  output: string | null;
  format: FlameGraphFormat;
}

export type Command =
  | { name: 'help' }
  | { name: 'version' }
  | ({ name: 'run'; request: RunRequest } & CommonOptions)
  | ({ name: 'runs' } & CommonOptions)
  | ({ name: 'tune'; request: TuneRequest; saveAs: string | null } & CommonOptions)
  | ({ name: 'experiment'; experiment: string; full: boolean; soakS: number | null } & CommonOptions)
  | ({ name: 'experiments' } & CommonOptions)
  | ({ name: 'compare'; a: string; b: string; trials: readonly string[] } & CommonOptions)
  | ({ name: 'report'; run: string; output: string | null; format: 'html' | 'markdown' | 'csv' } & CommonOptions)
  | ({ name: 'delete'; run: string } & CommonOptions)
  | ({ name: 'flamegraph' } & FlameGraphOptions & CommonOptions)
  | ({ name: 'raw' } & RawCommandOptions & CommonOptions)
  | ({ name: 'check'; lab: boolean } & CommonOptions)
  | ({ name: 'stop' } & CommonOptions);

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  json: { type: 'boolean' },
  workspace: { type: 'string' },
  node: { type: 'string' },
  java: { type: 'string' },
  'postgres-url': { type: 'string' },
  target: { type: 'string', multiple: true, short: 't' },
  set: { type: 'string', multiple: true, short: 's' },
  load: { type: 'string' },
  route: { type: 'string' },
  connections: { type: 'string' },
  rate: { type: 'string' },
  duration: { type: 'string' },
  rounds: { type: 'string' },
  seed: { type: 'string' },
  slo: { type: 'string' },
  budget: { type: 'string' },
  delta: { type: 'string' },
  mode: { type: 'string' },
  confirm: { type: 'boolean' },
  'total-connections': { type: 'string' },
  proxy: { type: 'string' },
  'proxy-static': { type: 'boolean' },
  'proxy-close': { type: 'boolean' },
  'cpu-share': { type: 'string' },
  save: { type: 'string' },
  list: { type: 'boolean' },
  lab: { type: 'boolean' },
  full: { type: 'boolean' },
  soak: { type: 'string' },
  record: { type: 'boolean' },
  raw: { type: 'string' },
  limit: { type: 'string' },
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  event: { type: 'string' },
  trial: { type: 'string', multiple: true },
  diff: { type: 'string' },
  normalise: { type: 'string' },
} as const;

/** Which command takes an option; those of all commands are not listed. */
const takers: Partial<Record<keyof typeof options, readonly string[]>> = {
  ...takenBy(['run', 'tune'], 'target', 'set', 'load', 'route', 'connections', 'seed', 'slo', 'total-connections'),
  ...takenBy(['run', 'tune'], 'proxy', 'proxy-static', 'proxy-close', 'cpu-share', 'record', 'raw'),
  ...takenBy(['run', 'tune'], 'budget'),
  ...takenBy(['run'], 'rate', 'duration', 'rounds'),
  ...takenBy(['tune'], 'delta', 'mode', 'confirm', 'save'),
  ...takenBy(['check'], 'lab'),
  ...takenBy(['experiment'], 'list', 'full', 'soak'),
  ...takenBy(['report', 'flamegraph', 'raw'], 'output', 'format'),
  ...takenBy(['raw'], 'limit'),
  ...takenBy(['flamegraph'], 'event', 'diff', 'normalise'),
  ...takenBy(['flamegraph', 'compare'], 'trial'),
};

function takenBy(
  commands: readonly string[],
  ...names: (keyof typeof options)[]
): Partial<Record<keyof typeof options, readonly string[]>> {
  return Object.fromEntries(names.map((name) => [name, commands]));
}

/** Reads a command line; what cannot be understood fails with the code `usage`. */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  if (values.help === true || (positionals.length === 0 && values.version !== true)) return { name: 'help' };
  if (values.version === true) return { name: 'version' };
  const [name = '', ...rest] = positionals;
  const common: CommonOptions = {
    json: values.json ?? false,
    workspace: values.workspace ?? process.cwd(),
    node: values.node ?? null,
    java: values.java ?? null,
    postgresUrl: values['postgres-url'] ?? null,
  };
  refuse(name, values);
  const expect = (count: number, what: string): void => {
    if (rest.length !== count)
      throw wrong(
        count === 0 ? `“benchside ${name}” takes no further words, but got “${rest.join(' ')}”.` : `“benchside ${name}” needs ${what}.`,
      );
  };
  switch (name) {
    case 'run':
      expect(0, '');
      return { name, ...common, request: runRequest(values) };
    case 'tune':
      expect(0, '');
      return { name, ...common, request: tuneRequest(values), saveAs: values.save ?? null };
    case 'experiment':
      if (values.list === true) {
        expect(0, '');
        return { name: 'experiments', ...common };
      }
      expect(1, 'one experiment: benchside experiment NAME, or a file (--list shows what there is)');
      return {
        name,
        ...common,
        experiment: rest[0] ?? '',
        full: values.full ?? false,
        soakS: values.soak === undefined ? null : seconds('--soak', values.soak),
      };
    case 'compare': {
      expect(2, 'two runs: benchside compare A B');
      if ((values.trial ?? []).length > 2) throw wrong('--trial is given too often: once, and once more for B.');
      return { name, ...common, a: rest[0] ?? '', b: rest[1] ?? '', trials: values.trial ?? [] };
    }
    case 'report':
      expect(1, 'one run: benchside report RUN -o file.html');
      return { name, ...common, run: rest[0] ?? '', output: values.output ?? null, format: reportFormat(values.format, values.output) };
    case 'flamegraph':
      expect(1, 'one recording: benchside flamegraph FILE');
      return { name, ...common, ...flameGraphOptions(rest[0] ?? '', values, common.json) };
    case 'delete':
      expect(1, 'one run: benchside delete RUN');
      return { name, ...common, run: rest[0] ?? '' };
    case 'raw':
      return { name, ...common, ...parseRawCommand(rest, values) };
    case 'check':
      expect(0, '');
      return { name, ...common, lab: values.lab ?? false };
    case 'runs':
    case 'stop':
      expect(0, '');
      return { name, ...common };
    default:
      throw wrong(`There is no command “${name}”.`);
  }
}

type Values = ReturnType<typeof parse>['values'];

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: argv.map(rawWithoutShare), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrong(error instanceof Error ? `${error.message.replace(/\. To specify.*$/s, '').replace(/\.$/, '')}.` : String(error));
  }
}

function refuse(command: string, values: Values): void {
  const misplaced = Object.entries(takers).find(
    ([name, commands]) => values[name as keyof Values] !== undefined && !commands.includes(command),
  );
  if (misplaced !== undefined) throw wrong(`“benchside ${command}” has no option --${misplaced[0]}.`);
}

/** What `run` and `tune` have in common. */
function measuredRequest(
  command: string,
  values: Values,
): Pick<TuneRequest, 'targets' | 'settings' | 'load'> & Partial<Pick<TuneRequest, 'route' | 'seed' | 'slo' | 'raw' | 'record'>> {
  const targets = (values.target ?? []).flatMap((list) => list.split(',')).filter((id) => id !== '');
  if (targets.length === 0) throw wrong(`“benchside ${command}” needs at least one --target.`);
  return {
    targets: [...new Set(targets)],
    settings: mergeSettings((values.set ?? []).map(parseSetting)),
    load: values.load ?? 'steady',
    ...(values.route === undefined ? {} : { route: values.route }),
    ...(values.seed === undefined ? {} : { seed: wholeNumber('--seed', values.seed, 0, Number.MAX_SAFE_INTEGER) }),
    ...(values.slo === undefined ? {} : { slo: objective(values.slo) }),
    ...(values.raw === undefined ? {} : { raw: rawRequest(values.raw) }),
    ...(values.record === true ? { record: { events: [], seconds: 10 } } : {}),
  };
}

function runRequest(values: Values): RunRequest {
  const topology = runTopology(values);
  return {
    ...measuredRequest('run', values),
    ...(values.connections === undefined
      ? {}
      : { connections: [...new Set(values.connections.split(',').map((text) => wholeNumber('--connections', text, 1, 10_000)))] }),
    ...(values.duration === undefined ? {} : { durationS: decimal('--duration', values.duration, 0.5, 3600) }),
    ...(values.rate === undefined ? {} : { ratePerS: decimal('--rate', values.rate, 1, 100_000) }),
    ...(values.rounds === undefined ? {} : { rounds: wholeNumber('--rounds', values.rounds, 1, 100) }),
    ...(values.budget === undefined ? {} : { budgetS: seconds('--budget', values.budget) }),
    ...(topology === undefined ? {} : { topology }),
  };
}

const tuningModes = tuneRequestSchema.shape.mode.unwrap().options;

function tuneRequest(values: Values): TuneRequest {
  const request = measuredRequest('tune', values);
  if (!Object.values(request.settings).some((list) => list.length > 1))
    throw wrong('“benchside tune” needs a setting with at least two values to choose among, e.g. --set pool=2..64.');
  const mode = values.mode === undefined ? 'auto' : tuningModes.find((one) => one === values.mode);
  if (mode === undefined) throw wrong(`--mode ${values.mode ?? ''}: choose ${tuningModes.join(', ')}.`);
  const topology = runTopology(values);
  return {
    ...request,
    ...(values.connections === undefined ? {} : { connections: wholeNumber('--connections', values.connections, 1, 10_000) }),
    budgetS: values.budget === undefined ? 120 : seconds('--budget', values.budget),
    delta: values.delta === undefined ? 0.05 : decimal('--delta', values.delta.replace(/\s*%$/, ''), 0.5, 50) / 100,
    mode,
    confirm: values.confirm ?? false,
    ...(topology === undefined ? {} : { topology }),
  };
}

function reportFormat(format: string | undefined, output: string | undefined): 'html' | 'markdown' | 'csv' {
  const named: Record<string, 'html' | 'markdown' | 'csv'> = {
    html: 'html',
    htm: 'html',
    markdown: 'markdown',
    md: 'markdown',
    csv: 'csv',
  };
  if (format !== undefined) {
    const known = named[format];
    if (known === undefined) throw wrong(`--format ${format}: choose html, markdown or csv.`);
    return known;
  }
  return named[output?.split('.').pop()?.toLowerCase() ?? ''] ?? 'html';
}

function flameGraphOptions(source: string, values: Values, json: boolean): FlameGraphOptions {
  const format = flameGraphFormat(values.format, values.output, json);
  const { diff, normalise, trial = [] } = values;
  const normaliser = diffNormalisers.find((one) => one === normalise);
  if (normalise !== undefined && normaliser === undefined) throw wrong(`--normalise ${normalise}: choose ${diffNormalisers.join(', ')}.`);
  if (diff === undefined && normalise !== undefined) throw wrong('--normalise is for --diff only.');
  if (diff !== undefined && !diffFormats.includes(format))
    throw wrong(`--diff can be written as ${diffFormats.join(', ')}, not as ${format}.`);
  if (trial.length > (diff === undefined ? 1 : 2)) throw wrong('--trial is given too often: once, and once more for --diff.');
  return {
    ...{ source, format, trials: trial, event: values.event ?? null, output: values.output ?? null },
    ...{ diff: diff ?? null, normalise: normaliser ?? null },
  };
}

/** The format that is named, or the one the file's ending means; `--json` is short for `--format json`. */
function flameGraphFormat(format: string | undefined, output: string | undefined, json: boolean): FlameGraphFormat {
  if (format !== undefined) {
    const known = flameGraphFormats.find((one) => one === format);
    if (known === undefined)
      throw wrong(`--format ${format}: choose ${flameGraphFormats.slice(0, -1).join(', ')} or ${flameGraphFormats.at(-1)}.`);
    if (json && known !== 'json') throw wrong(`--json and --format ${format} exclude each other.`);
    return known;
  }
  if (json) return 'json';
  const file = output?.toLowerCase() ?? '';
  if (/\.speedscope(?:\.json)?$/.test(file)) return 'speedscope';
  if (file.endsWith('.json')) return 'json';
  if (/\.(?:pb|pprof)(?:\.gz)?$/.test(file)) return 'pprof';
  if (/\.html?$/.test(file)) return 'html';
  return /\.(?:collapsed|folded|txt)$/.test(file) ? 'collapsed' : 'svg';
}
