import type { Step } from '../../model/domain/progress/stepKinds.ts';
import type { Params, ResultOf } from '../../model/protocol/protocol.ts';
import type { RouteCount } from '../../model/domain/routeCount.ts';
import { type Route, oneListeningPlace } from '../../model/domain/target.ts';
import { isRead, resolveRequestMix, routeName } from '../load/requestMix.ts';
import { StatementMeter } from '../observe/statementMeter.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { withBackingServices } from '../run/backingServices.ts';
import { type CountedRoute, countRoutes } from '../run/countRoutes.ts';
import { observerConnection } from '../run/observerConnection.ts';
import { hurryMs, ProcessPool } from '../run/processPool.ts';
import { prepareTarget } from '../run/recording/recordPlan.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { type RunningTarget, databaseWants, launchTarget } from '../targets/launchTarget.ts';

/** What single requests take, counted and not timed. */
export function routesHandlers(engine: Engine) {
  return {
    'routes/count': async (params, signal) =>
      params.of === 'running'
        ? ofRunning(engine, params, signal)
        : { counts: await engine.exclusive(signal, (own) => ofFresh(engine, params, own)), asSaved: true },
  } satisfies Partial<Handlers>;
}

/** Counts in a separate process, which ends afterwards. */
async function ofFresh(engine: Engine, { target: id, routes }: Params<'routes/count'>, signal: AbortSignal): Promise<RouteCount[]> {
  const progress = (step: Step): void => engine.tell('routes', step);
  const own = { ...(await engine.recordingContext([id], signal)), progress };
  return withBackingServices({ targets: [id], load: null }, own, async (context) => {
    const { declared, planned, address } = await prepareTarget({ kind: 'target', id, settings: {}, load: null }, context);
    const asked = routesOf(declared, routes);
    const pool = new ProcessPool(context, address);
    try {
      progress({ code: 'starting', name: planned.name });
      const running = await pool.launch({ ...planned.process, asks: [] });
      return await counted({ declared, address, running: Promise.resolve(running) }, asked, signal);
    } finally {
      await pool.stopAll(signal.aborted ? hurryMs : undefined);
    }
  });
}

/**
 * Of one that was started by hand: nothing that writes is sent to it. For a Node app a second instance is started, which has what is saved. None where it
 * does not run, or where something is measured, which is not kept waiting: what is sent here would be counted there.
 */
async function ofRunning(
  engine: Engine,
  { target: id, routes }: Params<'routes/count'>,
  signal: AbortSignal,
): Promise<ResultOf<'routes/count'>> {
  const declared = await engine.startable(id);
  const running = engine.targets.runningOf(id);
  const asked = routesOf(declared, routes).filter(({ isSafe }) => isSafe);
  const asSaved = runsAsSaved(declared);
  if (running === null || asked.length === 0 || engine.isBusy) return { counts: [], asSaved };
  const database = databaseWants(declared) === null ? null : (await engine.postgres.database(signal)).address;
  // One more, on its database as it is, and without a probe.
  const started = asSaved
    ? launchTarget(declared, running.settings, { ...engine, database, name: declared.target.label ?? declared.target.id, signal })
    : Promise.resolve(running);
  try {
    const counts = await counted({ declared, address: database, running: started }, asked, signal, (count) => {
      if (!engine.isBusy) engine.notify('routes/counted', { target: id, count, asSaved });
    });
    return { counts: engine.isBusy ? [] : counts, asSaved };
  } finally {
    // Nobody waits for its end; a start that failed has left nothing.
    if (asSaved) void started.then(async ({ child }) => child.stop(hurryMs)).catch(() => undefined);
  }
}

/** Whether what is saved can be tested by a second instance of the target: only without a build, and where it can listen on another port. */
function runsAsSaved({ target }: DeclaredTarget): boolean {
  return target.runtime === 'node' && target.running === undefined && oneListeningPlace(target.port) === null;
}

type AskedRoute = CountedRoute & { isSafe: boolean };

/** The routes of these names, or all that are declared. Fails with `unknown-route`. */
function routesOf({ target }: DeclaredTarget, names?: readonly string[]): AskedRoute[] {
  const isCalled = (route: Route, name: string): boolean => routeName(route) === name || (route.method === 'GET' && route.path === name);
  const wanted = names?.map((name) => ({ name, route: target.routes.find((one) => isCalled(one, name)) }));
  return (wanted ?? target.routes.map((route) => ({ name: routeName(route), route }))).flatMap(({ name, route }) => {
    const { mix } = resolveRequestMix({ targetId: target.id, routes: route === undefined ? target.routes : [route], route: name });
    return mix.map((request) => ({
      name: route === undefined ? name : routeName(route),
      request,
      budget: route?.budget,
      mayFail: route?.askFirst === false,
      isSafe: isRead(request) && route?.askFirst !== false,
    }));
  });
}

/** What is counted: a process that answers, or will, and the server of its database. */
interface CountedProcess {
  declared: DeclaredTarget;
  address: DatabaseAddress | null;
  running: Promise<RunningTarget>;
}

async function counted(
  { declared, address, running }: CountedProcess,
  routes: readonly CountedRoute[],
  signal: AbortSignal,
  onCount?: (count: RouteCount) => void,
): Promise<RouteCount[]> {
  const wants = databaseWants(declared);
  const databases = wants === null || address === null ? null : [databaseName(address, wants)];
  const meter = databases === null || address === null ? null : new StatementMeter(observerConnection({ address, databases }), databases);
  try {
    // It connects while the process starts.
    const [{ port, reach }] = await Promise.all([running, meter?.open()]);
    return await countRoutes({ at: { ...reach, port }, meter: meter ?? 'no-database' }, routes, signal, onCount);
  } finally {
    await meter?.close();
  }
}
