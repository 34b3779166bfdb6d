import { failure } from '../../model/domain/failure.ts';
import type { MixEntry } from '../../model/domain/loadProfile.ts';
import type { Route } from '../../model/domain/target.ts';
import { isGraphqlQuery } from './graphqlRequest.ts';
import { type MixRequest, mixRequestSchema } from './loadProtocol.ts';

export interface MixChoice {
  targetId: string;
  /** What the target declares; at least one. */
  routes: readonly Route[];
  /** The load profile's mix, by route name. */
  profileMix?: readonly MixEntry[] | undefined;
  /** One route instead of the mix: `/path` or `METHOD /path`, declared or a concrete path. */
  route?: string | undefined;
  /** Routes of the mix, by name, that are not asked for. */
  leaveOut?: readonly string[] | undefined;
  /** False: no route is asked before it is measured. */
  askRoutes?: boolean | undefined;
}

export interface ResolvedMix {
  mix: MixRequest[];
  /** For people: `GET /ads/:id 60 %`, or only the route when it is the only one. */
  phrases: string[];
  /**
   * Those that may be asked once before they are measured: they change nothing, and are not meant to fail. Where all of a mix may change something, these: one
   * that is refused is seen before thousands of them are sent.
   */
  asks: MixRequest[];
}

interface Weighted {
  route: Route;
  weight: number;
}

/**
 * Which requests a target gets: the one route that was asked for, else the load profile's mix, else the target's own weights, else its
 * first route. Fails with `unknown-route` (the cure lists the known ones) and with `bad-route` for what cannot be sent.
 */
export function resolveRequestMix(choice: MixChoice): ResolvedMix {
  const weighted = remaining(chosenRoutes(choice), choice);
  const total = weighted.reduce((sum, entry) => sum + entry.weight, 0);
  const mix = weighted.map((entry) => mixRequest(entry, choice.targetId));
  const reads = mix.filter(isRead);
  return {
    mix,
    asks:
      choice.askRoutes === false
        ? []
        : mix.filter((request, index) => (reads.length === 0 || isRead(request)) && weighted[index]?.route.askFirst !== false),
    phrases: weighted.map(({ route, weight }) =>
      weighted.length === 1 ? routeName(route) : `${routeName(route)} ${sharePhrase(weight / total)}`,
    ),
  };
}

/** Whether a request changes nothing. */
export function isRead(request: MixRequest): boolean {
  return request.method === 'GET' || isGraphqlQuery(request);
}

/** A route's name, as load profiles and `--route` use it: `GET /ads/:id`. */
export function routeName(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}

function chosenRoutes(choice: MixChoice): Weighted[] {
  if (choice.route !== undefined)
    return [{ route: declaredRoute(choice.routes, choice.route) ?? literalRoute(choice, choice.route), weight: 1 }];
  if (choice.profileMix !== undefined) {
    return choice.profileMix.map((entry) => {
      const route = declaredRoute(choice.routes, entry.route);
      if (route === undefined) throw unknownRoute(choice, entry.route, 'Choose another load profile, or let it name one of');
      return { route, weight: entry.weight };
    });
  }
  const ownMix = choice.routes.filter((route) => route.weight > 0).map((route) => ({ route, weight: route.weight }));
  const first = choice.routes[0];
  if (ownMix.length > 0 || first === undefined) return ownMix;
  return [{ route: first, weight: 1 }];
}

function remaining(weighted: Weighted[], { targetId, leaveOut = [] }: MixChoice): Weighted[] {
  const kept = weighted.filter(({ route }) => !leaveOut.includes(routeName(route)));
  if (kept.length > 0) return kept;
  throw failure('unknown-route', `Every route that ${targetId} would be asked for is left out.`, 'Leave one of them in, or name another.');
}

/** The declared route of that name; `/path` alone prefers GET, then the first method declared for it. */
function declaredRoute(routes: readonly Route[], name: string): Route | undefined {
  const { method, path } = splitName(name);
  const onPath = routes.filter((route) => route.path === path);
  if (method !== undefined) return onPath.find((route) => route.method === method);
  return onPath.find((route) => route.method === 'GET') ?? onPath[0];
}

/** A concrete path that is not declared is fetched unchanged. */
function literalRoute(choice: MixChoice, name: string): Route {
  const { method = 'GET', path } = splitName(name);
  if (method !== 'GET' || !path.startsWith('/') || parameterNames(path).length > 0) throw unknownRoute(choice, name, 'Name one of');
  return { method: 'GET', path, weight: 1, parameters: {}, headers: {} };
}

function splitName(name: string): { method?: string; path: string } {
  const trimmed = name.trim();
  const [, method, path] = /^([A-Za-z]+)\s+(\S.*)$/.exec(trimmed) ?? [];
  return method === undefined || path === undefined ? { path: trimmed } : { method: method.toUpperCase(), path };
}

/** Names in the position of a parameter: after `/`, `=` or `,` in a path. */
function parameterNames(path: string): string[] {
  return [...path.matchAll(/[/=,]:([A-Za-z_][A-Za-z0-9_]*)/g)].map((match) => match[1] ?? '');
}

function mixRequest({ route, weight }: Weighted, targetId: string): MixRequest {
  const missing = parameterNames(route.path).find((name) => route.parameters[name] === undefined);
  if (missing !== undefined) {
    throw failure(
      'bad-route',
      `Route ${routeName(route)} of ${targetId} uses :${missing}, which it does not declare.`,
      `Add "parameters": { "${missing}": { "min": 1, "max": 1000 } } to the route in benchside.json.`,
    );
  }
  const request = mixRequestSchema.safeParse({
    method: route.method,
    path: encodePath(route.path),
    headers: route.headers,
    ...(route.body === undefined ? {} : { body: route.body }),
    weight,
    parameters: route.parameters,
    ...(route.expect === undefined ? {} : { expect: route.expect }),
  });
  if (request.success) return request.data;
  const [issue] = request.error.issues;
  throw failure(
    'bad-route',
    `Route ${routeName(route)} of ${targetId} cannot be sent: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
    'Correct the route in benchside.json.',
  );
}

/** What HTTP does not allow in a path is percent-encoded; what is already encoded stays. */
export function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}

function unknownRoute(choice: MixChoice, name: string, lead: string): Error {
  const known = choice.routes.map(routeName).join(', ');
  return failure(
    'unknown-route',
    `${choice.targetId} has no route ${JSON.stringify(name)}.`,
    `${lead} ${known}${choice.route === undefined ? '' : ', or a path without parameters, such as /health'}.`,
  );
}

function sharePhrase(share: number): string {
  const percent = share * 100;
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))} %`;
}
