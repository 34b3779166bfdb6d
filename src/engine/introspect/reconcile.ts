import {
  type Finding,
  type FindingOf,
  type FoundService,
  type Question,
  findingsOf,
  variablesNamed,
} from '../../model/domain/detection.ts';
import { listPhrase } from '../../model/domain/format.ts';
import type { RouteParameter } from '../../model/domain/target.ts';
import { type WrongAnswer, signInCure, wantsSignIn } from '../targets/askRoutes.ts';
import { plainRoute } from '../detect/pathRoute.ts';
import { addressFinding, isHealth, sizeFinding, startOrder } from '../detect/parts.ts';
import { filled, numbersWithGaps, parametersOf, rowsPhrase } from './parameterRows.ts';
import { reconciledRoutes } from './reconciledRoutes.ts';
import { type Seen, libpqVariables, seenPhrase } from './seen.ts';

/** What the files say with what was seen: each thing says how it is known, what was contradicted is gone, and what is still open is a question. */
export function reconciled(service: FoundService, seen: Seen): { service: FoundService; remarks: string[] } {
  const remarks: string[] = [];
  const questions = (part: Question['part']): Question[] => service.questions.filter((one) => one.part === part);
  const own = routeFindings(service, seen, remarks);
  const ready = findingsOf(service.findings, 'ready').map(({ path }) => path);
  // Of a route that is known and not in the mix, as one that writes is, a request that was answered well says more.
  const asked = seen.asked
    .filter(({ title, route }) => !own.some((one) => one.title === title && isMixed(one)) && !ready.includes(route.path))
    .map((one): FindingOf<'route'> => {
      const answer = seen.answers.get(one.title);
      return answer == null || isMixed(one) ? one : { ...one, because: `${one.because}; ${leftOut(answer)}`, sure: false };
    });
  // A GET of where GraphQL answers wants a query, too: nobody is asked for it.
  const isQueried = ({ title, route }: FindingOf<'route'>): boolean =>
    route.method === 'GET' && seen.answers.get(title) != null && asked.some((one) => one.title === `POST ${route.path}`);
  const others = own.filter((one) => !asked.some(({ title }) => title === one.title) && !isQueried(one));
  const routes = withoutMinor([...others.filter(isMixed), ...asked, ...others.filter((one) => !isMixed(one))]);
  const answersNothing = !routes.some(isMixed);
  if (routes.length === 0) routes.push(firstPage);
  const settings = settingFindings(service, seen);
  const postgres = postgresFinding(service, seen);
  const findings: Finding[] = [
    ...findingsOf(service.findings, 'command').map((one) => ({ ...one, because: `${one.because}; it came up`, sure: true, seen: true })),
    portFinding(service, seen),
    ...readyPath(service, seen, routes).map((one) => ({ ...one, ...patience(seen) })),
    ...postgres.findings,
    ...findingsOf(service.findings, 'sql'),
    ...findingsOf(service.findings, 'migrations'),
    ...settings.findings,
    ...routes,
  ];
  return {
    service: {
      ...service,
      findings: startOrder(findings),
      questions: [
        ...questions('command'),
        ...(answersNothing ? [whatIsAnswered(routes, seen)] : []),
        ...postgres.questions,
        ...(answersNothing || lacksTables(seen) ? questions('sql') : []),
        ...settings.questions,
        ...routeQuestions(routes, seen),
      ],
    },
    remarks,
  };
}

/** Without its tables a service answers with its own error; one that answers well has made them, or needs none. */
function lacksTables({ answers }: Seen): boolean {
  return [...answers.values()].some((answer) => (answer?.status ?? 0) >= 500);
}

/** The route of a service that answered nothing well, until somebody knows better: a file can be written, and the run says what is missing. */
export const firstPage: FindingOf<'route'> = {
  part: 'route',
  title: 'GET /',
  because: 'nothing that it was asked for was answered well, so that this is only a beginning',
  sure: false,
  route: plainRoute('/'),
};
const mostNamed = 3;

function whatIsAnswered(routes: readonly FindingOf<'route'>[], { answers }: Seen): Question {
  const writing = routes.filter(({ route }) => route.method !== 'GET').map(({ title }) => title);
  const more = writing.length > mostNamed ? ' and others' : '';
  const unasked =
    writing.length === 0
      ? ''
      : ` ${writing.slice(0, mostNamed).join(', ')}${more} may write, and was not asked: give one the “body” that it expects.`;
  const refused = routes.filter(({ title }) => wantsSignIn.has(answers.get(title)?.status ?? null)).map(({ title }) => title);
  const signIn = refused.length === 0 ? '' : ` Refused without a sign-in: ${refused.slice(0, mostNamed).join(', ')}. ${signInCure}`;
  return { part: 'route', text: `Which path does it answer? Nothing that it was asked for was answered well.${unasked}${signIn}` };
}

