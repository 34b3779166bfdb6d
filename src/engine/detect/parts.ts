import path from 'node:path';
import type { Finding, FindingOf } from '../../model/domain/detection.ts';
import { once } from './jsRoutes.ts';
import type { SeenRoute } from './jsRoutes.ts';

const mostRoutes = 40;
/** Words that mean nothing else, wherever a path ends in them, and others that do where the path is nothing else. */
const health =
  /^(?:\/[^/:]+)*\/(?:health(?:z|[-_]?checks?)?(?:\/(?:live|ready)(?:ness|iness)?|\/started)?|(?:ready|live)z|readiness|liveness)$|^\/(?:ready|live|ping|status)$/i;

/** Whether a route only says that the service is up. */
export function isHealth({ method, path }: Pick<SeenRoute['route'], 'method' | 'path'>): boolean {
  return method === 'GET' && health.test(path);
}

/** Routes as findings: the one that shows whether the service is ready becomes that finding, the rest of what can be asked for keeps its order. */
export function routeFindings(seen: readonly SeenRoute[]): (FindingOf<'route'> | FindingOf<'ready'>)[] {
  const routes = once(seen);
  const ready = routes.find(({ route }) => isHealth(route));
  const plain = routes.filter((one) => one !== ready).slice(0, mostRoutes);
  const asked = plain.length === 0 && ready !== undefined ? [ready] : plain;
  // The requests that are sent by default come first, and must not change data.
  const ordered = [...asked.filter(({ route }) => route.method === 'GET'), ...asked.filter(({ route }) => route.method !== 'GET')];
  return [
    ...(ready === undefined
      ? []
      : [
          {
            part: 'ready' as const,
            title: `ready when ${ready.route.path} answers`,
            because: placePhrase(ready),
            sure: true,
            path: ready.route.path,
          },
        ]),
    ...ordered.map((one) => ({
      part: 'route' as const,
      title: `${one.route.method} ${one.route.path}`,
      because: placePhrase(one),
      sure: Object.keys(one.route.parameters).length === 0,
      route: one.route,
      place: { file: one.file, line: one.line },
      ...(one.handler === undefined ? {} : { handler: one.handler }),
    })),
  ];
}

function placePhrase({ file, line }: SeenRoute): string {
  return `${file}:${line}`;
}

/** An id and a label of what people call a service, else of its folder. */
export function serviceName(named: string | undefined, folder: string, dir: string): { id: string; label: string } {
  const name =
    (named ?? '').replace(/^@[^/]*\//, '') || (folder === '.' ? path.basename(path.resolve(dir)) : (folder.split('/').at(-1) ?? ''));
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return { id: id === '' || id === 'postgres' ? 'service' : id, label: name.slice(0, 80) || 'Service' };
}

const order: readonly Finding['part'][] = ['command', 'port', 'ready', 'postgres', 'sql', 'migrations', 'setting', 'route'];

/** Sorts findings into the order in which a person wants to know them. */
export function startOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
}
