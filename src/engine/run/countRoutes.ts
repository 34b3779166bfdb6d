import { type RouteCount, costsOf } from '../../model/domain/routeCount.ts';
import type { Route } from '../../model/domain/target.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import type { StatementMeter } from '../observe/statementMeter.ts';
import { type FirstAnswer, firstAnswer, hasDraws } from '../targets/firstAnswer.ts';

/** What a route's parameters name may not be there: one of so many answers counts. */
const tries = 5;
/** More statements of one request than anybody looks at. */
const mostStatements = 1_000;
/** Where a request is above its budget, so many more are asked for, and the middle of them all counts. */
const moreRequests = 2;

export interface CountedRoute {
  /** The declared name: `METHOD /path`. */
  name: string;
  request: MixRequest;
  budget: Route['budget'];
  /** It is not meant to be answered well ("askFirst": false). */
  mayFail: boolean;
}

/** Where the app is, and what counts its statements: a meter, or why there is none. */
export interface CountedApp {
  at: ConnectionTarget;
  meter: StatementMeter | NonNullable<RouteCount['uncounted']>;
}

/**
 * Sends one request to each route and reports its statements, by PostgreSQL's counters before and after: nothing is timed, so that it is exact on any machine.
 * The request before it warms what is made once: connections, prepared statements, caches of a whole route. What the app's own timers send meanwhile counts
 * too; so a route that is above its budget is requested twice more, and the middle of the three is reported. `onCount` gets each as soon as it is known. Rejects
 * with the signal's reason.
 */
export async function countRoutes(
  app: CountedApp,
  routes: readonly CountedRoute[],
  signal: AbortSignal,
  onCount?: (count: RouteCount) => void,
): Promise<RouteCount[]> {
  const counts: RouteCount[] = [];
  for (const route of routes) {
    const count = await countRoute(app, route, signal);
    onCount?.(count);
    counts.push(count);
  }
  return counts;
}

async function countRoute(app: CountedApp, route: CountedRoute, signal: AbortSignal): Promise<RouteCount> {
  const warming = await firstAnswer(app.at, route.request, signal);
  if (warming === null) return uncountable(route, null, 'was not answered in time');
  if (isFailing(warming, route)) return uncountable(route, warming, warming.problem ?? '');
  const first = await countNext(app, route, warming.draw + 1, signal);
  if (first.count.problem !== null || excess(first.count, route) === 0) return first.count;
  const all = [first];
  for (let more = 0; more < moreRequests; more += 1) all.push(await countNext(app, route, (all.at(-1)?.draw ?? first.draw) + 1, signal));
  const counting = all.filter(({ count }) => count.problem === null).sort((a, b) => excess(a.count, route) - excess(b.count, route));
  return counting[Math.floor((counting.length - 1) / 2)]?.count ?? first.count;
}

/** The first request from this draw on that is answered well, with its statements. */
async function countNext(
  app: CountedApp,
  route: CountedRoute,
  skip: number,
  signal: AbortSignal,
): Promise<{ draw: number; count: RouteCount }> {
  let last: RouteCount | null = null;
  let draw = skip;
  for (let attempt = 0; attempt < (hasDraws(route.request) ? tries : 1); attempt += 1) {
    draw = skip + attempt;
    last = await countOne(app, route, draw, signal);
    if (last.problem === null) break;
  }
  return { draw, count: last ?? uncountable(route, null, 'was not asked for') };
}

async function countOne({ at, meter }: CountedApp, route: CountedRoute, draw: number, signal: AbortSignal): Promise<RouteCount> {
  const counter = typeof meter === 'string' ? null : meter;
  const before = (await counter?.atRest(signal)) ?? null;
  const answer = await firstAnswer(at, route.request, signal, { skip: draw, most: 1 });
  const after = (await counter?.atRest(signal)) ?? null;
  if (answer === null) return uncountable(route, null, 'was not answered in time');
  if (isFailing(answer, route)) return uncountable(route, answer, answer.problem ?? '');
  const window = (await counter?.between(before, after, { most: mostStatements })) ?? null;
  const { path, status, tookMs } = answer;
  return {
    route: route.name,
    path,
    status,
    tookMs,
    problem: null,
    statements:
      window?.top.map(({ sql, calls, rows, plan }) => ({ sql, calls, rows, plan })).sort((a, b) => b.calls - a.calls || b.rows - a.rows) ??
      null,
    uncounted: window !== null ? null : typeof meter === 'string' ? meter : 'no-counters',
  };
}

function isFailing({ problem, status }: FirstAnswer, { mayFail }: CountedRoute): boolean {
  return problem !== null && !(mayFail && status !== null);
}

function uncountable({ name, request }: CountedRoute, answer: FirstAnswer | null, problem: string): RouteCount {
  return {
    route: name,
    path: answer?.path ?? request.path,
    status: answer?.status ?? null,
    tookMs: answer?.tookMs ?? 0,
    problem,
    statements: null,
    uncounted: null,
  };
}

/** By how much a request is above its budget; 0 within it. */
function excess(count: RouteCount, { budget = {} }: CountedRoute): number {
  const { statements, rows } = costsOf(count);
  const over = (value: number | null, most: number | undefined): number =>
    value === null || most === undefined ? 0 : Math.max(0, value - most);
  return over(statements, budget.statements) + over(rows, budget.rows);
}
