import type { Unknowns } from '../objects.ts';

/** A route as a framework has it: `path` is what was written; `*` before it replaces a mount point that the framework does not keep. */
export interface FoundRoute {
  method: string;
  path: string;
  handler: string | null;
}

const deepest = 8;
/** What Express 4 makes of a mount point: `^\/orders\/?(?=\/|$)`; each parameter in it is a group. */
const mountEnd = /\\\/\?\(\?=\\\/\|\$\)$/;
const parameterGroup = /\(\?:(\\\/)?\(\[\^\\?\/\]\+\?\)\)/g;

/** `mounts`: where functions answer that are no routes, such as a GraphQL server; what they answer they keep to themselves. */
interface ExpressPaths {
  routes: FoundRoute[];
  mounts: FoundRoute[];
}

/** The paths of an Express application, or of its router, in the order in which they are asked; none where it is something else. */
export function expressPaths(listener: unknown): ExpressPaths {
  const found: ExpressPaths = { routes: [], mounts: [] };
  const stack = stackOf(listener);
  if (stack !== null) walk(stack, '', 0, found);
  return found;
}

function stackOf(app: unknown): unknown[] | null {
  if (typeof app !== 'function' && (typeof app !== 'object' || app === null)) return null;
  const holder = app as Unknowns;
  for (const read of [() => holder['stack'], () => member(holder['_router'], 'stack'), () => member(holder['router'], 'stack')]) {
    try {
      const stack = read();
      if (Array.isArray(stack)) return stack as unknown[];
    } catch {
      // Express 4 has a getter that only complains.
    }
  }
  return null;
}

function walk(stack: readonly unknown[], prefix: string, depth: number, found: ExpressPaths): void {
  const { routes, mounts } = found;
  if (depth > deepest || routes.length + mounts.length > 1_000) return;
  for (const layer of stack) {
    const route = member(layer, 'route');
    if (route !== undefined && route !== null) tell(route, prefix, routes);
    else {
      // An application within another: what it answers is behind a closure.
      if (member(layer, 'name') === 'mounted_app') routes.push({ method: 'ALL', path: `${prefix}/*`, handler: null });
      const inner = stackOf(member(layer, 'handle'));
      const path = prefix + mountPoint(layer as Unknowns);
      if (inner !== null) walk(inner, path, depth + 1, found);
      else if (path !== '') mounts.push({ method: 'ALL', path, handler: null });
    }
  }
}

function tell(route: unknown, prefix: string, found: FoundRoute[]): void {
  const written = member(route, 'path');
  const methods = member(route, 'methods');
  const paths = (Array.isArray(written) ? (written as unknown[]) : [written]).filter((path) => typeof path === 'string');
  if (typeof methods !== 'object' || methods === null) return;
  const handlers = member(route, 'stack');
  const handler = member(Array.isArray(handlers) ? handlers.at(-1) : undefined, 'name');
  const named = typeof handler === 'string' && /^[\w$.]+$/.test(handler) ? handler : null;
  for (const path of paths)
    for (const method of Object.keys(methods))
      if (!method.startsWith('_')) found.push({ method, path: `${prefix}/${path}`, handler: named });
}

function mountPoint({ rawPath, regexp, slash, keys }: Unknowns): string {
  if (typeof rawPath === 'string') return rawPath === '/' ? '' : rawPath;
  if (slash === true || member(regexp, 'fast_slash') === true) return '';
  const source = regexp instanceof RegExp ? regexp.source : '';
  if (!source.startsWith('^') || !mountEnd.test(source)) return '*';
  let next = 0;
  const path = source
    .slice(1)
    .replace(mountEnd, '')
    .replace(parameterGroup, (_, slash: string | undefined) => `${slash === undefined ? '' : '/'}:${parameterName(keys, next++)}`)
    .replace(/\\(.)/g, '$1');
  return /^(?:\/[\w.~%:-]+)+$/.test(path) ? path : '*';
}

function parameterName(keys: unknown, index: number): string {
  const name = member(Array.isArray(keys) ? keys[index] : undefined, 'name');
  return typeof name === 'string' ? name : `p${index}`;
}

/** A member of whatever the app has there. */
export function member(of: unknown, name: string): unknown {
  return (typeof of === 'object' && of !== null) || typeof of === 'function' ? (of as Unknowns)[name] : undefined;
}
