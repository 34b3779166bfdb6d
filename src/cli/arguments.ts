import { parseArgs } from 'node:util';
import { diffNormalisers } from '../engine/calltree/diffTrees.ts';
import type { DiffNormaliser } from '../engine/calltree/diffTrees.ts';
import { failure } from '../model/failure.ts';
import type { RunRequest } from '../model/run.ts';
import type { SettingValue } from '../model/setting.ts';

const usageText = `Benchside: which pool size, thread count or instance count to use, and why.

Usage: benchside <command> [options]

  run        start the targets and PostgreSQL, put load on them, compare the settings
      --target ID            a target; may be repeated (see "benchside check" for the ids)
      --set NAME=V1,V2,…     values of a setting, e.g. pool=2,4,8 or pool=2..64; may be repeated
      --load PROFILE         load profile (default steady)
      --route ROUTE          one route instead of the mix, e.g. /ads/:id or "POST /ads"
      --connections N[,N…]   connections of the closed loop
      --duration SECONDS     length of each measured block
      --rounds N             interleaved rounds
      --record               record a flame graph of each trial, after everything was measured
      --seed N               seed of request order and shuffling
  runs       list the runs of this folder
  compare A B                two runs side by side ("last" and "previous" are understood)
  report RUN -o FILE         a report; .html, .md or .csv by the file's ending (--format decides otherwise)
  delete RUN                 delete a run
  flamegraph FILE|RUN        where the time goes in a recording: .cpuprofile, .heapprofile, .jfr, pprof, speedscope, collapsed stacks,
                             or what was recorded of a run ("last", "previous", an id)
      --event NAME           which of its events, e.g. cpu or wall (default: the first that was counted)
      --trial KEY            which trial of the run; given twice, the second is that of --diff
      --diff FILE|RUN        compare with this one; svg, collapsed or json
      --normalise HOW        request, share or raw (default: per request where the requests are known, else share)
      --format FORMAT        svg, collapsed, pprof, speedscope, json or html (default: by the ending of -o, else svg)
      -o FILE                write there instead of to standard output
  check      is this machine ready, and what can be benchmarked here
  stop       end whatever earlier runs have left behind

Options of all commands
      --json                 print one JSON document on standard output
      --workspace DIR        folder of benchside.json and of the runs (default: this folder)
      --node PATH, --java PATH, --postgres-url URL
  -h, --help, --version

Exit status: 0 done, 1 failed, 2 wrong usage, 3 a threshold was missed.`;

/** What `--help` prints. */
export function usage(): string {
  return usageText;
}

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
  | ({ name: 'compare'; a: string; b: string } & CommonOptions)
  | ({ name: 'report'; run: string; output: string | null; format: 'html' | 'markdown' | 'csv' } & CommonOptions)
  | ({ name: 'delete'; run: string } & CommonOptions)
  | ({ name: 'flamegraph' } & FlameGraphOptions & CommonOptions)
  | ({ name: 'check' } & CommonOptions)
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
  duration: { type: 'string' },
  rounds: { type: 'string' },
  seed: { type: 'string' },
  record: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  event: { type: 'string' },
  trial: { type: 'string', multiple: true },
  diff: { type: 'string' },
  normalise: { type: 'string' },
} as const;

const runOnly = ['target', 'set', 'load', 'route', 'connections', 'duration', 'rounds', 'seed', 'record'] as const;
const outputOnly = ['output', 'format'] as const;
const flameGraphOnly = ['event', 'trial', 'diff', 'normalise'] as const;

function wrong(message: string): Error {
  return failure('usage', message, 'See “benchside --help”.');
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
  refuse(name, name === 'run' ? [] : runOnly, values);
  refuse(name, name === 'report' || name === 'flamegraph' ? [] : outputOnly, values);
  refuse(name, name === 'flamegraph' ? [] : flameGraphOnly, values);
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
    case 'compare': {
      expect(2, 'two runs: benchside compare A B');
      return { name, ...common, a: rest[0] ?? '', b: rest[1] ?? '' };
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
    case 'runs':
    case 'check':
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
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrong(error instanceof Error ? `${error.message.replace(/\. To specify.*$/s, '').replace(/\.$/, '')}.` : String(error));
  }
}

function refuse(command: string, names: readonly (keyof Values)[], values: Values): void {
  const misplaced = names.find((name) => values[name] !== undefined);
  if (misplaced !== undefined) throw wrong(`“benchside ${command}” has no option --${misplaced}.`);
}

function runRequest(values: Values): RunRequest {
  const targets = (values.target ?? []).flatMap((list) => list.split(',')).filter((id) => id !== '');
  if (targets.length === 0) throw wrong('“benchside run” needs at least one --target.');
  return {
    targets: [...new Set(targets)],
    settings: mergeSettings((values.set ?? []).map(parseSetting)),
    load: values.load ?? 'steady',
    ...(values.route === undefined ? {} : { route: values.route }),
    ...(values.connections === undefined
      ? {}
      : { connections: [...new Set(values.connections.split(',').map((text) => wholeNumber('--connections', text, 1, 10_000)))] }),
    ...(values.duration === undefined ? {} : { durationS: decimal('--duration', values.duration, 0.5, 3600) }),
    ...(values.rounds === undefined ? {} : { rounds: wholeNumber('--rounds', values.rounds, 1, 100) }),
    ...(values.record === true ? { record: { events: [], seconds: 10 } } : {}),
    ...(values.seed === undefined ? {} : { seed: wholeNumber('--seed', values.seed, 0, Number.MAX_SAFE_INTEGER) }),
  };
}

/** The same setting named twice means the values of both. */
function mergeSettings(settings: readonly [string, SettingValue[]][]): Record<string, SettingValue[]> {
  const merged = new Map<string, SettingValue[]>();
  for (const [name, values] of settings) merged.set(name, [...new Set([...(merged.get(name) ?? []), ...values])]);
  return Object.fromEntries(merged);
}

/** `pool=2,4,8` → ['pool', [2, 4, 8]]; `pool=2..16` → the powers of two from 2 to 16 (and 16 itself). */
export function parseSetting(text: string): [string, SettingValue[]] {
  const equals = text.indexOf('=');
  const name = text.slice(0, equals).trim();
  const list = text.slice(equals + 1).trim();
  if (equals < 1 || list === '') throw wrong(`--set ${text}: write it as NAME=VALUE,VALUE, e.g. pool=2,4,8.`);
  const values = list.split(',').flatMap((part) => parseValues(name, part.trim()));
  return [name, [...new Set(values)]];
}

function parseValues(name: string, part: string): SettingValue[] {
  const range = /^(\d+)\.\.(\d+)$/.exec(part);
  if (range === null) {
    if (part === '' || /^-/.test(part)) throw wrong(`--set ${name}: “${part}” is no value; sizes are whole numbers from 0 up.`);
    return [/^\d+$/.test(part) ? Number(part) : part];
  }
  const [low, high] = [Number(range[1]), Number(range[2])];
  if (low < 1 || low > high) throw wrong(`--set ${name}=${part}: a range goes from a smaller number to a larger one, e.g. 2..64.`);
  const values: number[] = [];
  for (let value = low; value < high; value *= 2) values.push(value);
  return [...values, high];
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || value < min || value > max)
    throw wrong(`${option} “${text}”: a whole number from ${min} to ${max} is needed.`);
  return value;
}

function decimal(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max)) throw wrong(`${option} “${text}”: a number from ${min} to ${max} is needed.`);
  return value;
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
