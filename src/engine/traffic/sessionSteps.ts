import type { z } from 'zod';
import type { scenarioStepSchema } from '../../model/domain/scenario.ts';
import { freeName } from '../files/freeName.ts';
import { decoded } from '../files/namedSecrets.ts';
import { secretName } from '../files/redact.ts';
import { type KnownValue, KnownValues } from './knownValues.ts';
import type { ObservedTraffic, TrafficRow } from './observed.ts';
import { bodyTemplate } from './requestBody.ts';
import { type ObservedRoute, type ObservedRoutes, queryOf } from './routes.ts';
import type { SecretHoles } from './secretHoles.ts';

/** A step as it is written: without what follows from its defaults. */
export type WrittenStep = z.input<typeof scenarioStepSchema>;

/** The part of a session that becomes a role, and what was left out of it. */
export interface SessionSteps {
  once: WrittenStep[];
  steps: WrittenStep[];
  /** Requests whose cookies no recorded answer had set. */
  unknownCookies: number;
}

export interface StepOptions {
  /** Whether a request of this route is sent that writes. */
  writes: (route: string) => boolean;
  /** Think times as they were recorded. */
  asRecorded: boolean;
  /** What goes beyond is left. */
  mostSteps: number;
}

const longestThinkMs = 60_000;
/** Set by the client that sends a request, or specific to the browser that was recorded. */
const ownHeaders =
  /^(?:host|cookie|connection|content-length|transfer-encoding|keep-alive|upgrade.*|expect|te|user-agent|accept-encoding|accept-language|cache-control|pragma|origin|referer|dnt|priority|if-.*|sec-.*|proxy-.*|x-forwarded-.*|forwarded|via|range)$/;

interface Seen {
  row: number;
  request: TrafficRow;
  route: ObservedRoute;
  /** Where values of its headers came from, by their names. */
  headers: Map<string, { known: KnownValue; value: string }>;
  /** Which earlier requests had set the cookies that it sent. */
  cookiesOf: number[];
  unknownCookies: boolean;
}

export function isWriting(method: string): boolean {
  return method !== 'GET';
}

/** Whether all is known that has to be sent: of a body a log says nothing. */
export function isSendable(method: string, hasDetails: boolean): boolean {
  return hasDetails || method === 'GET' || method === 'DELETE';
}

/**
 * The steps of one session: its requests that were answered well, in their order. What a request needs of an earlier answer is extracted from that answer; a
 * request that signs in is kept though it writes, and done once for each user, with all before it.
 */
export function sessionSteps(
  traffic: ObservedTraffic,
  { routes, routeOf }: ObservedRoutes,
  rows: readonly number[],
  secrets: SecretHoles,
  { writes, asRecorded, mostSteps }: StepOptions,
): SessionSteps {
  const known = new KnownValues();
  const setters = new Map<string, number>();
  const seen = rows.flatMap((row): Seen[] => {
    const request = traffic.row(row);
    const route = routes[routeOf[traffic.targetIdOf(row)] ?? -1];
    if (route === undefined || !isAsked(request)) return [];
    const one: Seen = { row, request, route, headers: new Map(), cookiesOf: [], unknownCookies: false };
    for (const [name, value] of Object.entries(request.details?.headers ?? {})) {
      const found = known.key(bare(value), row);
      if (found !== null && !ownHeaders.test(name)) one.headers.set(name, { known: found, value: bare(value) });
    }
    for (const name of cookieNames(request.details?.headers['cookie'])) {
      const setter = setters.get(name);
      if (setter === undefined) one.unknownCookies = true;
      else one.cookiesOf.push(setter);
    }
    const answer = request.details?.answer;
    if (answer !== undefined && answer !== null) {
      known.remember(row, isWriting(request.method), answer);
      for (const name of answer.setCookies.filter((line) => !isEnding(line)).flatMap(cookieNames)) setters.set(name, row);
    }
    return [one];
  });
  const kept = keptRows(seen, writes);
  const signedIn = kept.signingIn;
  const endings = new Set(seen.filter(({ request }) => endsSession(request)).map(({ row }) => row));
  const sent = seen.filter(({ row }) => kept.rows.has(row) && !(endings.has(row) && signedIn.size > 0)).slice(0, mostSteps);
  const taken = new Map<number, Record<string, string>>();
  const use = ({ row, name, source }: KnownValue): string => {
    taken.set(row, { ...taken.get(row), [name]: source });
    return `{{${name}}}`;
  };
  const usable = (value: KnownValue | null): KnownValue | null => (value !== null && kept.rows.has(value.row) ? value : null);
  const written = sent.map((one) => writtenStep(one, { known, usable, use, secrets }));
  const lastSignIn = sent.findLastIndex(({ row }) => signedIn.has(row));
  const names = new Set<string>();
  const steps = written.map((step, index): WrittenStep => {
    const [here, next] = [sent[index]?.request.atMs, sent[index + 1]?.request.atMs];
    const gapMs = Math.min(longestThinkMs, Math.max(0, (next ?? 0) - (here ?? 0)));
    const extract = taken.get(sent[index]?.row ?? -1);
    return {
      ...step,
      name: freeName(step.name, (number) => `${step.name} (${number})`, names),
      ...(extract === undefined ? {} : { extract }),
      ...(asRecorded && gapMs > 0 && next !== undefined && next !== null
        ? { thinkMs: { min: Math.round(gapMs / 2), max: Math.round(gapMs * 1.5) } }
        : {}),
    };
  });
  // Where nothing follows, signing in itself is repeated.
  const cut = lastSignIn + 1 < steps.length ? lastSignIn + 1 : 0;
  return {
    once: steps.slice(0, cut),
    steps: steps.slice(cut),
    unknownCookies: sent.filter(({ unknownCookies }) => unknownCookies).length,
  };
}

