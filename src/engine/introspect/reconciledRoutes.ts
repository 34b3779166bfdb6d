import { type FindingOf, type FoundService, findingsOf } from '../../model/domain/detection.ts';
import { pathRoute } from '../detect/pathRoute.ts';
import { type Seen, seenPhrase } from './seen.ts';

const mostRoutes = 60;

/** Routes as the framework has them, as far as it could be seen; else those of the files. */
export function reconciledRoutes(service: FoundService, seenRoutes: Seen['routes']): FindingOf<'route'>[] {
  const ready = findingsOf(service.findings, 'ready').map(({ path }) => path);
  const seen = new Map<string, FindingOf<'route'>>();
  const types = new Map<string, string>();
  const tails: string[] = [];
  for (const one of seenRoutes) {
    const below = one.path.lastIndexOf('*/');
    const route = pathRoute(one.method, below === -1 ? one.path : one.path.slice(below + 1));
    if (route === null || ready.includes(route.path)) continue;
    if (below !== -1) tails.push(shapeOf(route));
    else if (!seen.has(shapeOf(route))) {
      const because = one.handler === null ? seenPhrase : `${seenPhrase}, answered by ${one.handler}`;
      const title = `${route.method} ${route.path}`;
      types.set(shapeOf(route), one.handler?.split('.')[0] ?? '');
      seen.set(shapeOf(route), {
        part: 'route',
        title,
        because,
        sure: true,
        seen: true,
        route,
        ...(one.own === false ? { ofLibrary: true } : {}),
      });
    }
  }
  const written = findingsOf(service.findings, 'route').map((one) => ({ one, shape: shapeOf(one.route) }));
  const exact = new Set(written.flatMap(({ shape }) => (seen.has(shape) ? [shape] : [])));
  const mounted = mountedFiles(
    written.filter(({ shape }) => !exact.has(shape)).map(({ one, shape }) => ({ file: fileOf(one), shape })),
    [...seen.keys()].filter((shape) => !exact.has(shape)),
  );
  const told = new Set<string>();
  const merged = written.map(({ one, shape }): FindingOf<'route'> => {
    const under = below(shape, mounted.get(fileOf(one)) ?? null);
    // Where a file is mounted says more than the same path in another file.
    const found = exact.has(shape) && !(under !== null && seen.has(under)) ? shape : under;
    const match = found === null ? undefined : seen.get(found);
    if (found === null || match === undefined) {
      // Where a class is mounted its annotations do not say: the files do.
      const shorter = exact.has(shape)
        ? undefined
        : [...types].find(([own, type]) => type === typeIn(one) && !exact.has(own) && endsLike(shape, own));
      if (shorter !== undefined) told.add(shorter[0]);
      return shorter !== undefined || tails.some((tail) => endsLike(shape, tail)) ? confirmed(one, one) : one;
    }
    told.add(found);
    return confirmed(one, match);
  });
  return [...merged, ...[...seen].flatMap(([shape, one]) => (told.has(shape) ? [] : [one]))].slice(0, mostRoutes);
}

/** A route of a file, by the path that the framework has it under. */
function confirmed({ because, route: written }: FindingOf<'route'>, { title, route }: FindingOf<'route'>): FindingOf<'route'> {
  // What a file says of its body, headers or weight the framework does not know.
  const own = { ...written, path: route.path, parameters: route.path === written.path ? written.parameters : route.parameters };
  return { part: 'route', title, because: `${because}; ${seenPhrase}`, seen: true, sure: true, route: own };
}

function fileOf({ because }: FindingOf<'route'>): string {
  return because.replace(/:\d+$/, '');
}

/** The class that a file of Java or Kotlin is called like. */
function typeIn(one: FindingOf<'route'>): string | null {
  return /(?:^|\/)(\w+)\.(?:java|kt|scala|groovy)$/.exec(fileOf(one))?.[1] ?? null;
}

function below(shape: string, prefix: string | null): string | null {
  const [method = '', path = ''] = shape.split(' ');
  return prefix === null ? null : `${method} ${path === '/' ? prefix : prefix + path}`;
}

/** Which files’ routes were mounted at a prefix that their sources do not say: the one under which the framework has the most of them. */
function mountedFiles(written: readonly { file: string; shape: string }[], seen: readonly string[]): Map<string, string> {
  const mounted = new Map<string, string>();
  for (const file of new Set(written.map((one) => one.file))) {
    const shapes = written.flatMap((one) => (one.file === file ? [one.shape] : []));
    const prefixes = new Set(
      shapes.flatMap((shape) => {
        const [method = '', path = ''] = shape.split(' ');
        const end = path === '/' ? '' : path;
        return seen.flatMap((one) =>
          one.startsWith(`${method} `) && one.endsWith(end) ? [one.slice(method.length + 1, one.length - end.length)] : [],
        );
      }),
    );
    const ranked = [...prefixes]
      .filter((prefix) => prefix.startsWith('/') && prefix !== '/')
      .map((prefix) => ({ prefix, count: shapes.filter((shape) => seen.includes(below(shape, prefix) ?? '')).length }))
      .sort((a, b) => b.count - a.count);
    const [first, second] = ranked;
    if (first !== undefined && first.count > (second?.count ?? 0)) mounted.set(file, first.prefix);
  }
  return mounted;
}

function shapeOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replace(/:\w+/g, ':').replace(/(?<=.)\/$/, '')}`;
}

function endsLike(whole: string, tail: string): boolean {
  const [method, path = ''] = tail.split(' ');
  return whole.startsWith(`${method ?? ''} `) && (whole.endsWith(path) || path === '/');
}
