import type pg from 'pg';
import { type FindingOf, type FoundService, findingsOf } from '../../model/domain/detection.ts';
import { noSuchPath } from '../../model/domain/noSuchPath.ts';
import type { Route } from '../../model/domain/target.ts';
import { guessedIds, isGuessed, plainRoute } from '../detect/pathRoute.ts';
import type { ConnectionTarget } from '../load/connection.ts';
import type { OwnTime } from '../observe/ownTime.ts';
import { type WrongAnswer, wrongAnswer } from '../targets/askRoutes.ts';
import { patienceMs } from '../targets/firstAnswer.ts';
import {
  type Asking,
  type Guess,
  answered,
  answersAnything,
  ask,
  askAround,
  failsWhereItExists,
  graphqlRoutes,
  guessesOf,
} from './askAround.ts';
import { isHealth } from '../detect/parts.ts';
import { otherClients } from './databaseOfService.ts';
import { type ParameterRows, type RowRanges, filled, parametersOf, unknownRows } from './parameterRows.ts';
import { reconciledRoutes } from './reconciledRoutes.ts';
import type { Seen } from './seen.ts';

/** All routes together, of the service’s own time; those that are left are not asked. */
const askingMs = 20_000;
/** So many that were not answered in time are asked again. */
const mostLate = 3;
const noAnswer: WrongAnswer = { status: null, words: `was not answered within ${patienceMs / 1000} s, nor when it was asked again` };

interface AskingEach {
  own: OwnTime;
  ranges: RowRanges;
  at: ConnectionTarget;
  /** Its database; null where it has none. */
  database: pg.Client | null;
  signal: AbortSignal;
}

/** Requests each GET route once, and the one that shows whether the service is ready. */
export async function askEachOnce(
  service: FoundService,
  routes: Seen['routes'],
  { own, ranges, at, database, signal }: AskingEach,
): Promise<Pick<Seen, 'answers' | 'writes'> & { clients: number }> {
  const answers = new Map<string, WrongAnswer | null>();
  let clients = 0;
  const writes = new Set<string>();
  const health = findingsOf(service.findings, 'ready').map(({ path }) => plainRoute(path));
  const startedMs = own.spentMs();
  const told = reconciledRoutes(service, routes).map(({ route }) => route);
  const late: Route[] = [];
  const askEach = async (asked: readonly Route[]): Promise<void> => {
    for (const route of asked) {
      if (route.method !== 'GET' || own.spentMs() - startedMs > askingMs) continue;
      const before = await activityOf(database);
      const answer = await ask(route, at, signal);
      if (answer === null) late.push(route);
      answers.set(`GET ${route.path}`, wrongAnswer(answer));
      const after = await activityOf(database);
      // A service that an answer ends has none when all are asked.
      clients = Math.max(clients, before.clients, after.clients);
      if (after.next !== before.next) writes.add(`GET ${route.path}`);
    }
  };
  const [drawn, plain] = [told.filter(isDrawn), told.filter((one) => !isDrawn(one))];
  await askEach([...health, ...plain]);
  // Only now: some make their tables when they are first asked.
  const paths = drawn.map(({ path }) => path);
  await ranges.look(paths);
  await askEach(drawn.map((one) => filled(one, ranges.known)));
  // What is first asked for waits for all that is made then: classes, connections. A second time it does not.
  for (const route of late.splice(0, mostLate)) {
    const answer = await ask(route, at, signal);
    answers.set(`GET ${route.path}`, answer === null ? noAnswer : wrongAnswer(answer));
  }
  await ranges.look(unknownRows(paths, ranges.known));
  for (const route of drawn) {
    const name = `GET ${route.path}`;
    const [parameter, ...others] = parametersOf(route.path).filter((one) => !ranges.known.has(`${route.path} ${one.name}`));
    if (parameter === undefined || others.length > 0 || !answers.has(name) || writes.has(name)) continue;
    const isAnswered = async (number: number): Promise<boolean | null> => {
      if (own.spentMs() - startedMs > askingMs) return null;
      const asked = filled(route, new Map([...ranges.known, [`${route.path} ${parameter.name}`, numbersTo(number, number)]]));
      const answer = await ask(asked, at, signal);
      return answer === null ? null : wrongAnswer(answer) === null;
    };
    const given = route.parameters[parameter.name];
    const last = given !== undefined && isGuessed(given) ? await lastAnswered(isAnswered) : null;
    if (last === null) continue;
    ranges.known.set(`${route.path} ${parameter.name}`, numbersTo(1, last));
    answers.set(name, null);
  }
  return { answers, writes, clients };
}

