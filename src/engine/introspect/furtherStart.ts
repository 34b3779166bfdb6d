import type { FoundService } from '../../model/domain/detection.ts';
import type { Route } from '../../model/domain/target.ts';
import { pathRoute } from '../detect/pathRoute.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import { OwnTime } from '../observe/ownTime.ts';
import { pause } from '../supervise/pause.ts';
import type { Child } from '../supervise/supervisor.ts';
import { ask, harmful } from './askAround.ts';
import { filled, parametersOf } from './parameterRows.ts';
import { minorPhrase } from './reconcile.ts';
import { reconciledRoutes } from './reconciledRoutes.ts';
import type { SeenRoute } from './seen.ts';

/** As many show whether any is answered. */
const mostAsked = 12;
/** What it computes and prints in answer to a request ends by then. */
const settlesMs = 200;
const watchedMs = 500;
const roundMs = settlesMs + watchedMs;
/** A service that does nothing for so long has come up. */
const quietMs = 2_500;
/** Of its own time: one that always computes has come up by then. */
const longestMs = 90_000;

/**
 * The routes that a service may answer: those that are known, then those that it holds and that its sources mention. Those that only say that it is up, or that a
 * library brings, are left out where there are others: they may be answered earlier, and at a port of their own.
 */
export function mayAnswer(service: FoundService, told: readonly SeenRoute[], guessed: readonly SeenRoute[]): Route[] {
  const known = reconciledRoutes(service, told);
  const mentioned = [...guessed.flatMap(({ method, path }) => (method === 'ALL' ? [] : [path])), ...(service.mentions ?? [])].flatMap(
    (path) => {
      const route = harmful.test(path) ? null : pathRoute('GET', path);
      return route === null ? [] : [{ route }];
    },
  );
  const may = [...known.filter(({ route }) => route.method === 'GET'), ...mentioned];
  const main = may.filter((one) => minorPhrase(one) === null);
  const asked = (main.length > 0 ? main : may).map(({ route }) => route);
  const drawn = (route: Route): number => Number(parametersOf(route.path).length > 0);
  return asked
    .sort((a, b) => drawn(a) - drawn(b))
    .slice(0, mostAsked)
    .map((route) => filled(route, new Map()));
}

/**
 * Waits while a service that listens answers none of these routes and is still busy: some listen before what they serve is deployed. Returns for how many
 * milliseconds it went on starting, 0 where that was not seen; null: it answered at once, so that there is no more to see.
 */
export async function furtherStart(
  child: Pick<Child, 'pgid' | 'log'>,
  routes: readonly Route[],
  { place, signal }: { place: () => Promise<ConnectionTarget>; signal: AbortSignal },
): Promise<number | null> {
  const startedMs = performance.now();
  const whole = new OwnTime(child.pgid);
  let furtherMs = 0;
  for (let quietForMs = 0; quietForMs < quietMs && !whole.isOver(longestMs); quietForMs += roundMs) {
    const at = await place();
    const askedMs = performance.now() - startedMs;
    if (await answersAny(routes, at, signal)) return quietForMs === 0 && furtherMs === 0 ? null : askedMs;
    await pause(settlesMs, signal);
    const [own, printed] = [new OwnTime(child.pgid), child.log.totalLength];
    await pause(watchedMs, signal);
    own.isOver(0);
    if (!own.isComputing && child.log.totalLength === printed) continue;
    quietForMs = -roundMs;
    furtherMs = performance.now() - startedMs;
  }
  return furtherMs;
}

/** Whether one of them is answered, otherwise than by a server that has nothing there or is not ready; a late answer is one. */
export async function answersAny(routes: readonly Route[], at: ConnectionTarget, signal: AbortSignal): Promise<boolean> {
  for (const route of routes) {
    const answer = await ask(route, at, signal);
    if (answer === null || (answer.status !== null && answer.status !== 404 && answer.status !== 503)) return true;
  }
  return false;
}
