import { type FindingOf, type FoundService, findingsOf } from '../model/domain/detection.ts';
import { failure } from '../model/domain/failure.ts';
import { type Route, routeSchema } from '../model/domain/target.ts';
import { wrong } from './values.ts';

/** The range of numbers that is drawn for a parameter without a range. */
const someNumbers = { min: 1, max: 100 };

/** Reads `/items/:id` or `POST /orders`. */
export function askedRoute(text: string, option: string): Route {
  const [, method = 'GET', path = ''] = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(text.trim()) ?? [];
  const names = [...path.matchAll(/:([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  const read = routeSchema.safeParse({
    method: method.toUpperCase(),
    path,
    parameters: Object.fromEntries(names.map((name) => [name, { ...someNumbers }])),
  });
  if (!read.success) throw wrong(`${option} is not a route: “${text}”. Write a path, such as /items, or "POST /orders".`);
  return read.data;
}

/** The services with routes that a person named: those of the only one that can be started. */
export function withRoutes(services: readonly FoundService[], routes: readonly Route[]): FoundService[] {
  const startable = services.filter(({ findings }) => findingsOf(findings, 'command').length > 0);
  if (routes.length === 0) return [...services];
  if (startable.length !== 1)
    throw failure(
      'usage',
      `--route is a route of one service, and ${startable.length === 0 ? 'none' : `${startable.length}`} can be started here.`,
      'Name the service by its command: benchside init --route /items -- node server.js',
    );
  const named = routes.map((route): FindingOf<'route'> => ({
    part: 'route',
    title: `${route.method} ${route.path}`,
    because: 'as it was given',
    sure: true,
    route,
  }));
  const titles = new Set(named.map(({ title }) => title));
  return services.map((service) =>
    service === startable[0]
      ? {
          ...service,
          findings: [...named, ...service.findings.filter((one) => one.part !== 'route' || !titles.has(one.title))],
          questions: service.questions.filter(({ part }) => part !== 'route'),
        }
      : service,
  );
}
