import { Command as CommandLine } from 'commander';
import * as z from 'zod';
import packageManifest from '../../package.json' with { type: 'json' };
import type { ReportFormat } from '../model/protocol/protocol.ts';
import type { AskedOf } from '../model/protocol/measureRequest.ts';
import type { RunRequest } from '../model/domain/run.ts';
import { allFlags, askedFlags } from '../model/domain/runFlags.ts';
import { askedOptions, asTuneOptions } from '../model/presentation/runOptionText.ts';
import { tuneRequestSchema, type TuneRequest } from '../model/domain/tuning.ts';
import { adviseMeans, adviseOptions } from './adviseOptions.ts';
import type { AdviseCommand } from './adviseOptions.ts';
import { checkRoutesMeans, checkRoutesOptions } from './checkRoutesOptions.ts';
import type { CheckRoutesOptions } from './checkRoutesOptions.ts';
import { experimentMeans, experimentOptions, kept } from './experimentOptions.ts';
import type { ExperimentOptions } from './experimentOptions.ts';
import { metricsOptions, otlpMeans, otlpOptions } from './exportOptions.ts';
import { flameGraph, flameGraphOptions } from './flameGraphOptions.ts';
import type { K6Params } from '../model/domain/generator.ts';
import type { FlameGraphOptions } from './flameGraphOptions.ts';
import { gateOf, gateOptions } from './gate.ts';
import type { Gate } from './gate.ts';
import { initMeans, initOptions } from './initOptions.ts';
import type { InitOptions } from './initOptions.ts';
import { generatorOption, k6Export, k6ExportOptions, k6Import, k6ImportOptions, k6Place, k6PlaceOptions } from './k6Options.ts';
import type { K6CommandOptions } from './k6Options.ts';
import { mcpMeans, mcpOptions } from './mcpOptions.ts';
import type { McpOptions } from './mcpOptions.ts';
import { flag, many, one, take, valuesOf } from './options.ts';
import type { Options, Values } from './options.ts';
import { rawExport, rawExportOptions, rawOption, rawQuery, rawQueryOptions } from './rawOptions.ts';
import type { RawCommandOptions } from './rawOptions.ts';
import { reportFormat, reportOptions } from './reportOptions.ts';
import { plainRunOptions, plainTuneOptions, runFlagOptions, tuneFlagOptions } from './runOptions.ts';
import { misunderstood, said } from './misunderstood.ts';
import { databasesOptions, serverOf, serverOptions } from './serverOptions.ts';
import type { ServerOptions } from './serverOptions.ts';
import { addServiceCommands } from './serviceOptions.ts';
import type { ServiceCommand } from './serviceOptions.ts';
import { runTopology, topologyOptions } from './topologyOptions.ts';
import { helpWidth, wholeHelp } from './usage.ts';
import { trafficMeans, trafficOptions } from './trafficOptions.ts';
import type { TrafficOptions } from './trafficOptions.ts';
import { bisectOptions, diffOptions, diffRequest, versionsRequest } from './versionOptions.ts';
import { choice, listed, objective, settings, whole, wholes, word, wrong } from './values.ts';

interface CommonOptions extends ServerOptions {
  json: boolean;
  workspace: string;
  node: string | null;
  java: string | null;
  k6: K6Params;
}

type Asked =
  | { name: 'run'; request: RunRequest }
  | { name: 'runs' }
  | { name: 'tune'; request: TuneRequest; saveAs: string | null }
  | ExperimentOptions
  | { name: 'compare'; a: string; b: string; trials: readonly string[]; gate: Gate }
  | { name: 'report'; run: string; output: string | null; format: ReportFormat }
  | { name: 'delete'; run: string }
  | ({ name: 'flamegraph' } & FlameGraphOptions)
  | ({ name: 'raw' } & RawCommandOptions)
  | { name: 'databases'; remove: readonly string[]; yes: boolean }
  | { name: 'check'; lab: boolean }
  | ({ name: 'check-routes' } & CheckRoutesOptions)
  | ({ name: 'init' } & InitOptions)
  | { name: 'diff'; request: AskedOf<'diff'>; markdown: string | null; gate: Gate }
  | ({ name: 'advise' } & AdviseCommand)
  | ServiceCommand
  | { name: 'bisect'; request: AskedOf<'diff'>; good: string; bad: string; log: string | null }
  | { name: 'baseline'; action: 'set'; run: string }
  | { name: 'baseline'; action: 'show' }
  | { name: 'baseline'; action: 'clear'; run: string | null }
  | ({ name: 'mcp' } & McpOptions)
  | ({ name: 'k6' } & K6CommandOptions)
  | { name: 'prometheus'; run: string; output: string | null }
  | ({ name: 'traffic' } & TrafficOptions)
  | { name: 'stop' };