/** What was asked for and answered well: HEAD and OPTIONS are a browser’s own, and an error is not replayed. */
function isAsked({ method, status }: TrafficRow): boolean {
  return method !== 'HEAD' && method !== 'OPTIONS' && (status ?? 200) < 400;
}

/** What reads, what writes and was chosen, and what those need to be let in. */
function keptRows(seen: readonly Seen[], writes: (route: string) => boolean): { rows: Set<number>; signingIn: Set<number> } {
  const rows = new Set(
    seen
      .filter(
        ({ request, route }) =>
          !isWriting(request.method) || (writes(route.name) && isSendable(request.method, request.details !== undefined)),
      )
      .map(({ row }) => row),
  );
  const signingIn = new Set<number>();
  const writing = new Set(seen.filter(({ request }) => isWriting(request.method)).map(({ row }) => row));
  for (const one of seen.toReversed()) {
    if (!rows.has(one.row)) continue;
    for (const row of [...one.cookiesOf, ...[...one.headers.values()].map(({ known }) => known.row)]) {
      rows.add(row);
      if (writing.has(row)) signingIn.add(row);
    }
  }
  return { rows, signingIn };
}

interface Surroundings {
  known: KnownValues;
  usable: (value: KnownValue | null) => KnownValue | null;
  use: (value: KnownValue) => string;
  secrets: SecretHoles;
}

function writtenStep({ row, request, route, headers }: Seen, { known, usable, use, secrets }: Surroundings): WrittenStep {
  const field = (name: string, value: string): string | null => {
    const found =
      usable(known.key(value, row)) ?? usable(known.inPage(name, value, row)) ?? usable(ownKey(known.made(value, row), name, value));
    if (found !== null) return use(found);
    return secrets.isSecret(name, value) ? secrets.hole(name, value, route.name) : null;
  };
  const sentHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.details?.headers ?? {})) {
    if (ownHeaders.test(name) || value.includes('{{')) continue;
    const found = headers.get(name);
    if (found !== undefined && usable(found.known) !== null) sentHeaders[name] = value.replace(found.value, () => use(found.known));
    else
      sentHeaders[name] = secrets.isSecret(name, value)
        ? value.replace(bare(value), () => secrets.hole(name, bare(value), route.name))
        : value;
  }
  const contentType = sentHeaders['content-type'] ?? '';
  const { body } = request.details ?? { body: null };
  const template = body === null || body === '' || request.method === 'GET' ? null : bodyTemplate(body, contentType, field);
  return {
    name: route.name.slice(0, 70),
    ...(request.method === 'GET' ? {} : { method: request.method as WrittenStep['method'] }),
    path: pathOf({ row, request, route }, { known, usable, use, secrets }),
    ...(Object.keys(sentHeaders).length === 0 ? {} : { headers: sentHeaders }),
    ...(template === null ? {} : { body: template }),
  };
}

/** The path with its holes: of parameters, of what a request of this session has made, and of secrets. */
function pathOf({ row, request, route }: Pick<Seen, 'row' | 'request' | 'route'>, { known, usable, use, secrets }: Surroundings): string {
  const [pathText = ''] = request.target.split('?', 1);
  const values = valuesIn(pathText, route);
  let path = route.path;
  for (const [index, { hole }] of route.parameters.entries()) {
    const value = values[index];
    const found = value === undefined ? null : usable(known.made(value, row));
    if (found !== null) path = path.replace(`{{${hole}}}`, () => use(found));
  }
  const given = new Map(queryOf(request.target));
  const query = route.query.map(({ name, hole }) => {
    const value = given.get(name) ?? '';
    const found = usable(known.key(value, row));
    const filled =
      found !== null ? use(found) : secretName.test(name) && value !== '' ? secrets.hole(name, value, route.name) : `{{${hole}}}`;
    return `${encodeURIComponent(name)}=${filled}`;
  });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function valuesIn(path: string, route: ObservedRoute): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return route.path
    .split('/')
    .filter((part) => part !== '')
    .flatMap((part, index) => (part.startsWith('{{') ? [decoded(parts[index] ?? '')] : []));
}

/** A short number that a request was answered with is meant again only under the name of a key. */
function ownKey(made: KnownValue | null, field: string, value: string): KnownValue | null {
  if (made === null) return null;
  return /id$/i.test(field) || made.field === field || value.length >= 6 ? made : null;
}

/** `Bearer x`: the value alone. */
function bare(value: string): string {
  return value.replace(/^(?:bearer|basic|token|digest)\s+/i, '');
}

function cookieNames(header: string | undefined): string[] {
  return (header ?? '').split(';').flatMap((pair, index, all) => {
    const equals = pair.indexOf('=');
    // Only the first part of Set-Cookie is a cookie; the others are its attributes.
    return equals === -1 || (index > 0 && /^\s*(?:path|domain|expires|max-age|samesite)\s*=/i.test(pair) && all.length > 1)
      ? []
      : [pair.slice(0, equals).trim()];
  });
}

/** Whether an answer takes a cookie back. */
function isEnding(setCookie: string): boolean {
  const maxAge = /;\s*max-age\s*=\s*(-?\d+)/i.exec(setCookie)?.[1];
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = /;\s*expires\s*=\s*([^;]+)/i.exec(setCookie)?.[1];
  return expires !== undefined && Date.parse(expires) < Date.UTC(2000, 0);
}

function endsSession({ details }: TrafficRow): boolean {
  return details?.answer?.setCookies.some(isEnding) === true;
}
