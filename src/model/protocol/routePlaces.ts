import type { FoundService } from '../domain/detection.ts';
import type { TargetState } from './protocol.ts';
import type { Route } from '../domain/target.ts';

/** Where a target's route is registered, or the function that answers it is. */
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
 * called; where a file does not contain the path at which its router is mounted, by the end of one declared path, or with the other routes of its file. The target of
 * the service's own id comes before others with the same route.
 */
export function routePlaces(found: readonly FoundService[], targets: readonly TargetState[]): RoutePlace[] {
  const own = targets.filter(({ origin }) => origin === 'workspace');
  const places = new Map<string, RoutePlace>();
  for (const service of found) {
    const candidates = [...own.filter(({ id }) => id === service.id), ...own.filter(({ id }) => id !== service.id)];
    const open = new Map<string, Written[]>();
    const put = ({ at }: Pick<Written, 'at'>, declared: Declared): void => {
      for (const { file, line } of at) {
        // The first of those at one line: a router that is mounted twice has one handler.
        if (!places.has(`${file}:${line}`)) places.set(`${file}:${line}`, { file, line, ...declared });
      }
    };
    for (const finding of service.findings) {
      if (finding.part !== 'route' || finding.place === undefined) continue;
      const { route, place, handler } = finding;
      const written: Written = { at: handler === undefined ? [place] : [place, handler], route };
      const declared = declaredBy(candidates, route);
      if (declared === null) open.set(place.file, [...(open.get(place.file) ?? []), written]);
      else put(written, declared);
    }
    for (const written of open.values())
      for (const one of declaredTogether(candidates, written, [...places.values()])) put(one.written, one.declared);
  }
  return [...places.values()];
}

/** A route's name, as load profiles and requests use it. */
function routeKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

type Declared = Omit<RoutePlace, 'file' | 'line'>;

/** A route as a file has it: where it is registered and, where that is in another file, its handler. */
interface Written {
  at: readonly Pick<RoutePlace, 'file' | 'line'>[];
  route: Route;
}

/**
 * The routes of a file whose router is mounted at a path that no file contains: that below which all of them are declared, if there is one such path, and two
 * routes that tell it. What is handled elsewhere is not handled here.
 */
function declaredTogether(
  targets: readonly TargetState[],
  written: readonly Written[],
  placed: readonly RoutePlace[],
): { written: Written; declared: Declared }[] {
  const tailOf = (route: Route): string => shapeOf(route).replace(/\/$/, '');
  const [first] = written;
  if (first === undefined || new Set(written.map(({ route }) => tailOf(route))).size < 2) return [];
  for (const { id, label, routes } of targets) {
    const left = routes.filter((route) => !placed.some((one) => one.targetId === id && one.route === routeKey(route)));
    const at = (mount: string, { route }: Written): Route | undefined =>
      left.find((one) => one.method === route.method && shapeOf(one) === mount + tailOf(route));
    const tail = tailOf(first.route);
    const mounts = left
      .map(shapeOf)
      .filter((shape) => shape.endsWith(tail))
      .map((shape) => shape.slice(0, shape.length - tail.length))
      .filter((mount) => written.every((one) => at(mount, one) !== undefined));
    const [mount, ...others] = new Set(mounts);
    if (mount === undefined || others.length > 0) continue;
    return written.flatMap((one) => {
      const route = at(mount, one);
      if (route === undefined) return [];
      return [{ written: one, declared: { targetId: id, targetLabel: label, route: routeKey(route), budget: route.budget ?? {} } }];
    });
  }
  return [];
}

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