/** What is to be done; `say`: nothing but to print a text, such as help. */
export type Command = { name: 'say'; text: string } | (Asked & CommonOptions);

const commonOptions = {
  json: flag('--json', 'print one JSON document on standard output'),
  workspace: one('--workspace <dir>', 'folder of benchside.json and of the runs (default: this folder)', word),
  node: one('--node <path>', 'the Node.js that runs Node targets (default: the one on the PATH)', word),
  java: one('--java <path>', 'the java that runs Java targets, or its home folder (default: JAVA_HOME, or the one on the PATH)', word),
  ...serverOptions,
  ...k6PlaceOptions,
};

const connectionsRange = [1, 10_000] as const;

/** What `tune` and `run` have in common. */
const measuredOptions = {
  target: many(
    '-t, --target <id>',
    'a target (default: the only one that the folder declares); may be repeated (“benchside check” lists the ids)',
    word,
  ),
  set: many(
    '-s, --set <name=values>',
    'values of a setting to choose among, e.g. threads=8,16,32, or pool=2..64 for doublings from 2 to 64; may be repeated, and two settings make a grid; “instances” is known for every target',
    word,
  ),
  vary: many(
    '--vary <key=values>',
    'values to compare that benchside.json need not declare, e.g. jvm.gc=G1,Parallel, node.heap=256m,512m or postgres.work_mem=4MB,64MB; may be repeated (the guide lists the keys)',
    word,
  ),
  load: one('--load <profile>', 'load profile, by its name or as a file in profiles/ (default: steady)', word),
  route: one('--route <route>', 'one route instead of the mix, e.g. /ads/:id or "POST /ads"', word),
  leaveOut: many('--leave-out <route>', 'a route of the mix that is not asked for, e.g. "GET /orders/:id"; may be repeated', word),
  evenFailing: flag('--even-failing', 'measure also where a route is answered with an error'),
  generator: generatorOption,
  slo: one('--slo <objective>', 'what must hold, e.g. "p99 <= 50 ms, errors < 0.1 %"; exit status 3 when it does not', objective),
};

const tuneOptions = {
  ...measuredOptions,
  ...plainTuneOptions,
  mode: one(
    '--mode <mode>',
    `${listed(tuneRequestSchema.shape.mode.unwrap().options)} (default: auto)`,
    choice(tuneRequestSchema.shape.mode.unwrap().options),
  ),
  ...tuneFlagOptions,
  ...topologyOptions,
  raw: rawOption,
  record: flag('--record', 'record a flame graph of the answer and of the best, after everything was measured'),
  connections: one('--connections <n>', 'connections of the closed loop', whole(...connectionsRange)),
  save: one('--save <name>', 'keep what was asked for as an experiment, too', word),
};

const runOptions = {
  ...measuredOptions,
  connections: one('--connections <n,…>', 'connections of the closed loop; several make a ladder', wholes(...connectionsRange)),
  ...plainRunOptions,
  ...runFlagOptions,
  record: flag('--record', 'record a flame graph of each trial, after everything was measured'),
  ...topologyOptions,
  raw: rawOption,
};

const compareOptions = {
  trial: many('--trial <key>', 'which trial; given twice, the second is that of the other run', word),
  ...gateOptions,
};

const checkOptions = { lab: flag('--lab', 'also what is planted for experiments and tests') };

