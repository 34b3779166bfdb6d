import { failure } from '../model/domain/failure.ts';
import type { AgentInput } from '../model/agents/agentTools.ts';
import { adviceBudgetS } from '../model/domain/advice.ts';
import { adviceAnswer } from '../model/agents/adviceAnswer.ts';
import { diffAnswer } from '../model/agents/comparisonAnswers.ts';
import { budgetEstimate, runEstimate } from '../model/agents/estimate.ts';
import { machineAnswer } from '../model/agents/listAnswers.ts';
import { leakAnswer, startupAnswer } from '../model/agents/serviceAnswers.ts';
import { runAnswer } from '../model/agents/runAnswers.ts';
import { measureNouns } from '../model/protocol/measureNouns.ts';
import type { MeasureInput } from '../model/protocol/measureRequest.ts';
import { onlyWorkspaceTarget } from '../model/domain/onlyWorkspaceTarget.ts';
import { runtimes } from '../model/domain/runtimes.ts';
import { leakBudgetS } from '../model/domain/leak.ts';
import type { Catalog, Measured, ParamsInput, TargetState } from '../model/protocol/protocol.ts';
import type { RunRecord } from '../model/domain/run.ts';
import { startupStarts, startupSteadyS } from '../model/domain/startup.ts';
import type { AgentHost } from './agentHost.ts';
import type { Begun } from './measurements.ts';

/** Where values are compared and nothing else was asked for: a minute decides most, and is what one waits for. */
const comparingS = 60;
const tuningS = 120;
/** A version is fetched, and built by what its lockfile asks for. */
const buildsS = 120;
/** One more start, a census of the heap or a recording. */
const lookedIntoS = 30;
/** A start until it has answered, with its end. */
const startS = { node: 2, jvm: 6 } as const;
/** The largest number of recordings that an agent may read. */
const mostRecorded = 2;
const recording = { events: [], seconds: 8 };

type FindRun = (reference: string) => Promise<RunRecord>;

export function beginCheck(host: AgentHost): Begun {
  return {
    noun: 'check of the machine',
    estimateS: 15,
    limitS: 120,
    work: async (signal) => {
      const { checks, resolution } = await host.measure('check/run', {}, signal);
      return () => machineAnswer(checks, resolution);
    },
  };
}

/** A run of what was asked for; what was left out is as in the run that it is to be like. Fails when that names no target, or a route that is not declared. */
export async function beginRun(host: AgentHost, asked: AgentInput<'start_run'>, find: FindRun): Promise<Begun> {
  const catalog = await host.request('catalog/get', {});
  const like = asked.like === undefined ? null : (await find(asked.like)).request;
  const target = targetOf(catalog, asked.target ?? like?.targets[0]);
  const { route, load, connections } = { ...shared(like), ...given(asked), ...routeOf(target, asked.route ?? like?.route) };
  const values = asked.values ?? like?.settings ?? {};
  const trials =
    Object.values(values).reduce((product, of) => product * of.length, 1) * (Array.isArray(connections) ? connections.length : 1);
  const record = asked.record ?? trials <= mostRecorded;
  const budgetS = asked.budgetS ?? (trials > 1 && asked.rounds === undefined ? comparingS : undefined);
  const request: MeasureInput = {
    kind: 'run',
    targets: [target.id],
    settings: values,
    ...(load === undefined ? {} : { load }),
    ...(route === undefined ? {} : { route }),
    ...(connections === undefined ? {} : { connections: [connections].flat() }),
    ...(asked.rounds === undefined ? {} : { rounds: asked.rounds }),
    ...(asked.durationS === undefined ? {} : { durationS: asked.durationS }),
    ...(budgetS === undefined ? {} : { budgetS }),
    ...(record ? { record: recording } : {}),
  };
  const profile = catalog.loadProfiles.find(({ name }) => name === (load ?? 'steady'));
  const { rounds, durationS } = asked;
  return {
    noun: 'run',
    ...runEstimate(profile, { trials, rounds, durationS, budgetS, record, jvm: target.runtime === 'jvm' }),
    work: async (signal) => ended(await host.measure('measure/start', { request }, signal)),
  };
}

/** A tuning of what was asked for, as {@link beginRun}. */
export async function beginTuning(host: AgentHost, asked: AgentInput<'start_tuning'>, find: FindRun): Promise<Begun> {
  const catalog = await host.request('catalog/get', {});
  const like = asked.like === undefined ? null : (await find(asked.like)).request;
  const target = targetOf(catalog, asked.target ?? like?.targets[0]);
  const loop = closedLoop({ ...shared(like), ...given(asked), ...routeOf(target, asked.route ?? like?.route) });
  const budgetS = asked.budgetS ?? tuningS;
  const request: MeasureInput = {
    kind: 'tune',
    targets: [target.id],
    settings: asked.values,
    budgetS,
    ...loop,
  };
  return {
    noun: measureNouns.tune,
    ...budgetEstimate(budgetS, target.runtime === 'jvm' ? 45 : 20),
    work: async (signal) => ended(await host.measure('measure/start', { request }, signal)),
  };
}

