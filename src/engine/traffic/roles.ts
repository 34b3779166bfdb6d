import type { ObservedTraffic } from './observed.ts';
import type { ObservedRoutes } from './routes.ts';
import { type StepOptions, type WrittenStep, isSendable, isWriting, sessionSteps } from './sessionSteps.ts';
import type { SecretHoles } from './secretHoles.ts';

export interface WrittenRole {
  name: string;
  /** Requests of it, since each user sends the next when the last is answered. */
  weight: number;
  once?: WrittenStep[];
  steps: WrittenStep[];
}

export interface ObservedRoles {
  roles: WrittenRole[];
  unknownCookies: number;
  /** Sessions that some roles represent, where there are more sequences than roles. */
  sampled: { sessions: number; roles: number } | null;
}

/** The limit of a load profile; the last one restores the weights of the routes. */
const mostRoles = 20;
const sampledRoles = 12;
const mostSteps = 100;
/** The steps of a session that represents others. */
const sampledSteps = 20;
/** Each step has a histogram of its own in the load generator: with some 1,600 of them a block of a second did not end in time. */
const stepsTogether = 300;
const balancingSteps = 60;
/** The share of the load that keeps the order of whole sessions, where these are sampled; the rest makes the routes’ shares right. */
const sampledShare = 0.6;

/**
 * Sessions as roles. With up to 20 different sequences, of at most 300 steps together, each is a role. With more, those that are spread evenly among all of them
 * do, in the order in which they were walked, and one role more asks for what they have too little of, so that the shares of the routes are those of the
 * traffic.
 */
export function observedRoles(
  traffic: ObservedTraffic,
  routes: ObservedRoutes,
  secrets: SecretHoles,
  options: Omit<StepOptions, 'mostSteps'>,
): ObservedRoles {
  const sessions = rowsBySession(traffic);
  const isKept = (row: number): boolean => {
    const route = routes.routes[routes.routeOf[traffic.targetIdOf(row)] ?? -1];
    if (route === undefined || (traffic.statusOf(row) ?? 200) >= 400) return false;
    return !isWriting(route.method) || (options.writes(route.name) && isSendable(route.method, traffic.hasDetails(row)));
  };
  const shares = new Map<number, number>();
  const kept = sessions.flatMap((rows) => {
    const routesOf = rows.flatMap((row) => (isKept(row) ? [routes.routeOf[traffic.targetIdOf(row)] ?? -1] : []));
    for (const route of routesOf) shares.set(route, (shares.get(route) ?? 0) + 1);
    return routesOf.length === 0 ? [] : [{ rows, routes: routesOf }];
  });
  const whole = sequencesOf(kept, mostSteps);
  const all = whole.length <= mostRoles && whole.reduce((sum, { steps }) => sum + steps, 0) <= stepsTogether;
  const chosen = all ? whole : spread(sequencesOf(kept, sampledSteps), sampledRoles);
  let unknownCookies = 0;
  const roles = chosen.flatMap(({ rows, requests }): WrittenRole[] => {
    const made = sessionSteps(traffic, routes, rows, secrets, { ...options, mostSteps: all ? mostSteps : sampledSteps });
    unknownCookies += made.unknownCookies;
    const { once, steps } = made;
    return steps.length === 0 ? [] : [{ name: 'session', weight: requests, ...(once.length === 0 ? {} : { once }), steps }];
  });
  roles.sort((a, b) => b.weight - a.weight);
  for (const [index, role] of roles.entries()) role.name = `session${index + 1}`;
  if (all) return { roles, unknownCookies, sampled: null };
  const rest = balancing(traffic, routes, shares, chosen, { secrets, options });
  const total = [...shares.values()].reduce((sum, count) => sum + count, 0);
  const own = roles.reduce((sum, { weight }) => sum + weight, 0);
  for (const role of roles) role.weight = (role.weight / own) * sampledShare * total;
  if (rest !== null) roles.push({ ...rest, weight: (1 - sampledShare) * total });
  for (const role of roles) role.weight = Number(role.weight.toPrecision(6));
  return { roles, unknownCookies, sampled: { sessions: traffic.sessions, roles: roles.length } };
}