/** Reads a command line; what cannot be understood fails with the code `usage`. */
export function parseCommand(argv: readonly string[], columns?: number): Command {
  let asked: Asked | undefined;
  let text = '';
  const program = new CommandLine('benchside');
  program
    .description('Benchside: which pool size, thread count or instance count to use, and why.')
    .version(packageManifest.version, '--version', 'say which version this is')
    .helpOption('-h, --help', 'say what there is; after a command, what that takes')
    .configureOutput({ writeOut: (said) => (text += said), writeErr: () => undefined, getOutHelpWidth: () => helpWidth(columns) })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', 'Exit status: 0 done, 1 failed, 2 wrong usage, 3 an objective was missed or it is worse, 4 can’t tell.')
    .exitOverride(misunderstood('benchside'));
  take(program, commonOptions);

  /** A command: its words, what it does, its options, and what it means. */
  const command = <O extends Options>(
    parent: CommandLine,
    words: string,
    description: string,
    options: O,
    means: (values: Values<O>, ...words: string[]) => Asked,
  ): void => {
    const added = parent.command(words).description(description);
    added.exitOverride(misunderstood(parent === program ? `benchside ${added.name()}` : `benchside ${parent.name()} ${added.name()}`));
    take(added, options);
    added.action((...given: unknown[]) => {
      // After the words come the options and the command itself.
      asked = means(valuesOf(added, options), ...(given.slice(0, -2) as string[]));
    });
  };

  command(program, 'tune', 'find the smallest setting that is as good as the best, with evidence', tuneOptions, (values) => ({
    name: 'tune',
    request: tuneRequest(values),
    saveAs: values.save ?? null,
  }));
  command(
    program,
    'advise',
    'try what could help: settings, indexes, collectors, by what limits now; applies nothing',
    adviseOptions,
    (values) => ({
      name: 'advise',
      ...adviseMeans(values),
    }),
  );
  addServiceCommands((words, description, options, means) => command(program, words, description, options, means));
  command(
    program,
    'experiment [experiment]',
    'run an experiment that was saved or is in a file, or repeat a published one by its id (C1; C for all of C1 to C4)',
    experimentOptions,
    experimentMeans,
  );
  command(program, 'run', 'start the targets and PostgreSQL, put load on them, compare the settings', runOptions, (values) => ({
    name: 'run',
    request: runRequest(values),
  }));
  const raw = program.command('raw').description('raw samples that runs have kept');
  raw.exitOverride(misunderstood('benchside raw'));
  command(raw, 'list', 'the runs that have kept some', {}, () => ({ name: 'raw', action: 'list' }));
  command(raw, 'load <run>', 'put them into PostgreSQL', {}, (_values, run: string) => ({ name: 'raw', action: 'load', run }));
  command(
    raw,
    'query <run> <view>',
    'print a view of them: by_second, by_route, latency_percentiles, where_time_goes, slowest, errors or requests',
    rawQueryOptions,
    (values, run: string, view: string) => ({ name: 'raw', ...rawQuery(run, view, values) }),
  );
  command(raw, 'export <run>', 'write them to a .csv or .parquet file', rawExportOptions, (values, run: string) => ({
    name: 'raw',
    ...rawExport(run, values),
  }));
  raw.allowExcessArguments().action(() => {
    const [action] = raw.args;
    if (action !== undefined) throw wrong(`There is no “benchside raw ${action}”: it is list, load, query or export.`);
    asked = { name: 'raw', action: 'list' };
  });
  command(program, 'runs', 'list the runs of this folder, and what was found to help', {}, () => ({ name: 'runs' }));
  command(
    program,
    'compare <base> <other>',
    'two runs side by side (“last”, “previous” and, as the base, “baseline” are understood), or two settings',
    compareOptions,
    ({ trial, ...gate }, a: string, b: string) => {
      if (trial.length > 2) throw wrong('--trial is given too often: once, and once more for the other run.');
      return { name: 'compare', a, b, trials: trial, gate: gateOf(gate) };
    },
  );
  command(
    program,
    'diff [base] [head]',
    'two versions of the code in one run, as git names them: nothing is the working tree against HEAD, “main...” the merge base against HEAD',
    diffOptions,
    ({ markdown, failOn, undecided, junit, ...values }, base?: string, head?: string) => ({
      name: 'diff',
      request: diffRequest(values, base, head),
      markdown: markdown ?? null,
      gate: gateOf({ failOn, undecided, junit }),
    }),
  );
  command(
    program,
    'bisect <good> <bad>',
    'which commit made it slower: each step compares two versions as “diff” does; the same command goes on where it was ended',
    bisectOptions,
    ({ log, ...values }, good: string, bad: string) => ({
      name: 'bisect',
      request: versionsRequest(values),
      good,
      bad,
      log: log ?? null,
    }),
  );
  const baseline = program.command('baseline').description('the runs that later ones of the same targets are compared with');
  baseline.exitOverride(misunderstood('benchside baseline'));
  command(baseline, 'set <run>', 'make a run the baseline of its targets', {}, (_values, run: string) => ({
    name: 'baseline',
    action: 'set',
    run,
  }));
  command(baseline, 'show', 'the baselines, and on which machine they were measured', {}, () => ({ name: 'baseline', action: 'show' }));
  command(baseline, 'clear [run]', 'no longer this one, or none at all', {}, (_values, run?: string) => ({
    name: 'baseline',
    action: 'clear',
    run: run ?? null,
  }));
  command(program, 'report <run>', 'a report of a run, or of an advice by its id', reportOptions, ({ output, format }, run: string) => ({
    name: 'report',
    run,
    output: output ?? null,
    format: reportFormat(output, format),
  }));
  command(program, 'delete <run>', 'delete a run, or an advice by its id', {}, (_values, run: string) => ({ name: 'delete', run }));
  command(
    program,
    'flamegraph <recording>',
    'where the time goes in a recording: .cpuprofile, .heapprofile, .jfr, pprof, speedscope, collapsed stacks, or what was recorded of a run (“last”, “previous”, an id)',
    flameGraphOptions,
    (values, source: string) => ({ name: 'flamegraph', ...flameGraph(source, values, valuesOf(program, commonOptions).json) }),
  );
  command(
    program,
    'check',
    'which differences this machine can resolve, whether it is ready, and what can be benchmarked here',
    checkOptions,
    ({ lab }) => ({
      name: 'check',
      lab,
    }),
  );
  command(
    program,
    'check-routes',
    'one request to each route: its statements and rows, counted, against the budgets of benchside.json; exit status 1 where one takes more',
    checkRoutesOptions,
    (values) => ({ name: 'check-routes', ...checkRoutesMeans(values) }),
  );
  command(program, 'databases', 'what Benchside has made on a PostgreSQL server of yours', databasesOptions, ({ remove, yes }) => ({
    name: 'databases',
    remove,
    yes,
  }));
  command(
    program,
    'init [command...]',
    'look for the services of this folder, or take the one that a command starts (init -- node server.js), start each once to see what it does, and declare them in benchside.json',
    initOptions,
    (values, ...words: (string | string[])[]) => ({ name: 'init', ...initMeans(values, words) }),
  );
  const [exports, imports] = (['export', 'import'] as const).map((word) => {
    const whom = word === 'export' ? ['k6', 'otlp', 'prometheus'] : ['k6'];
    const parent = program.command(word).description(`${word} for or from other programs: ${listed(whom)}`);
    return parent.exitOverride(misunderstood(`benchside ${word}`)).action(() => {
      throw wrong(`“benchside ${word}” needs to know for whom: ${whom.map((one) => `“benchside ${word} ${one}”`).join(', ')}.`);
    });
  }) as [CommandLine, CommandLine];
  command(
    exports,
    'k6 [source]',
    'the same measurement as a folder for k6 and its operator: a run (default: the last), or an experiment by its name or file',
    k6ExportOptions,
    (values, source?: string) => ({ name: 'k6', ...k6Export(source, values) }),
  );
  command(
    exports,
    'otlp [run]',
    'what was recorded of a run (default: the last) as OTLP profiles, for a collector of OpenTelemetry',
    otlpOptions,
    (values, run?: string) => ({ name: 'flamegraph', ...otlpMeans(run, values) }),
  );
  command(
    exports,
    'prometheus [run]',
    'the figures of a run (default: the last) as Prometheus’ text, for its file collector or a push gateway',
    metricsOptions,
    ({ output }, run?: string) => ({ name: 'prometheus', run: run ?? 'last', output: output ?? null }),
  );
  command(
    imports,
    'k6 <files...>',
    'a run from the CSV files of k6’s runners, merged; name the plan.json of the export with them, or the run that was exported',
    k6ImportOptions,
    (values, ...files: (string | string[])[]) => ({ name: 'k6', ...k6Import(files.flat(), values) }),
  );
  command(
    program,
    'traffic [files...]',
    'a load profile from traffic that is recorded (--record), or from files: a HAR file, access logs (also JSON lines), an OpenAPI file, a Postman collection, a .http file, curl lines or OTLP spans; what writes is left out until it is ticked',
    trafficOptions,
    (values, ...files: (string | string[])[]) => ({ name: 'traffic', ...trafficMeans(values, files) }),
  );
  command(program, 'mcp', 'serve coding agents (Model Context Protocol) on standard input and output', mcpOptions, (values) => ({
    name: 'mcp',
    ...mcpMeans(values),
  }));
  command(program, 'stop', 'end whatever earlier runs have left behind', {}, () => ({ name: 'stop' }));
  program.helpCommand('help [command]', 'what a command takes').configureHelp({ formatHelp: wholeHelp });

  try {
    program.parse(argv.length === 0 ? ['--help'] : argv, { from: 'user' });
  } catch (error) {
    if (error !== said) throw error;
    return { name: 'say', text: text.trimEnd() };
  }
  if (asked === undefined) throw wrong('There is no command.');
  const { json, workspace, node, java, ...rest } = valuesOf(program, commonOptions);
  return {
    ...asked,
    json,
    workspace: workspace ?? process.cwd(),
    node: node ?? null,
    java: java ?? null,
    ...serverOf(rest),
    k6: k6Place(rest),
  };
}

