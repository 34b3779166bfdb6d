import type { Traffic, TrafficNote } from '../../model/domain/traffic.ts';
import type { ObservedTraffic } from './observed.ts';
import { type WrittenRole, observedRoles } from './roles.ts';
import { type ObservedRoute, type RouteParameter, observedRoutes } from './routes.ts';
import { SecretHoles } from './secretHoles.ts';
import { isWriting } from './sessionSteps.ts';

export interface TrafficWishes {
  /** Routes that write and are sent nevertheless, as `POST /orders`; or all of them. */
  writes: readonly string[] | 'all';
  /** Recorded think times and users, in place of a load without pauses. */
  asRecorded: boolean;
}

/** A parameter whose values are yet to be chosen, with those that were asked for, the commonest first. */
export interface DraftParameter extends Omit<RouteParameter, 'counts'> {
  values: readonly (readonly [value: string, count: number])[];
  distinct: number;
}

/** A load profile before its keys are known to the local data. */
export type TrafficDraft = Omit<Traffic, 'ids' | 'name' | 'text' | 'source'> & {
  roles: WrittenRole[];
  parameters: DraftParameter[];
};

/** For one parameter: the commonest values, and enough of the others that the tail keeps its weight. */
const mostValues = { head: 350, tail: 100 } as const;
const shownRoutes = 500;
const minuteMs = 60_000;

/** What traffic says, and the roles that follow from it. Nothing is asked or written here. */
export function trafficDraft(traffic: ObservedTraffic, { writes, asRecorded }: TrafficWishes): TrafficDraft {
  const routes = observedRoutes(traffic);
  const secrets = new SecretHoles();
  const isChosen = (route: string): boolean => writes === 'all' || writes.includes(route) || writes.includes(route.split('?', 1)[0] ?? '');
  const { roles, unknownCookies, sampled } = observedRoles(traffic, routes, secrets, { writes: isChosen, asRecorded });
  const text = JSON.stringify(roles);
  const used = new Set([...text.matchAll(/\{\{(p\d+)\}\}/g)].map((match) => match[1] ?? ''));
  const stepNames = new Set(roles.flatMap(({ once = [], steps }) => [...once, ...steps].map(({ name }) => name.replace(/ \(\d+\)$/, ''))));
  const notes: TrafficNote[] = [];
  if (traffic.notUnderstood > 0) notes.push({ code: 'not-understood', entries: traffic.notUnderstood });
  if (traffic.left > 0) notes.push({ code: 'beyond-limits', requests: traffic.left });
  if (unknownCookies > 0) notes.push({ code: 'unknown-cookies', requests: unknownCookies });
  if (sampled !== null) notes.push({ code: 'sampled-sessions', ...sampled });
  return {
    requests: traffic.rows,
    sessions: traffic.sessions,
    ...timesOf(traffic),
    routes: routes.routes
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.requests - a.requests)
      .slice(0, shownRoutes)
      .map((route) => ({
        route: route.name,
        requests: route.requests,
        share: route.requests / traffic.rows,
        left: stepNames.has(route.name.slice(0, 70)) ? null : whyLeft(route, isChosen),
      })),
    secrets: [...secrets.variables],
    notes,
    roles,
    parameters: routes.routes
      .flatMap(({ parameters, query }) => [...parameters, ...query])
      .filter(({ hole }) => used.has(hole))
      .map(({ counts, ...parameter }) => ({ ...parameter, values: commonest(counts), distinct: counts.size })),
  };
}

function whyLeft(
  { name, method, requests, failing }: ObservedRoute,
  isChosen: (route: string) => boolean,
): Traffic['routes'][number]['left'] {
  if (method === 'HEAD' || method === 'OPTIONS') return 'not-asked';
  if (failing === requests) return 'fails';
  if (!isWriting(method)) return 'rare';
  return isChosen(name) ? 'no-body' : 'writes';
}

/** The skew of keys is kept: each of the commonest has its own count, and the rest share theirs out among a part of them. */
function commonest(counts: ReadonlyMap<string, number>): [value: string, count: number][] {
  const ordered = [...counts].sort((a, b) => b[1] - a[1]);
  const { head, tail } = mostValues;
  if (ordered.length <= head + tail) return ordered;
  const rest = ordered.slice(head);
  const each = rest.reduce((sum, [, count]) => sum + count, 0) / tail;
  const step = rest.length / tail;
  const some = Array.from({ length: tail }, (_, index): [string, number] => [rest[Math.floor(index * step)]?.[0] ?? '', each]);
  return [...ordered.slice(0, head), ...some];
}

function timesOf(traffic: ObservedTraffic): Pick<Traffic, 'spanS' | 'ratePerS' | 'peakPerS' | 'concurrent'> {
  let [first, last] = [Infinity, -Infinity];
  const minutes = new Map<number, number>();
  const began = new Float64Array(traffic.sessions).fill(Infinity);
  const ended = new Float64Array(traffic.sessions).fill(-Infinity);
  for (let row = 0; row < traffic.rows; row += 1) {
    const at = traffic.atOf(row);
    if (Number.isNaN(at)) continue;
    first = Math.min(first, at);
    last = Math.max(last, at);
    const minute = Math.floor(at / minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    const session = traffic.sessionOf(row);
    began[session] = Math.min(began[session] ?? Infinity, at);
    ended[session] = Math.max(ended[session] ?? -Infinity, at);
  }
  if (last <= first) return { spanS: null, ratePerS: null, peakPerS: null, concurrent: null };
  let busiest = 0;
  for (const count of minutes.values()) busiest = Math.max(busiest, count);
  const present = began.reduce((sum, from, session) => sum + Math.max(0, (ended[session] ?? from) - from), 0);
  const rate = (traffic.rows * 1000) / (last - first);
  return {
    spanS: (last - first) / 1000,
    ratePerS: rate,
    peakPerS: last - first < minuteMs ? rate : Math.max(rate, busiest / 60),
    concurrent: present / (last - first),
  };
}
