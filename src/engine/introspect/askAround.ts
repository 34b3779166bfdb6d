import * as z from 'zod';
import type { FindingOf } from '../../model/domain/detection.ts';
import { noSuchPath } from '../../model/domain/noSuchPath.ts';
import { type Route, type RouteParameter, routeSchema } from '../../model/domain/target.ts';
import { isGuessed, pathRoute, plainRoute } from '../detect/pathRoute.ts';
import { parsedJson } from '../files/parsedJson.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import { type WrongAnswer, isRedirect, wrongAnswer } from '../targets/askRoutes.ts';
import { resolveRequestMix } from '../load/requestMix.ts';
import { type FirstAnswer, firstAnswer } from '../targets/firstAnswer.ts';
import { foldedLinks } from './foldedLinks.ts';
import { type RowRanges, filled, numbersWithGaps, parametersOf, rowsPhrase, unknownRows } from './parameterRows.ts';

export interface Guess {
  path: string;
  because: string;
  /** What its parameters were where it was seen. */
  parameters?: Record<string, RouteParameter>;
}

export function guessesOf(paths: readonly string[], because: string): Guess[] {
  return paths.map((path) => ({ path, because }));
}

export interface Asking {
  at: ConnectionTarget;
  ranges: RowRanges;
  /** Whether the time for asking is over. */
  isOver: () => boolean;
  signal: AbortSignal;
  /** Gets the routes that are answered with an error of the service itself: they exist. */
  failing?: Map<string, { finding: FindingOf<'route'>; wrong: WrongAnswer }>;
}

/** What is asked of a service of which neither its files nor its framework name a route that it answers. */
const usualPaths = ['/', '/health', '/healthz', '/actuator/health', '/api', '/status', '/ping', '/version', '/metrics', '/info'] as const;
const descriptions = [
  '/openapi.json',
  '/swagger.json',
  '/v3/api-docs',
  '/api-docs',
  '/api-json',
  '/documentation/json',
  '/docs/json',
  '/q/openapi?format=json',
  '/swagger/json',
] as const;
const graphqlPaths = ['/graphql', '/api/graphql', '/', '/query', '/v1/graphql'] as const;
const assetTypes = /^(?:font|image|audio|video)\/|\b(?:javascript|css|wasm)\b/i;
/** A request for one of these may end something. */
export const harmful = /(?:logout|sign-?out|delete|remove|destroy|drop|purge|shutdown|stop|exit|quit|restart|reset|kill)/i;
const mostGuesses = 150;
const enough = 40;
const mostLate = 3;

/** Asks for each of these paths once, as long as there is time: those that are answered well, as routes. */
export async function answered(guesses: readonly Guess[], { at, ranges, isOver, signal, failing }: Asking): Promise<FindingOf<'route'>[]> {
  const routes = new Map<string, { route: Route; because: string }>();
  for (const { path, because, parameters } of guesses) {
    const route = harmful.test(path) ? null : pathRoute('GET', path);
    if (route !== null && !routes.has(route.path))
      routes.set(route.path, { route: { ...route, parameters: { ...route.parameters, ...parameters } }, because });
  }
  const asked = [...routes.values()].slice(0, mostGuesses);
  const [found, late]: [typeof asked, typeof asked] = [[], []];
  const askFor = async (these: typeof asked): Promise<void> => {
    for (const { route, because } of these) {
      if (found.length >= enough || isOver()) break;
      const answer = await ask(filled(route, ranges.known), at, signal);
      if (answer === null) late.push({ route, because });
      else if (isWell(answer) && !isAsset(answer)) found.push({ route: asAnswered(route, answer.path), because });
      const wrong = failing === undefined ? null : wrongAnswer(answer);
      if (wrong !== null && isOwnError(answer))
        failing?.set(`GET ${route.path}`, { finding: seenRoute({ ...route, weight: 0 }, because, ranges.known), wrong });
    }
  };
  const drawn = asked.filter(({ route }) => parametersOf(route.path).length > 0);
  await askFor(asked.filter((one) => !drawn.includes(one)));
  await ranges.look(drawn.map(({ route }) => route.path));
  await askFor(drawn);
  // What is first asked for waits for all that is made then: classes, connections.
  await askFor(late.splice(0, mostLate));
  // Some make their tables when they are first asked.
  const paths = found.map(({ route }) => route.path);
  await ranges.look(unknownRows(paths, ranges.known));
  return found.map(({ route, because }) => seenRoute(filled(route, ranges.known), because, ranges.known));
}

/** With the numbers that were answered well, in place of those that were only guessed: of others nobody knows whether they exist. */
function asAnswered(route: Route, asked: string): Route {
  const [written, sent] = [route.path, asked].map((path) => (path.split('?')[0] ?? '').split('/')) as [string[], string[]];
  const parameters = Object.entries(route.parameters).map(([name, given]): [string, RouteParameter] => {
    const number = Number(sent[written.indexOf(`:${name}`)]);
    return [name, isGuessed(given) && Number.isInteger(number) ? { min: number, max: number } : given];
  });
  return { ...route, parameters: Object.fromEntries(parameters) };
}

/** Whether it answers well whatever it is asked for, so that an answer says nothing of a path. */
export async function answersAnything({ at, signal }: Asking): Promise<boolean> {
  return isWell(await ask(plainRoute(`/${noSuchPath}`), at, signal));
}