/** Routes that only say that the service is up, or that a library brings, are in the mix where there are no others. */
function withoutMinor(routes: readonly FindingOf<'route'>[]): FindingOf<'route'>[] {
  const minor = routes.filter((one) => isMixed(one) && minorPhrase(one) !== null);
  const rest = routes.filter((one) => !minor.includes(one));
  if (!rest.some(isMixed)) return [...routes];
  const left = minor.map((one) => ({
    ...one,
    because: `${one.because}; left out of the mix: ${minorPhrase(one)}`,
    route: { ...one.route, weight: 0 },
  }));
  return [...rest.filter(isMixed), ...left, ...rest.filter((one) => !isMixed(one))];
}

/** Why a route is not what a service is for; null where it may be. */
export function minorPhrase({ route, ofLibrary }: Pick<FindingOf<'route'>, 'route' | 'ofLibrary'>): string | null {
  if (isHealth(route)) return 'it only says that the service is up';
  return ofLibrary === true ? 'a library answers it, and not the app’s own code' : null;
}

/** Whether it is requested by default. */
function isMixed({ route }: FindingOf<'route'>): boolean {
  return route.weight > 0;
}

/** Whether a path is what a route of the framework with parameters stands for: `/orders/7` of `/orders/:id`. */
function isOneOf({ route: { method, path } }: FindingOf<'route'>, known: readonly FindingOf<'route'>[]): boolean {
  const parts = path.split('/');
  return known.some((one) => {
    const others = one.route.path.split('/');
    const fits = (other: string, index: number): boolean => other === parts[index] || (other.startsWith(':') && parts[index] !== '');
    return one.seen === true && one.route.method === method && others.length === parts.length && others.every(fits);
  });
}

function routeFindings(service: FoundService, seen: Seen, remarks: string[]): FindingOf<'route'>[] {
  const all = reconciledRoutes(service, seen.routes);
  // Where a part of the framework cannot be looked into, what is not there may be in that part.
  const anySeen = all.some((one) => one.seen === true);
  const whole = anySeen && !seen.routes.some(({ path }) => path.includes('*'));
  const findings = all.flatMap((one): FindingOf<'route'>[] => {
    const answer = seen.answers.get(`${one.route.method} ${one.route.path}`);
    // The framework does not have it, and the app does not answer it: it is in a file that is not in use.
    const absent = whole && answer !== null && !isOneOf(one, all);
    if (one.seen !== true && (absent || (anySeen && answer?.status === 404))) {
      remarks.push(`${one.title} stands in ${one.because}, but the app that ran has no such route at that path.`);
      return [];
    }
    const route = filled(one.route, seen.ranges);
    const writes = seen.writes.has(`${one.route.method} ${one.route.path}`);
    const fills = parametersOf(route.path).map(({ name }) => ({ name, range: seen.ranges.get(`${one.route.path} ${name}`) }));
    const because = [
      one.because,
      ...(answer === null ? ['answered well when it was asked once'] : []),
      ...(writes ? ['it wrote to the database then'] : []),
      ...(answer == null ? [] : [leftOut(answer)]),
      ...fills.flatMap(({ name, range }) => (range === undefined ? [] : [rowsPhrase(name, range)])),
    ].join('; ');
    const gaps = fills.some(({ range }) => range !== undefined && numbersWithGaps(range) !== null);
    const open = fills.some(({ range }) => range === undefined);
    return [
      {
        ...one,
        because,
        seen: one.seen === true || answer === null,
        sure: (one.seen === true || answer === null || one.sure) && !gaps && !open && !writes && answer == null,
        route: answer == null ? route : { ...route, weight: 0 },
      },
    ];
  });
  const rank = ({ route }: FindingOf<'route'>): number => (route.method !== 'GET' ? 2 : route.weight === 0 ? 1 : 0);
  return findings.sort((a, b) => rank(a) - rank(b));
}

function routeQuestions(routes: readonly FindingOf<'route'>[], seen: Seen): Question[] {
  return routes.flatMap(({ route, title }): Question[] => {
    const answer = seen.answers.get(`${route.method} ${route.path}`);
    if (answer != null) return [{ part: 'route', text: `What does ${title} need? When it was asked once it ${sentence(answer.words)}` }];
    return parametersOf(route.path).flatMap(({ name }): Question[] => {
      const range = seen.ranges.get(`${route.path} ${name}`);
      if (range === undefined)
        return route.method === 'GET' && answer !== null
          ? [{ part: 'route', text: `What may :${name} of ${title} be? No column of its database says it.` }]
          : [];
      const numbers = numbersWithGaps(range);
      return numbers !== null && range.of !== null
        ? [
            {
              part: 'route',
              text: `Of the ${numbers} numbers that :${name} of ${title} is drawn from, ${range.rows} exist in ${range.of.table}.${range.of.column}: is a 404 an answer to measure?`,
            },
          ]
        : [];
    });
  });
}

