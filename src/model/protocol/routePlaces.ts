import type { FoundService } from '../domain/detection.ts';
import type { TargetState } from './protocol.ts';
import type { Route } from '../domain/target.ts';

/** Where the handler of a target's route is declared. */
export interface RoutePlace {
  /** Relative to the workspace's folder, with slashes. */
  file: string;
  /** From 1. */
  line: number;
  targetId: string;
  targetLabel: string;
  /** The route as its target declares it, `METHOD /path`. */
  route: string;
  /** What one request may take at the most. */
  budget: NonNullable<Route['budget']>;
}

/**
 * The routes of the workspace's own targets with their places in the files of the folder. A route is recognised by its method and path, whatever its parameters are
 * called; where a file does not contain the path at which its router is mounted, by the end of one declared path. The target of the service's own id comes before
 * others with the same route.
 */
export function routePlaces(found: readonly FoundService[], targets: readonly TargetState[]): RoutePlace[] {
  const own = targets.filter(({ origin }) => origin === 'workspace');
  const places = new Map<string, RoutePlace>();
  for (const service of found) {
    const candidates = [...own.filter(({ id }) => id === service.id), ...own.filter(({ id }) => id !== service.id)];
    for (const finding of service.findings) {
      if (finding.part !== 'route' || finding.place === undefined) continue;
      const { file, line } = finding.place;
      const declared = declaredBy(candidates, finding.route);
      // The first of those at one line: a router that is mounted twice has one handler.
      if (declared !== null && !places.has(`${file}:${line}`)) places.set(`${file}:${line}`, { file, line, ...declared });
    }
  }
  return [...places.values()];
}

/** A route's name, as load profiles and requests use it. */
function routeKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

type Declared = Omit<RoutePlace, 'file' | 'line'>;

function declaredBy(targets: readonly TargetState[], written: Route): Declared | null {
  const shape = shapeOf(written);
  for (const same of [(other: string) => other === shape, (other: string) => endsLike(other, shape)]) {
    for (const { id, label, routes } of targets) {
      const matching = routes.filter((route) => route.method === written.method && same(shapeOf(route)));
      const [first] = matching;
      if (first !== undefined && new Set(matching.map(shapeOf)).size === 1)
        return { targetId: id, targetLabel: label, route: routeKey(first), budget: first.budget ?? {} };
    }
  }
  return null;
}

/** The path without its query and the names of its parameters. */
function shapeOf({ path }: Pick<Route, 'path'>): string {
  return path.replace(/[?#].*$/, '').replace(/:[A-Za-z_]\w*/g, ':');
}

/** Whether a path is this one below a prefix. One that has no word of its own, such as "/:", may be the end of any. */
function endsLike(whole: string, tail: string): boolean {
  return /\w/.test(tail) && whole.endsWith(tail);
}