/** What a service can be asked for of which nothing is known: usual paths, what its description or its first page names. */
export async function askAround(asking: Asking): Promise<FindingOf<'route'>[]> {
  const found = await answered(guessesOf(usualPaths, 'tried'), asking);
  const more = await answered([...(await describedPaths(asking)), ...(await linkedPaths(asking))], asking);
  return [...found, ...more.filter(({ title }) => found.every((one) => one.title !== title))];
}

/** One answer to a route; null where it takes too long. */
export async function ask(route: Route, at: ConnectionTarget, signal: AbortSignal): Promise<FirstAnswer | null> {
  const [request] = resolveRequestMix({ targetId: 'service', routes: [{ ...route, weight: 1 }] }).asks;
  return request === undefined ? null : firstAnswer(at, request, signal);
}

function isWell(answer: FirstAnswer | null): answer is FirstAnswer {
  return answer !== null && answer.problem === null && answer.status !== null && !isRedirect(answer);
}

/** Whether the service, or something that it needs, is at fault, and not the path. */
function isOwnError(answer: FirstAnswer | null): boolean {
  return (answer?.status ?? 0) >= 500;
}

/** Whether a path that does not exist is no error of the service, so that such an error says that a path exists. */
export async function failsWhereItExists({ at, signal }: Asking): Promise<boolean> {
  return !isOwnError(await ask(plainRoute(`/${noSuchPath}`), at, signal));
}

/** A part of the pages that a build wrote: what it is says its type, or that it is kept for ever. */
function isAsset({ headers }: FirstAnswer): boolean {
  const type = headers['content-type'] ?? '';
  return assetTypes.test(type) || /\bimmutable\b/.test(headers['cache-control'] ?? '');
}

function seenRoute(route: Route, because: string, ranges: RowRanges['known']): FindingOf<'route'> {
  const rows = parametersOf(route.path).map(({ name }) => ({ name, range: ranges.get(`${route.path} ${name}`) }));
  const drawn = rows.flatMap(({ name, range }) => (range === undefined ? [] : [rowsPhrase(name, range)]));
  return {
    part: 'route',
    title: `${route.method} ${route.path}`,
    because: [because, ...drawn].join('; '),
    sure: rows.every(({ range }) => range !== undefined && numbersWithGaps(range) === null),
    seen: true,
    route,
  };
}

const descriptionSchema = z.object({
  basePath: z.string().optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown()).catch({})),
});

/** What its own OpenAPI file names, where it serves one. */
async function describedPaths({ at, isOver, signal }: Asking): Promise<Guess[]> {
  for (const place of descriptions) {
    if (isOver()) return [];
    const answer = await ask(plainRoute(place), at, signal);
    const read = isWell(answer) ? descriptionSchema.safeParse(parsedJson(answer.body)) : null;
    if (read?.success !== true) continue;
    const { basePath = '', paths } = read.data;
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.hasOwn(methods, 'get') ? [`${basePath === '/' ? '' : basePath}${path}`] : [],
    );
    return guessesOf(named, `named by ${place}, which it serves`);
  }
  return [];
}

/** Where its first page leads, on itself. */
async function linkedPaths({ at, signal }: Asking): Promise<Guess[]> {
  const answer = await ask(plainRoute('/'), at, signal);
  if (!isWell(answer)) return [];
  const links = [...answer.body.matchAll(/(?:href|src)\s*=\s*["'](\/[^"'#?\s]{0,200})|"(\/[\w.~/-]{1,200})"/g)];
  const paths = links.map(([, link, plain]) => link ?? plain ?? '/').filter((path) => !path.startsWith('//'));
  return foldedLinks(paths).map((one) => ({ ...one, because: 'named by /, which it serves' }));
}

/** The smallest question that every GraphQL service answers. */
const smallestQuery = '{ __typename }';
const graphqlAnswer = z.object({ data: z.object({ __typename: z.string() }) });
/** Some refuse a GET with a type that a form of another site could send. */
const notOfAForm = { 'content-type': 'application/json' };
const mostGraphql = 4;

/**
 * Where it answers GraphQL: at the first of the usual paths, and at those of `others` that answer a query by GET; of a POST nobody knows what it does where it is
 * none.
 */
export async function graphqlRoutes(asking: Asking, others: readonly string[]): Promise<FindingOf<'route'>[]> {
  const { at, isOver, signal } = asking;
  const isAnswered = async (route: Route): Promise<boolean> => {
    if (isOver()) return false;
    const answer = await ask(route, at, signal);
    return isWell(answer) && graphqlAnswer.safeParse(parsedJson(answer.body)).success;
  };
  const found: Route[] = [];
  const askFor = async (path: string): Promise<void> => {
    const route = routeSchema.parse({ method: 'POST', path, body: JSON.stringify({ query: smallestQuery }), label: 'GraphQL' });
    if (await isAnswered(route)) found.push(route);
  };
  for (const path of graphqlPaths) if (found.length === 0) await askFor(path);
  const plain = others.filter((path) => /^(?:\/[\w.~-]+)+$/.test(path) && !harmful.test(path) && found.every((one) => one.path !== path));
  for (const path of [...new Set(plain)].slice(0, mostGuesses)) {
    if (found.length >= mostGraphql) break;
    const asked = routeSchema.parse({ path: `${path}?query=${encodeURIComponent(smallestQuery)}`, headers: notOfAForm });
    if (await isAnswered(asked)) await askFor(path);
  }
  return found.map((route) => ({ ...seenRoute(route, 'it answers a GraphQL query there', new Map()), sure: false }));
}