/** What `run` and `tune` have in common; no target is named where that of the folder is meant. */
function measuredRequest({
  target,
  set,
  vary,
  load,
  route,
  leaveOut,
  evenFailing,
  slo,
  generator,
}: Values<typeof measuredOptions>): Pick<TuneRequest, 'targets' | 'settings' | 'load'> &
  Partial<Pick<TuneRequest, 'route' | 'leaveOut' | 'askRoutes' | 'slo' | 'generator'>> {
  const targets = target.flatMap((list) => list.split(',')).filter((id) => id !== '');
  if (target.length > 0 && targets.length === 0) throw wrong('--target names no target.');
  return {
    targets: [...new Set(targets)],
    settings: { ...settings(set), ...settings(vary, '--vary') },
    load: load ?? 'steady',
    ...(route === undefined ? {} : { route }),
    ...(leaveOut.length === 0 ? {} : { leaveOut: [...leaveOut] }),
    ...(evenFailing ? { askRoutes: false } : {}),
    ...(slo === undefined ? {} : { slo }),
    ...(generator === undefined ? {} : { generator }),
  };
}

function runRequest(values: Values<typeof runOptions>): RunRequest {
  const { connections, raw, record } = values;
  const topology = runTopology(values);
  return {
    ...measuredRequest(values),
    ...(connections === undefined ? {} : { connections }),
    ...askedOptions(values),
    ...askedFlags(values),
    ...kept({ raw, record }),
    ...(topology === undefined ? {} : { topology }),
  };
}

/** A tuning whose target may be left to be the folder’s. */
const commandTuneSchema = tuneRequestSchema.extend({ targets: z.array(z.string()) });

function tuneRequest(values: Values<typeof tuneOptions>): TuneRequest {
  const request = measuredRequest(values);
  if (!Object.values(request.settings).some((list) => list.length > 1))
    throw wrong('“benchside tune” needs a setting with at least two values to choose among, e.g. --set pool=2..64.');
  const { connections, mode, raw, record } = values;
  const topology = runTopology(values);
  return commandTuneSchema.parse({
    ...request,
    ...(connections === undefined ? {} : { connections }),
    ...asTuneOptions(values),
    ...(mode === undefined ? {} : { mode }),
    ...allFlags(values),
    ...kept({ raw, record }),
    ...(topology === undefined ? {} : { topology }),
  });
}
