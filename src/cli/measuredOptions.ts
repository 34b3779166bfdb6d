import * as z from 'zod';
import { bouncerSchema } from '../model/domain/bouncer.ts';
import { defined } from '../model/domain/defined.ts';
import { soakRangeS } from '../model/domain/experiment.ts';
import type { RunRequest } from '../model/domain/run.ts';
import { allFlags, askedFlags } from '../model/domain/runFlags.ts';
import { tuneRequestSchema, type TuneRequest } from '../model/domain/tuning.ts';
import { type RunTopology, proxySchema } from '../model/domain/topology.ts';
import { askedOptions, asTuneOptions } from '../model/presentation/runOptionText.ts';
import { command } from './command.ts';
import { generatorOption } from './k6Options.ts';
import { type Values, flag, many, one } from './options.ts';
import { rawOption } from './rawOptions.ts';
import { plainRunOptions, plainTuneOptions, runFlagOptions, tuneFlagOptions } from './runOptions.ts';
import { choice, decimal, listed, objective, seconds, settings, whole, wholes, word, wrong } from './values.ts';

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

const modes = bouncerSchema.shape.mode.unwrap().options;
const balances = proxySchema.shape.balance.unwrap().options;

/** The proxy and pooler around the instances of a target. */
const topologyOptions = {
  proxy: one(
    '--proxy <balance>',
    `nginx before the instances of each target: ${listed(balances)}; how many instances there are says --set instances=2`,
    choice(balances),
  ),
  proxyStatic: flag('--proxy-static', 'nginx answers /static/ itself, from the folder “static” of the target'),
  proxyClose: flag('--proxy-close', 'a new connection from nginx to an instance for each request'),
  cpuShare: one('--cpu-share <cores>', 'what each process of a target may use, e.g. 0.5', decimal(0.05, 64)),
  totalConnections: one('--total-connections <n>', 'database connections of all instances together', whole(1, 100_000)),
  bouncer: one(
    '--bouncer <mode>',
    `PgBouncer between the instances of each target and PostgreSQL: ${listed(modes)}; its pool is the setting bouncerPool`,
    choice(modes),
  ),
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

export const tuneCommand = command({
  words: 'tune',
  description: 'find the smallest setting that is as good as the best, with evidence',
  options: tuneOptions,
  measures: true,
  means: (values) => ({ request: tuneRequest(values), saveAs: values.save ?? null }),
});

export const runCommand = command({
  words: 'run',
  description: 'start the targets and PostgreSQL, put load on them, compare the settings',
  options: runOptions,
  measures: true,
  means: (values) => ({ request: runRequest(values) }),
});

export const experimentCommand = command({
  words: 'experiment [experiment]',
  description: 'run an experiment that was saved or is in a file, or repeat a published one by its id (C1; C for all of C1 to C4)',
  options: {
    list: flag('--list', 'show what there is, how long it takes and what it needs'),
    full: flag('--full', 'the full form of a published experiment instead of the short one'),
    soak: one('--soak <time>', 'how long its soak lasts instead, e.g. 12h (D1)', seconds(soakRangeS)),
    raw: rawOption,
    record: flag('--record', 'record a flame graph of each variant at its largest load, after everything was measured'),
    generator: generatorOption,
  },
  measures: true,
  means: ({ list, full, soak, raw, record, generator }, experiment?: string) => {
    if (list && experiment !== undefined) throw wrong('“benchside experiment --list” lists all: leave out the name.');
    if (!list && experiment === undefined)
      throw wrong('“benchside experiment” needs one, by its name or as a file; --list shows what there is.');
    const keep = { ...kept({ raw, record }), ...defined({ generator }) };
    return { experiment: experiment ?? null, full, soakS: soak ?? null, keep };
  },
});

/** What `run` and `tune` have in common; no target is named where that of the folder is meant. */
function measuredRequest(
  values: Values<typeof measuredOptions>,
): Pick<TuneRequest, 'targets' | 'settings' | 'load' | 'route' | 'leaveOut' | 'askRoutes' | 'slo' | 'generator'> {
  const { target, set, vary, load, route, leaveOut, evenFailing, slo, generator } = values;
  const targets = target.flatMap((list) => list.split(',')).filter((id) => id !== '');
  if (target.length > 0 && targets.length === 0) throw wrong('--target names no target.');
  return {
    targets: [...new Set(targets)],
    settings: { ...settings(set), ...settings(vary, '--vary') },
    load: load ?? 'steady',
    ...defined({
      route,
      leaveOut: leaveOut.length === 0 ? undefined : [...leaveOut],
      askRoutes: evenFailing ? false : undefined,
      slo,
      generator,
    }),
  };
}

function runRequest(values: Values<typeof runOptions>): RunRequest {
  const { connections, raw, record } = values;
  return {
    ...measuredRequest(values),
    ...defined({ connections, topology: runTopology(values) }),
    ...askedOptions(values),
    ...askedFlags(values),
    ...kept({ raw, record }),
  };
}

/** A tuning whose target may be left to be the folder’s. */
const commandTuneSchema = tuneRequestSchema.extend({ targets: z.array(z.string()) });

function tuneRequest(values: Values<typeof tuneOptions>): TuneRequest {
  const request = measuredRequest(values);
  if (!Object.values(request.settings).some((list) => list.length > 1))
    throw wrong('“benchside tune” needs a setting with at least two values to choose among, e.g. --set pool=2..64.');
  const { connections, mode, raw, record } = values;
  return commandTuneSchema.parse({
    ...request,
    ...defined({ connections, mode, topology: runTopology(values) }),
    ...asTuneOptions(values),
    ...allFlags(values),
    ...kept({ raw, record }),
  });
}

/** What is kept in addition to the figures. */
function kept({ raw, record }: { raw: TuneRequest['raw']; record: boolean }): Pick<TuneRequest, 'raw' | 'record'> {
  return defined({ raw, record: record ? { events: [], seconds: 10 } : undefined });
}

/** What is to be around the instances of a target; undefined when nothing was asked for. What makes no sense fails with the code `usage`. */
function runTopology(values: Values<typeof topologyOptions>): RunTopology | undefined {
  const { proxy, proxyStatic, proxyClose, cpuShare, totalConnections: total, bouncer } = values;
  if (proxy === undefined && proxyStatic) throw wrong('--proxy-static is for --proxy only.');
  if (proxy === undefined && proxyClose) throw wrong('--proxy-close is for --proxy only.');
  if (proxy === undefined && cpuShare === undefined && total === undefined && bouncer === undefined) return undefined;
  return {
    proxy: proxy === undefined ? null : proxySchema.parse({ balance: proxy, upstreamKeepAlive: !proxyClose, staticFiles: proxyStatic }),
    cpuShare: cpuShare ?? null,
    ...(total === undefined ? {} : { totalConnections: total }),
    ...(bouncer === undefined ? {} : { bouncer: bouncerSchema.parse({ mode: bouncer }) }),
  };
}
