import path from 'node:path';
import type { Finding, FindingOf, Question } from '../../model/domain/detection.ts';
import { type SeenRoute, once } from './jsRoutes.ts';

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

/** How a service gets the address of its database: the variables by what each holds. */
export function addressFinding(
  env: FindingOf<'postgres'>['env'],
  known: Pick<FindingOf<'postgres'>, 'because' | 'sure'>,
): FindingOf<'postgres'> {
  return { part: 'postgres', title: `PostgreSQL’s address from ${Object.values(env).join(', ')}`, ...known, env };
}

/** Settings that are sizes: what people call them, and the largest that is suggested. */
export const sizes = { pool: { label: 'Pool size', max: 256 }, threads: { label: 'Request threads', max: 1024 } } as const;
export type SizeName = keyof typeof sizes;

/** A size as a setting: `by` brings it about, and `from` says so in the title. */
export function sizeFinding(
  name: SizeName,
  size: number,
  by: { env: string } | { arguments: string[] } | { live: 'pool' },
  { from, ...known }: { from: string } & Pick<FindingOf<'setting'>, 'because' | 'sure' | 'seen'>,
): FindingOf<'setting'> {
  const { label, max } = sizes[name];
  return {
    part: 'setting',
    title: `${label.toLowerCase()} ${from}`,
    ...known,
    name,
    spec: { kind: 'number', label, min: 1, max: Math.max(max, size), default: size, ...by },
  };
}

/** Whether two findings are of one thing: of a part there is one, of settings one of each name. */
export function areOfOne(a: Finding, b: Finding): boolean {
  return a.part === b.part && (a.part !== 'setting' || (b.part === 'setting' && a.name === b.name));
}

export const howItLearnsItsPort = 'How does it learn its port? PORT is assumed.';
export const noRouteFound = 'What does it answer? No route was found in its sources.';

/** Of these questions, by part, those about what was not found; one about a setting is about the pool, and migrations make tables, too. */
export function openQuestions(findings: readonly Finding[], words: Partial<Record<Question['part'], string>>): Question[] {
  const isOpen = (part: string): boolean =>
    !findings.some((one) =>
      one.part === 'setting' ? part === 'setting' && one.name === 'pool' : (one.part === 'migrations' ? 'sql' : one.part) === part,
    );
  return (Object.entries(words) as [Question['part'], string][])
    .filter(([part]) => isOpen(part))
    .map(([part, text]) => ({ part, text, ...(part === 'setting' ? { setting: 'pool' as const } : {}) }));
}

const order: readonly Finding['part'][] = ['command', 'port', 'ready', 'postgres', 'sql', 'migrations', 'setting', 'route'];

/** Sorts findings into the order in which a person wants to know them. */
export function startOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
}