function numbersTo(min: number, max: number): ParameterRows {
  return { of: null, parameter: { min, max }, rows: max - min + 1 };
}

/** The last number from 1 on that is answered well, by halves: rows are mostly numbered so. Null where 1 is not, or one is not known in time. */
async function lastAnswered(isAnswered: (number: number) => Promise<boolean | null>): Promise<number | null> {
  if ((await isAnswered(1)) !== true) return null;
  let [last, beyond]: [number, number] = [1, guessedIds.max + 1];
  for (let next: number = guessedIds.max; beyond - last > 1; next = Math.floor((last + beyond) / 2)) {
    const answered = await isAnswered(next);
    if (answered === null) return null;
    if (answered) last = next;
    else beyond = next;
  }
  return last;
}

function isDrawn({ path }: Route): boolean {
  return parametersOf(path).length > 0;
}

/**
 * The clients of its database, and how many transactions have written on the server so far: only those are given a number. No other client works there during
 * the introspection of a service.
 */
async function activityOf(database: pg.Client | null): Promise<{ next: string; clients: number }> {
  const sql = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, (${otherClients}) AS clients`;
  return (await database?.query<{ next: string; clients: number }>(sql))?.rows[0] ?? { next: '', clients: 0 };
}

/** What the process itself shows in addition to the routes that its framework reports. */
interface SeenInProcess {
  /** What looks like a route. */
  guessed: Seen['routes'];
  /** Words under which it keeps functions, or that its own classes name. */
  words: readonly string[];
  /** Asks the process where it has looked for `noSuchPath` so far: the paths that exist next to it. */
  lookedUp: () => Promise<readonly string[]>;
}

/**
 * What else is answered well: what the process holds that looks like a route, then what its sources mention, then what many services answer. Where nothing is,
 * the routes that exist all the same, with what is wrong with their answers.
 */
export async function askedBeside(
  service: FoundService,
  told: Seen['routes'],
  inProcess: SeenInProcess,
  answers: ReadonlyMap<string, WrongAnswer | null>,
  { own, ...within }: Omit<Asking, 'isOver' | 'failing'> & { own: OwnTime },
): Promise<{ found: FindingOf<'route'>[]; failing: Map<string, WrongAnswer> }> {
  const startedMs = own.spentMs();
  const failing: NonNullable<Asking['failing']> = new Map();
  const asking = { ...within, isOver: () => own.spentMs() - startedMs > askingMs };
  const found = await answeredBeside(service, told, inProcess, answers, { asking, failing });
  const known = answers.size > 0 || found.length > 0;
  if (known || failing.size === 0 || !(await failsWhereItExists(asking))) return { found, failing: new Map() };
  return {
    found: [...failing.values()].map(({ finding }) => finding),
    failing: new Map([...failing].map(([name, { wrong }]) => [name, wrong])),
  };
}

/**
 * Whether a path is that of a route, with numbers for its parameters, or other names: a process also holds what it was asked for, and the same path as a route of
 * another method has it.
 */
function isFilledIn(route: string, path: string): boolean {
  const [parts, others] = [route.split('/'), path.split('/')];
  const isSame = (part: string, other = ''): boolean => part === other || (part.startsWith(':') && /^(?:\d+$|[:{[])/.test(other));
  return parts.length === others.length && parts.every((part, index) => isSame(part, others[index]));
}

async function answeredBeside(
  service: FoundService,
  told: Seen['routes'],
  { guessed, words, lookedUp }: SeenInProcess,
  answers: ReadonlyMap<string, WrongAnswer | null>,
  { asking, failing }: { asking: Asking; failing: NonNullable<Asking['failing']> },
): Promise<FindingOf<'route'>[]> {
  const declared = reconciledRoutes(service, told);
  const known = new Set(declared.map(({ title }) => title));
  const answersGraphql = declared.some(({ route }) => route.method === 'POST' && /graphql$/i.test(route.path));
  const mayBe = [...guessed, ...declared.map(({ route }) => route)].flatMap(({ method, path }) => (method === 'GET' ? [] : [path]));
  const graphql = answersGraphql ? [] : await graphqlRoutes(asking, mayBe);
  const answersWell = [...answers].some(([name, wrong]) => wrong === null && known.has(name));
  // Where everything is answered, an answer says of no path that it is one.
  if (await answersAnything(asking)) return [...(answersWell ? [] : await answered(guessesOf(['/'], 'tried'), asking)), ...graphql];
  const held = guessed.flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
  const unknown = held.filter((path) => !declared.some(({ route }) => route.method === 'GET' && isFilledIn(route.path, path)));
  const alone = await answered(guessesOf(unknown, 'seen when it ran'), { ...asking, failing });
  const found = answersWell ? alone : [...alone, ...(await joinedPaths(held, alone, asking))];
  const beside = await besideNothing(lookedUp, new Set([...known, ...found.map(({ title }) => title)]), asking);
  const seen = [...found, ...beside, ...graphql];
  if (answersWell || seen.some(({ route }) => !isHealth(route))) return seen;
  const mentioned = guessesOf(['/', ...(service.mentions ?? [])], 'its sources mention it');
  const kept = words.map((word) => ({ path: `/${word}`, because: 'seen when it ran: its own code has that word' }));
  const written = await answered([...mentioned, ...kept], { ...asking, failing });
  const tables = written.map(({ route }) => route.path).filter((path) => path !== '/' && !path.includes(':'));
  const below = await answered(
    tables.map((path) => ({ path: `${path}/:id`, because: `tried below ${path}` })),
    asking,
  );
  const more = written.some(({ route }) => route.path !== '/') ? [...written, ...below] : await askAround(asking);
  return [...seen, ...more.filter(({ title }) => seen.every((one) => one.title !== title))];
}

/** Mount points and what can be below them: as many as few classes name. */
const mostMounts = 12;

/** What is written in one place and mounted in another, as “/{id}” at “/orders”: each path below each other one. */
async function joinedPaths(held: readonly string[], alone: readonly FindingOf<'route'>[], asking: Asking): Promise<FindingOf<'route'>[]> {
  const paths = [...new Set(held)].filter((path) => path !== '/');
  const known = new Set(alone.map(({ title }) => title));
  const mounts = paths.filter((path) => !/[:{<[*]/.test(path)).slice(0, mostMounts);
  const joined: Guess[] = [];
  for (const mount of mounts) {
    if (asking.isOver()) break;
    // Below a page that answers whatever lies below it, an answer says nothing of a path.
    const anything = await answered(guessesOf([`${mount}/${noSuchPath}`], ''), asking);
    if (anything.length > 0) continue;
    const below = paths.filter((path) => path !== mount && !path.startsWith(`${mount}/`)).slice(0, mostMounts);
    joined.push(...below.map((path) => ({ path: `${mount}${path}`, because: `seen when it ran: ${path} below ${mount}` })));
  }
  return (await answered(joined, asking)).filter(({ title }) => !known.has(title));
}

/** The number of nested tables, and of tables at each depth, that are searched. */
const deepest = 3;
const mostTables = 8;

/** Where the process looks for a path that does not exist, others exist next to it: these are requested, and the paths below those that are not answered. */
async function besideNothing(
  lookedUp: SeenInProcess['lookedUp'],
  known: ReadonlySet<string>,
  asking: Asking,
): Promise<FindingOf<'route'>[]> {
  const found: FindingOf<'route'>[] = [];
  const seen = new Set<string>();
  // What lies at the top was looked for when it was asked whether everything is answered.
  for (let depth = 0; depth < deepest; depth += 1) {
    const paths = (await lookedUp()).filter((path) => !seen.has(path));
    if (paths.length === 0 || asking.isOver()) break;
    for (const path of paths) seen.add(path);
    const near = paths.flatMap((path) => [path, `${path}/:id`]).filter((path) => !known.has(`GET ${path}`));
    const answeredWell = await answered(guessesOf(near, 'seen when it ran: it looks for paths there'), asking);
    found.push(...answeredWell);
    const open = paths.filter((path) => answeredWell.every(({ route }) => !`${route.path}/`.startsWith(`${path}/`))).slice(0, mostTables);
    const nowhere = open.map((path) => `${path}/${noSuchPath}`);
    await answered(guessesOf(nowhere, ''), asking);
  }
  return found;
}
