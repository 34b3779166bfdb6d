import { type Route, type RouteParameter, routeSchema } from '../../model/domain/target.ts';

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** The limit for a service: beyond these nobody chooses from a list. */
export const mostSeenRoutes = 2_000;
const longestPath = 500;
/** A first guess, reported as one: only the data says which ids exist. */
export const guessedIds = { min: 1, max: 100 } as const;

/** Whether nothing but a guess says what a parameter can be. */
export function isGuessed(parameter: RouteParameter): boolean {
  return 'min' in parameter && parameter.min === guessedIds.min && parameter.max === guessedIds.max;
}

/**
 * A route of what frameworks write: `:id`, `{id}`, `{id:[0-9]+}`, `[id]`, `[...id]` become `:id` with a range of numbers that is still to be found; an optional
 * `[[id]]` is left out. Null where it cannot be requested as it is: a pattern, or a method that nobody measures. Only GET has a weight: what changes data is
 * asked for by name.
 */
export function pathRoute(method: string, written: string): Route | null {
  const upper = method.toUpperCase();
  if (!methods.has(upper) || written.length > longestPath) return null;
  const names: string[] = [];
  const name = (found: string): string => {
    const plain = found.replace(/\W+/g, '_').replace(/^(\d)/, '_$1');
    names.push(plain);
    return `:${plain}`;
  };
  const path = `/${written}`
    .replace(/\/\[\[[^[\]]*\]\](?=\/|$)/g, '/')
    .replace(/\/{2,}/g, '/')
    .replace(/\[(?:\.{3})?(\w[\w-]*)(?:=\w+)?\]/g, (_, found: string) => name(found))
    .replace(/\{(\w+)(?::[^{}]*)?\}/g, (_, found: string) => name(found))
    .replace(/:(\w+)(?:\([^)]*\))?/g, (_, found: string) => (names.includes(found) ? `:${found}` : name(found)))
    .replace(/(?<=.)\/$/, '');
  if (/[*?(){}[\]<>\s"'`$\\]/.test(path) || path.length > longestPath) return null;
  const parameters = Object.fromEntries(names.map((one) => [one, guessedIds]));
  const parsed = routeSchema.safeParse({ method: upper, path, weight: upper === 'GET' ? 1 : 0, parameters });
  return parsed.success ? parsed.data : null;
}

/** A GET request for a path without parameters. */
export function plainRoute(path: string): Route {
  return { method: 'GET', path, weight: 1, parameters: {}, headers: {} };
}

/** Joins what a router is mounted at with what it answers. */
export function joinPaths(...parts: readonly string[]): string {
  return `/${parts
    .map(withoutOuterSlashes)
    .filter((part) => part !== '')
    .join('/')}`;
}

function withoutOuterSlashes(part: string): string {
  let [from, to] = [0, part.length];
  while (part[from] === '/') from += 1;
  while (to > from && part[to - 1] === '/') to -= 1;
  return part.slice(from, to);
}
