import { decoded } from '../files/namedSecrets.ts';
import { PathShapes } from './pathShapes.ts';
import type { ObservedTraffic } from './observed.ts';

/** One place of a route that is filled for each request. */
export interface RouteParameter {
  /** By what it is called in the steps until the values are known. */
  hole: string;
  route: string;
  name: string;
  /** The name in the path before it, or null for a query. */
  before: string | null;
  kind: 'path' | 'query';
  /** How often each value was asked for. */
  counts: Map<string, number>;
}

export interface ObservedRoute {
  /** `GET /items/:itemId?page` */
  name: string;
  method: string;
  /** Path with holes; its query is separate. */
  path: string;
  parameters: readonly RouteParameter[];
  query: readonly RouteParameter[];
  requests: number;
  failing: number;
}

/** The routes of the traffic, and of each target which one it is. */
export interface ObservedRoutes {
  routes: readonly ObservedRoute[];
  /** By target of the traffic. */
  routeOf: Int32Array;
}

const failingFrom = 400;
/** Beyond these a service answers anything. */
const mostRoutes = 5_000;

/** Recognises routes. Requests that failed say nothing of which paths there are. */
export function observedRoutes(traffic: ObservedTraffic): ObservedRoutes {
  const good = new Int32Array(traffic.targets.length);
  const bad = new Int32Array(traffic.targets.length);
  for (let row = 0; row < traffic.rows; row += 1) {
    const counts = (traffic.statusOf(row) ?? 0) >= failingFrom ? bad : good;
    const target = traffic.targetIdOf(row);
    counts[target] = (counts[target] ?? 0) + 1;
  }
  const shapes = new PathShapes(
    traffic.targets.flatMap((text, id) => ((good[id] ?? 0) > 0 ? [{ path: split(text).path, count: good[id] ?? 0 }] : [])),
  );
  const byName = new Map<string, number>();
  const routes: ObservedRoute[] = [];
  let holes = 0;
  const routeOf = Int32Array.from(traffic.targets, (text, id) => {
    const { method, path, query } = split(text);
    const shaped = shapes.shapeOf(path);
    const keys = [...new Set(query.map(([key]) => key))].sort();
    const name = `${method} ${shaped.path}${keys.length === 0 ? '' : `?${keys.join('&')}`}`;
    let index = byName.get(name);
    if (index === undefined) {
      if (routes.length >= mostRoutes) return -1;
      index = routes.length;
      byName.set(name, index);
      const parameter = (kind: RouteParameter['kind'], named: string, before: string | null): RouteParameter => {
        holes += 1;
        return { hole: `p${holes}`, route: name, name: named, before, kind, counts: new Map() };
      };
      let before: string | null = null;
      const parameters: RouteParameter[] = [];
      const parts = shaped.parts.map((part) => {
        if ('literal' in part) {
          before = part.literal;
          return withoutHoles(part.literal);
        }
        const made = parameter('path', part.parameter, before);
        parameters.push(made);
        return `{{${made.hole}}}`;
      });
      routes.push({
        name,
        method,
        path: `/${parts.join('/')}${path.length > 1 && path.endsWith('/') ? '/' : ''}`,
        parameters,
        query: keys.map((key) => parameter('query', key, null)),
        requests: 0,
        failing: 0,
      });
    }
    const route = routes[index];
    if (route === undefined) return -1;
    const times = good[id] ?? 0;
    route.requests += times + (bad[id] ?? 0);
    route.failing += bad[id] ?? 0;
    if (times === 0) return index;
    shaped.values.forEach((value, at) => count(route.parameters[at], value, times));
    for (const [key, value] of query)
      count(
        route.query.find((one) => one.name === key),
        value,
        times,
      );
    return index;
  });
  return { routes, routeOf };
}

function count(parameter: RouteParameter | undefined, value: string | null, times: number): void {
  if (parameter !== undefined && value !== null) parameter.counts.set(value, (parameter.counts.get(value) ?? 0) + times);
}

/** Two braces would begin a hole of a template. */
function withoutHoles(text: string): string {
  if (/^\$\{env:\w+\}$/.test(text)) return text;
  return text.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

function split(text: string): { method: string; path: string; query: [key: string, value: string][] } {
  const blank = text.indexOf(' ');
  const method = text.slice(0, blank);
  const mark = text.indexOf('?', blank);
  if (mark === -1) return { method, path: text.slice(blank + 1), query: [] };
  const query = text
    .slice(mark + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      const value = equals === -1 ? '' : pair.slice(equals + 1);
      return [decoded(equals === -1 ? pair : pair.slice(0, equals)), decoded(value.replaceAll('+', ' '))];
    });
  return { method, path: text.slice(blank + 1, mark), query };
}

/** What was asked for in one request, part by part. */
export function queryOf(target: string): [key: string, value: string][] {
  return split(`GET ${target}`).query;
}
