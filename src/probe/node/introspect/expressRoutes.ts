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

/** The routes of an Express application, or of its router, in the order in which they are asked; none where it is something else. */
export function expressRoutes(listener: unknown): FoundRoute[] {
  const found: FoundRoute[] = [];
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

function walk(stack: readonly unknown[], prefix: string, depth: number, found: FoundRoute[]): void {
  if (depth > deepest || found.length > 1_000) return;
  for (const layer of stack) {
    const route = member(layer, 'route');
    if (route !== undefined && route !== null) tell(route, prefix, found);
    else {
      // An application within another: what it answers is behind a closure.
      if (member(layer, 'name') === 'mounted_app') found.push({ method: 'ALL', path: `${prefix}/*`, handler: null });
      const inner = stackOf(member(layer, 'handle'));
      if (inner !== null) walk(inner, prefix + mountPoint(layer as Unknowns), depth + 1, found);
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
