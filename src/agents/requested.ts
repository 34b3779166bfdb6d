import { type FailureError, failure } from '../model/domain/failure.ts';
import type { AgentInput } from '../model/agents/agentTools.ts';
import { adviceBudgetS } from '../model/domain/advice.ts';
import { diffAnswer } from '../model/agents/comparisonAnswers.ts';
import { budgetEstimate, runEstimate } from '../model/agents/estimate.ts';
import { machineAnswer } from '../model/agents/listAnswers.ts';
import { adviceAnswer, leakAnswer, startupAnswer } from '../model/agents/serviceAnswers.ts';
import { runAnswer } from '../model/agents/runAnswers.ts';
import { measureKinds } from '../model/protocol/measureKinds.ts';
import type { MeasureInput } from '../model/protocol/measureRequest.ts';
import { onlyWorkspaceTarget } from '../model/domain/onlyWorkspaceTarget.ts';
import { defined } from '../model/domain/defined.ts';
import { runtimes } from '../model/domain/runtimes.ts';
import { leakBudgetS } from '../model/domain/leak.ts';
import type { Catalog, Measured } from '../model/protocol/protocol.ts';
import type { RunRecord, RunRequest } from '../model/domain/run.ts';
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
      const found = await host.measure('check/run', {}, signal);
      return () => machineAnswer(found);
    },
  };
}

/** A run of what was asked for; what was left out is as in the run that it is to be like. Fails when that names no target, or a route that is not declared. */
export async function beginRun(host: AgentHost, asked: AgentInput<'start_run'>, find: FindRun): Promise<Begun> {
  const catalog = await host.request('catalog/get', {});
  const { settings: before, ...load } = await overLike(asked, find);
  const { target, ...loop } = loadOn(catalog, load);
  const settings = asked.values ?? before;
  const trials = Object.values(settings).reduce((product, of) => product * of.length, 1) * (loop.connections?.length ?? 1);
  const record = asked.record ?? trials <= mostRecorded;
  const { rounds, durationS } = asked;
  const budgetS = asked.budgetS ?? (trials > 1 && rounds === undefined ? comparingS : undefined);
  const request: MeasureInput = {
    kind: 'run',
    targets: [target.id],
    settings,
    ...loop,
    rounds,
    durationS,
    budgetS,
    record: record ? recording : undefined,
  };
  const profile = catalog.loadProfiles.find(({ name }) => name === (loop.load ?? 'steady'));
  return {
    noun: 'run',
    ...runEstimate(profile, { trials, rounds, durationS, budgetS, record, jvm: target.runtime === 'jvm' }),
    work: async (signal) => ended(await host.measure('measure/start', { request }, signal)),
  };
}

/** A tuning of what was asked for, as {@link beginRun}. */
export async function beginTuning(host: AgentHost, asked: AgentInput<'start_tuning'>, find: FindRun): Promise<Begun> {
  const catalog = await host.request('catalog/get', {});
  const { target, ...loop } = closedLoopOn(catalog, await overLike(asked, find));
  const budgetS = asked.budgetS ?? tuningS;
  const request: MeasureInput = { kind: 'tune', targets: [target.id], settings: asked.values, budgetS, ...loop };
  return {
    noun: measureKinds.tune.noun,
    ...budgetEstimate(budgetS, target.runtime === 'jvm' ? 45 : 20),
    work: async (signal) => ended(await host.measure('measure/start', { request }, signal)),
  };
}

export async function beginCompare(host: AgentHost, asked: AgentInput<'compare_code'>): Promise<Begun> {
  const { base, head, budgetS } = asked;
  const { target, ...loop } = closedLoopOn(await host.request('catalog/get', {}), asked);
  const request: MeasureInput = { kind: 'diff', target: target.id, base, head, ...loop, budgetS };
  return {
    noun: measureKinds.diff.noun,
    ...budgetEstimate(budgetS ?? runtimes[target.runtime].versionsS, buildsS),
    work: async (signal) => {
      const { compared, run, outcome } = await host.measure('measure/start', { request }, signal);
      if (compared === undefined || outcome === 'cancelled') throw cancelled('both versions were measured');
      return (how) => diffAnswer(compared.diff, run, how);
    },
  };
}

export async function beginAdvice(host: AgentHost, asked: AgentInput<'what_would_help'>): Promise<Begun> {
  const { target, ...loop } = closedLoopOn(await host.request('catalog/get', {}), asked);
  const budgetS = asked.budgetS ?? adviceBudgetS;
  const request: MeasureInput = { kind: 'advise', target: target.id, budgetS, ...loop };
  return {
    noun: measureKinds.advise.noun,
    ...budgetEstimate(budgetS, target.runtime === 'jvm' ? 120 : 60),
    work: async (signal) => {
      const { advised } = await host.measure('measure/start', { request }, signal);
      if (advised === undefined) throw cancelled('anything was known');
      return (how) => adviceAnswer(advised.advice, how);
    },
  };
}

export async function beginLeak(host: AgentHost, asked: AgentInput<'check_leak'>): Promise<Begun> {
  const { target, ...loop } = closedLoopOn(await host.request('catalog/get', {}), asked);
  const budgetS = asked.budgetS ?? leakBudgetS;
  return {
    noun: 'check for a leak',
    ...budgetEstimate(budgetS, lookedIntoS),
    work: async (signal) => {
      const { leak } = await host.measure('service/leak', { request: { target: target.id, budgetS, ...loop } }, signal);
      return (how) => leakAnswer(leak, how);
    },
  };
}

export async function beginStartup(host: AgentHost, asked: AgentInput<'measure_startup'>): Promise<Begun> {
  const { target } = loadOn(await host.request('catalog/get', {}), { target: asked.target });
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

function cancelled(before: string): FailureError {
  return failure('cancelled', `Cancelled before ${before}.`, 'Start it again, with a longer budget where it took too long.');
}

interface LoadAsked {
  like?: string | undefined;
  target?: string | undefined;
  load?: string | undefined;
  connections?: number | number[] | undefined;
  route?: string | undefined;
}

/** What is asked for; what was left out is as in the run that it is to be like. */
async function overLike({ like, ...asked }: LoadAsked, find: FindRun): Promise<LoadAsked & Pick<RunRequest, 'settings'>> {
  if (like === undefined) return { ...asked, settings: {} };
  const { targets, settings, load, connections, route } = (await find(like)).request;
  return { target: targets[0], settings, load, connections, route, ...defined(asked) };
}

/** The target that is meant, and the load on it: of what is declared only, targets and routes alike, so that no tool starts or asks for anything else. */
function loadOn({ targets, problems }: Catalog, { target: asked, load, connections, route }: LoadAsked) {
  const id = asked ?? onlyWorkspaceTarget(targets, problems, '"target"');
  const target = targets.find((one) => one.id === id);
  if (target === undefined)
    throw failure(
      'target-unknown',
      `There is no target ${id} here.`,
      'list_targets names them; benchside.json declares those of this workspace.',
    );
  if (route !== undefined && !target.routes.some(({ method, path }) => route === path || route === `${method} ${path}`))
    throw failure('bad-route', `${target.id} declares no route of that name.`, 'list_targets with focus on the target shows its routes.');
  return { target, load, route, connections: connections === undefined ? undefined : [connections].flat() };
}

/** The same for what is measured at one number of connections: the first that is named. */
function closedLoopOn(catalog: Catalog, asked: LoadAsked) {
  const { connections, ...loop } = loadOn(catalog, asked);
  return { ...loop, connections: connections?.[0] };
}