function portFinding(service: FoundService, seen: Seen): FindingOf<'port'> {
  const { given, port } = seen;
  const [found] = findingsOf(service.findings, 'port');
  const known = new Set(['PORT', libpqVariables.port, ...service.findings.flatMap(variablesNamed)]);
  const untried = seen.variables.find(({ name, place }) => /PORT$/.test(name) && place !== null && !known.has(name));
  if (port !== given)
    return {
      part: 'port',
      title: untried === undefined ? `always port ${port}` : `port ${port}`,
      because: `${seenPhrase}: it listens there${untried === undefined ? ', whatever port it is given' : `; ${untried.name} may set another`}`,
      sure: untried === undefined,
      seen: true,
      port: { fixed: port },
    };
  const read = seen.variables.find(({ name, place }) => name === 'PORT' && place !== null);
  const [title, because] = [
    found?.title ?? 'port from PORT',
    found?.because ?? (read === undefined ? 'tried' : `${String(read.place)} reads PORT`),
  ];
  return {
    part: 'port',
    title,
    because: `${because}; ${seenPhrase}: it listens where it was told`,
    sure: true,
    seen: true,
    port: found?.port ?? { env: 'PORT' },
  };
}

/** What starts slowly is given four times as long, since other starts have more to do, or less of the machine. */
const slowStartMs = 15_000;
const longestStartMs = 600_000;
function patience({ startUpMs }: Seen): Pick<FindingOf<'ready'>, 'timeoutMs'> {
  return startUpMs < slowStartMs ? {} : { timeoutMs: Math.min(longestStartMs, Math.ceil((4 * startUpMs) / 10_000) * 10_000) };
}

function readyPath(service: FoundService, { answers }: Seen, routes: readonly FindingOf<'route'>[]): FindingOf<'ready'>[] {
  const [found] = findingsOf(service.findings, 'ready');
  if (found !== undefined && answers.get(`GET ${found.path}`) === null)
    return [{ ...found, because: `${found.because}; ${seenPhrase}`, sure: true, seen: true }];
  const good = routes.filter(({ route }) => route.method === 'GET' && answers.get(`GET ${route.path}`) === null);
  const chosen = good.find(({ route }) => Object.keys(route.parameters).length === 0) ?? good[0];
  if (chosen === undefined) return found === undefined ? [] : [found];
  const path = chosen.route.path.replace(/:(\w+)/g, (_, name: string) => firstOf(chosen.route.parameters[name]));
  return [
    { part: 'ready', title: `ready when ${path} answers`, because: `${seenPhrase}: it was answered well`, sure: true, seen: true, path },
  ];
}

function firstOf(parameter: RouteParameter | undefined): string {
  if (parameter === undefined) return '1';
  return 'values' in parameter ? encodeURIComponent(parameter.values[0] ?? '') : String(parameter.min);
}

function postgresFinding(
  service: FoundService,
  { connections, libpq, pools, refused, led, isMeant, byProbe }: Seen,
): { findings: FindingOf<'postgres'>[]; questions: Question[] } {
  const at = refused === null ? '' : ` Its output says that ${refused}.`;
  const asked = service.questions.filter(({ part }) => part === 'postgres').map((one) => ({ ...one, text: `${one.text}${at}` }));
  const [found] = findingsOf(service.findings, 'postgres');
  if (connections === null) return { findings: found === undefined ? [] : [found], questions: asked };
  const told: FindingOf<'postgres'> | undefined =
    led.length > 0 || (byProbe && isMeant)
      ? ledFinding(led)
      : libpq
        ? addressFinding({ ...libpqVariables }, { because: `${service.driver ?? 'its driver'} reads them by itself`, sure: true })
        : found;
  if (told === undefined) return { findings: [], questions: asked };
  if (connections > 0)
    return {
      findings: [
        { ...told, because: `${told.because}; ${seenPhrase}: it connected to the database that it was given`, sure: true, seen: true },
      ],
      questions: [],
    };
  // Its routes may want a sign-in, or write: none that was asked needs its database.
  if (isMeant) {
    const because = `${told.because}; ${seenPhrase}: its pool is for the database that it was given, and opened no connection yet`;
    return { findings: [{ ...told, because, sure: true, seen: true }], questions: [] };
  }
  const elsewhere = pools.filter(({ total }) => total > 0).map(({ name }) => name);
  const names = Object.values(told.env).join(', ');
  const where = elsewhere.length === 0 ? 'it opened no connection' : `it connected to ${elsewhere.join(', ')}`;
  const text = `Which variable holds the address of its database? It was given one by ${names}, and ${where}.${at}`;
  if (libpq) return { findings: [], questions: asked };
  return { findings: elsewhere.length > 0 ? [] : [{ ...told, sure: false }], questions: [{ part: 'postgres', text }] };
}

