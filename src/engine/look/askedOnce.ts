import type pg from 'pg';
import { findingsOf } from '../../model/discovery.ts';
import type { FindingOf, FoundService } from '../../model/discovery.ts';
import type { Route } from '../../model/target.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import { resolveRequestMix } from '../load/requestMix.ts';
import { wrongAnswer } from '../targets/askRoutes.ts';
import type { WrongAnswer } from '../targets/askRoutes.ts';
import { answered, answersAnything, askAround } from './askAround.ts';
import { filled } from './idRanges.ts';
import type { IdRange } from './idRanges.ts';
import { reconciledRoutes } from './reconcile.ts';
import type { Seen } from './seen.ts';

/** All routes together; those that are left are not asked. */
const askingMs = 20_000;

interface Asking {
  ranges: ReadonlyMap<string, IdRange>;
  at: ConnectionTarget;
  /** Its database; null where it has none. */
  database: pg.Client | null;
  signal: AbortSignal;
}

/** What came of asking, by method and path. */
export interface RoutesAsked {
  answers: Map<string, WrongAnswer | null>;
  /** Those that wrote to the database. */
  writes: Set<string>;
}

/** Asks for each GET route, and for what tells whether the service is ready, once. */
export async function askEachOnce(
  service: FoundService,
  routes: Seen['routes'],
  { ranges, at, database, signal }: Asking,
): Promise<RoutesAsked> {
  const answers = new Map<string, WrongAnswer | null>();
  const writes = new Set<string>();
  const health = findingsOf(service.findings, 'ready').map(({ path }): Route => ({
    method: 'GET',
    path,
    weight: 1,
    parameters: {},
    headers: {},
  }));
  const deadline = performance.now() + askingMs;
  for (const route of [...health, ...reconciledRoutes(service, routes).map(({ route: one }) => filled(one, ranges))]) {
    if (route.method !== 'GET' || performance.now() > deadline) continue;
    const before = await writingTransactions(database);
    answers.set(`GET ${route.path}`, await wrongWith(route, at, signal));
    if ((await writingTransactions(database)) !== before) writes.add(`GET ${route.path}`);
  }
  return { answers, writes };
}

/** What is wrong with the answer to a route; null: nothing. */
async function wrongWith(route: Route, at: ConnectionTarget, signal: AbortSignal): Promise<WrongAnswer | null> {
  const [request] = resolveRequestMix({ targetId: 'service', routes: [{ ...route, weight: 1 }] }).asks;
  return request === undefined ? null : wrongAnswer(at, request, signal);
}

/** How many transactions have written on the server so far: only those are given a number. Nobody else works there while a service is looked at. */
async function writingTransactions(database: pg.Client | null): Promise<string> {
  if (database === null) return '';
  const { rows } = await database.query<{ next: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next');
  return rows[0]?.next ?? '';
}

/** What else is answered well: what looks like a route in the process, then what its sources mention, then what many services answer. */
export async function askedBeside(
  service: FoundService,
  told: Seen['routes'],
  guessed: Seen['routes'],
  answers: ReadonlyMap<string, WrongAnswer | null>,
  at: ConnectionTarget,
  signal: AbortSignal,
): Promise<FindingOf<'route'>[]> {
  const deadlineMs = performance.now() + askingMs;
  const known = new Set(reconciledRoutes(service, told).map(({ title }) => title));
  const answersWell = [...answers].some(([name, wrong]) => wrong === null && known.has(name));
  // Where everything is answered, an answer says of no path that it is one.
  if (await answersAnything(at, signal))
    return answersWell ? [] : answered([{ method: 'GET', path: '/', because: 'tried' }], at, deadlineMs, signal);
  const seenInProcess = guessed.map(({ method, path }) => ({ method, path, because: 'seen when it ran' }));
  const found = await answered(
    seenInProcess.filter(({ method, path }) => !known.has(`${method} ${path}`)),
    at,
    deadlineMs,
    signal,
  );
  if (answersWell || found.length > 0) return found;
  const mentioned = ['/', ...(service.mentions ?? [])].map((path) => ({ method: 'GET', path, because: 'its sources mention it' }));
  const written = await answered(mentioned, at, deadlineMs, signal);
  return written.some(({ route }) => route.path !== '/') ? written : askAround(at, deadlineMs, signal);
}