export async function beginCompare(host: AgentHost, { base, head, ...asked }: AgentInput<'compare_code'>): Promise<Begun> {
  const catalog = await host.request('catalog/get', {});
  const declared = catalog.targets.filter(({ origin }) => origin === 'workspace');
  const target = targetOf(catalog, asked.target ?? (declared.length === 1 ? declared[0]?.id : undefined));
  const loop = closedLoop({ ...given(asked), ...routeOf(target, asked.route) });
  const request: MeasureInput = {
    kind: 'diff',
    target: target.id,
    ...(base === undefined ? {} : { base }),
    ...(head === undefined ? {} : { head }),
    ...loop,
    ...(asked.budgetS === undefined ? {} : { budgetS: asked.budgetS }),
  };
  return {
    noun: measureNouns.diff,
    ...budgetEstimate(asked.budgetS ?? runtimes[target.runtime].versionsS, buildsS),
    work: async (signal) => {
      const { compared, run, outcome } = await host.measure('measure/start', { request }, signal);
      if (compared === undefined || outcome === 'cancelled')
        throw failure(
          'cancelled',
          'Cancelled before both versions were measured.',
          'Start it again, with a longer budget where it took too long.',
        );
      return (how) => diffAnswer(compared.diff, run, how);
    },
  };
}

export async function beginAdvice(host: AgentHost, asked: AgentInput<'what_would_help'>): Promise<Begun> {
  const target = targetOf(await host.request('catalog/get', {}), asked.target);
  const loop = closedLoop({ ...given(asked), ...routeOf(target, asked.route) });
  const budgetS = asked.budgetS ?? adviceBudgetS;
  const request: MeasureInput = {
    kind: 'advise',
    target: target.id,
    budgetS,
    ...loop,
  };
  return {
    noun: measureNouns.advise,
    ...budgetEstimate(budgetS, target.runtime === 'jvm' ? 120 : 60),
    work: async (signal) => {
      const { advised } = await host.measure('measure/start', { request }, signal);
      if (advised === undefined)
        throw failure('cancelled', 'Cancelled before anything was known.', 'Start it again, with a longer budget where it took too long.');
      return (how) => adviceAnswer(advised.advice, how);
    },
  };
}

export async function beginLeak(host: AgentHost, asked: AgentInput<'check_leak'>): Promise<Begun> {
  const target = targetOf(await host.request('catalog/get', {}), asked.target);
  const loop = closedLoop({ ...given(asked), ...routeOf(target, asked.route) });
  const budgetS = asked.budgetS ?? leakBudgetS;
  const request: ParamsInput<'service/leak'>['request'] = {
    target: target.id,
    budgetS,
    ...loop,
  };
  return {
    noun: 'check for a leak',
    ...budgetEstimate(budgetS, lookedIntoS),
    work: async (signal) => {
      const { leak } = await host.measure('service/leak', { request }, signal);
      return (how) => leakAnswer(leak, how);
    },
  };
}

export async function beginStartup(host: AgentHost, asked: AgentInput<'measure_startup'>): Promise<Begun> {
  const target = targetOf(await host.request('catalog/get', {}), asked.target);
  const jvm = target.runtime === 'jvm';
  const starts = asked.starts ?? startupStarts;
  return {
    noun: 'measurement of the start',
    // On a JVM each start has another one with an archive of its classes.
    ...budgetEstimate(jvm ? 2 * (starts * startS.jvm + startupSteadyS) : starts * startS.node + startupSteadyS, lookedIntoS),
    work: async (signal) => {
      const { startup } = await host.measure('service/startup', { request: { target: target.id, starts } }, signal);
      return (how) => startupAnswer(startup, how);
    },
  };
}

function ended({ run }: Measured): Awaited<ReturnType<Begun['work']>> {
  if (run === null) throw failure('cancelled', 'Cancelled before a whole round was measured: nothing was stored.');
  return (how) => runAnswer(run, how);
}

/** Of what is declared only: no tool starts anything else. */
function targetOf({ targets, problems }: Catalog, asked: string | undefined): TargetState {
  const id = asked ?? onlyWorkspaceTarget(targets, problems, '"target"');
  const found = targets.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw failure(
    'target-unknown',
    `There is no target ${id} here.`,
    'list_targets names them; benchside.json declares those of this workspace.',
  );
}

/** A route of those that the target declares, so that nothing else is asked of it. */
function routeOf(target: TargetState, route: string | undefined): { route?: string } {
  if (route === undefined) return {};
  const known = target.routes.some(({ method, path }) => route === path || route === `${method} ${path}`);
  if (known) return { route };
  throw failure('bad-route', `${target.id} declares no route of that name.`, 'list_targets with focus on the target shows its routes.');
}

interface LoadAsked {
  load?: string | undefined;
  connections?: number | number[] | undefined;
  route?: string | undefined;
}

/** The load of what is measured at one number of connections: the first that is named. */
function closedLoop({ load, route, connections }: LoadAsked): { load?: string; route?: string; connections?: number } {
  const [first] = [connections].flat();
  return {
    ...(load === undefined ? {} : { load }),
    ...(route === undefined ? {} : { route }),
    ...(first === undefined ? {} : { connections: first }),
  };
}

function shared(like: LoadAsked | null): LoadAsked {
  return like === null ? {} : { load: like.load, connections: like.connections, route: like.route };
}

function given({ load, connections, route }: LoadAsked): LoadAsked {
  return {
    ...(load === undefined ? {} : { load }),
    ...(connections === undefined ? {} : { connections }),
    ...(route === undefined ? {} : { route }),
  };
}