function rowsBySession(traffic: ObservedTraffic): number[][] {
  const sessions: number[][] = [];
  for (let row = 0; row < traffic.rows; row += 1) (sessions[traffic.sessionOf(row)] ??= []).push(row);
  // A file may hold them in the order in which they were answered.
  for (const rows of sessions) {
    const atOf = (row: number): number => traffic.atOf(row);
    if (rows.every((row) => !Number.isNaN(atOf(row)))) rows.sort((a, b) => atOf(a) - atOf(b) || a - b);
  }
  return sessions;
}

/** What is the same sequence up to so many steps, in the order of sequences. */
interface RouteSequence {
  /** The rows of one session that took it. */
  rows: number[];
  requests: number;
  steps: number;
}

function sequencesOf(sessions: readonly { rows: number[]; routes: readonly number[] }[], cut: number): RouteSequence[] {
  const sequences = new Map<string, RouteSequence>();
  for (const { rows, routes } of sessions) {
    const own = routes.slice(0, cut);
    const key = own.join(' ');
    const known = sequences.get(key);
    if (known === undefined) sequences.set(key, { rows, requests: own.length, steps: own.length });
    else known.requests += own.length;
  }
  return [...sequences].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sequence]) => sequence);
}

/** Those in the middle of equal parts of all requests. Each gets the requests of the parts whose middle it covers. */
function spread(sequences: readonly RouteSequence[], count: number): RouteSequence[] {
  const part = sequences.reduce((sum, { requests }) => sum + requests, 0) / count;
  let reached = 0;
  let given = 0;
  return sequences.flatMap((sequence) => {
    reached += sequence.requests;
    const parts = Math.min(count, Math.floor(reached / part + 0.5)) - given;
    given += parts;
    return parts > 0 ? [{ ...sequence, requests: parts * part }] : [];
  });
}

/** A role that asks for what the sampled sessions have too little of, in the order in which routes are met on average. */
function balancing(
  traffic: ObservedTraffic,
  routes: ObservedRoutes,
  shares: ReadonlyMap<number, number>,
  chosen: readonly RouteSequence[],
  { secrets, options }: { secrets: SecretHoles; options: Omit<StepOptions, 'mostSteps'> },
): WrittenRole | null {
  const sampled = new Map<number, number>();
  for (const { rows, requests } of chosen) {
    const own = rows
      .map((row) => routes.routeOf[traffic.targetIdOf(row)] ?? -1)
      .filter((route) => shares.has(route))
      .slice(0, sampledSteps);
    for (const route of own) sampled.set(route, (sampled.get(route) ?? 0) + requests / own.length);
  }
  const total = [...shares.values()].reduce((sum, count) => sum + count, 0);
  const sampledTotal = Math.max(
    1,
    [...sampled.values()].reduce((sum, count) => sum + count, 0),
  );
  const missing = [...shares]
    .map(([route, count]) => ({ route, share: count / total - (sampledShare * (sampled.get(route) ?? 0)) / sampledTotal }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
  const whole = missing.reduce((sum, { share }) => sum + share, 0);
  const example = firstRows(traffic, routes, shares);
  const rows = missing.flatMap(({ route, share }) => {
    const row = example.get(route);
    const times = Math.round((balancingSteps * share) / whole);
    return row === undefined ? [] : Array.from({ length: times }, () => row);
  });
  if (rows.length === 0) return null;
  const { steps } = sessionSteps(traffic, routes, evenly(rows), secrets, { ...options, mostSteps });
  return steps.length === 0 ? null : { name: 'others', weight: 1, steps };
}

/** Equal ones apart from each other. */
function evenly(rows: readonly number[]): number[] {
  const times = new Map<number, number>();
  for (const row of rows) times.set(row, (times.get(row) ?? 0) + 1);
  return [...times]
    .flatMap(([row, count]) => Array.from({ length: count }, (_, index) => ({ row, at: (index + 0.5) / count })))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}

function firstRows(traffic: ObservedTraffic, routes: ObservedRoutes, wanted: ReadonlyMap<number, number>): Map<number, number> {
  const first = new Map<number, number>();
  for (let row = 0; row < traffic.rows && first.size < wanted.size; row += 1) {
    const route = routes.routeOf[traffic.targetIdOf(row)] ?? -1;
    if (wanted.has(route) && !first.has(route) && (traffic.statusOf(row) ?? 200) < 400) first.set(route, row);
  }
  return first;
}