/** The address of a database that no variable holds. */
function ledFinding(led: Seen['led']): FindingOf<'postgres'> {
  const names = [...new Set(led.map(({ host, port, database }) => `${database} at ${host}:${port}`))];
  const what = names.length === 0 ? 'the probe leads its clients there' : `it names ${listPhrase(names)}, and the probe leads it elsewhere`;
  const because = `no variable is known to hold all of it; ${what}`;
  return { part: 'postgres', title: 'PostgreSQL’s address by the probe', because, sure: true, env: {}, probe: true };
}

function settingFindings(
  service: FoundService,
  { tried, pools, threads, probed }: Seen,
): { findings: FindingOf<'setting'>[]; questions: Question[] } {
  const contradicted: Question[] = [];
  const findings = findingsOf(service.findings, 'setting').flatMap((one): FindingOf<'setting'>[] => {
    const value = tried[one.name];
    const sizes = (one.name === 'threads' ? threads : pools).flatMap(({ kind, max }) => (max === null ? [] : [{ kind, max }]));
    const thing = one.name === 'threads' ? 'threads' : 'pool';
    const variable = one.spec.env ?? one.name;
    const same = sizes.find(({ max }) => max === value);
    if (same !== undefined) {
      const size = one.name === 'threads' ? `the ${same.kind} threads were` : `the pool of ${same.kind} was`;
      return [
        { ...one, because: `${one.because}; ${seenPhrase}: ${size} ${same.max} when it was ${String(value)}`, sure: true, seen: true },
      ];
    }
    if (!probed || sizes.length === 0) return [{ ...one, because: `${one.because}; no ${thing} was seen when it ran`, sure: false }];
    contradicted.push({
      part: 'setting',
      setting: thing,
      text: `Which variable sets the size of its ${thing}? ${variable} does not: ${sizeWords(sizes)} when it was ${String(value)}.`,
    });
    return [];
  });
  const sizes = pools.flatMap(({ kind, max }) => (max === null ? [] : [{ kind, max }]));
  const isOpen = sizes.length > 0 && !findings.some(({ name }) => name === 'pool');
  const asked = service.questions
    .filter(({ part }) => part === 'setting')
    .map((one) => (isOpen && one.setting === 'pool' ? { ...one, text: `${one.text} When it ran, ${sizeWords(sizes)}.` } : one));
  return { findings, questions: [...asked, ...contradicted] };
}

/** A service with the size of its pool as a setting where no variable is known to set it, and the probe in the running app can: nobody is asked for one. */
export function withPoolOfProbe(service: FoundService, { probed, pools }: Pick<Seen, 'probed' | 'pools'>): FoundService {
  const [only, ...others] = pools;
  const isKnown = findingsOf(service.findings, 'setting').some(({ name }) => name === 'pool');
  if (isKnown || !probed || only === undefined || others.length > 0 || !only.resizable || only.max === null || only.max < 1) return service;
  const { kind, max } = only;
  const because = `no variable is known to set it; ${seenPhrase}: the pool of ${kind} was ${max}, and the probe can change it`;
  const from = `in the running app, ${max} by default`;
  const finding = sizeFinding('pool', max, { live: 'pool' }, { from, because, sure: true, seen: true });
  return {
    ...service,
    findings: startOrder([...service.findings, finding]),
    questions: service.questions.filter(({ setting }) => setting !== 'pool'),
  };
}

function leftOut(answer: WrongAnswer): string {
  return `left out of the mix: when it was asked once it ${words(answer.words)}`;
}

/** The text with the end of a sentence; for a page only its words. */
function sentence(text: string): string {
  const plain = words(text);
  return /[.?!]$/.test(plain) ? plain : `${plain}.`;
}

const entities: Readonly<Record<string, string>> = { nbsp: ' ', quot: '"', '#34': '"', apos: "'", '#39': "'", lt: '<', gt: '>', amp: '&' };

function words(text: string): string {
  return text
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/&(#?\w{2,4});/g, (entity, name: string) => entities[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 160);
}

function sizeWords(sizes: readonly { kind: string; max: number }[]): string {
  return sizes.map(({ kind, max }) => `that of ${kind} had ${max}`).join(', ');
}
