import { FailureError } from '../../model/domain/failure.ts';
import { shortened } from '../../model/domain/plainText.ts';
import type { RouteAnswer, RouteCheck, RouteTrouble } from '../../model/domain/routeCheck.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { HeardAnswer } from '../answers/heardAnswers.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { isRead, routeName } from '../load/requestMix.ts';
import { poll } from '../supervise/pause.ts';
import { answerHints, isJson } from './answerHints.ts';
import { type FirstAnswer, firstAnswer, hasDraws } from './firstAnswer.ts';
import type { RunningTarget } from './launchTarget.ts';
import { refusedLogin, refusedLoginCure, refusedLoginWords } from './refusedLogin.ts';

/** Of so many draws of a route's parameters the answers are compared. */
const drawsHeard = 20;
/** What is asked in addition to the first time takes no longer than this. */
const hearingMs = 1_000;
const shownBytes = 200;
const shownLines = 12;
const longestLine = 300;
/** How long the app is given to print what it has to say of an error. */
const lastWordsMs = 200;
const logLines = 30;
/** A refused login is looked for in so many: the trace of an exception is long. */
const loginLines = 300;
/** The headers that say what an answer is; others may hold secrets. */
const shownHeaders = ['content-type', 'content-length', 'location'];

/**
 * Asks an app that has just been started for each of these requests, as the load will send them. Fails with `route-fails` where one is answered otherwise than
 * is expected of it (with 4xx or 5xx, a GraphQL query with errors), one is a stream or a WebSocket, or one is refused, whatever its parameters are: with its
 * status, the beginning of the answer, the app’s last lines, and what the other routes answered. A request that is not answered in time is left to the
 * measurement. Returns hints of what may not be meant of answers that are none with an error, and all answers.
 */
export async function askRoutes(
  running: Pick<RunningTarget, 'child' | 'port' | 'reach' | 'declared'>,
  requests: readonly MixRequest[],
  { name, signal }: { name: string; signal?: AbortSignal | undefined },
): Promise<{ hints: RunNote[]; heard: HeardAnswer[] }> {
  const { child, port, reach } = running;
  const printed = child.log.totalLength;
  const found: { request: MixRequest; asked: FirstAnswer }[] = [];
  for (const request of requests) {
    const asked = await firstAnswer({ ...reach, port }, request, signal);
    if (asked !== null) found.push({ request, asked });
  }
  const json = found.filter(({ asked }) => asked.problem === null && isJson(asked.headers)).length;
  const answers = found.map(({ request, asked }): RouteAnswer => {
    const { status, tookMs, problem, trouble } = asked;
    const hints =
      problem === null ? answerHints(asked, { wanted: request.headers, othersAreJson: json > 0 && json === found.length - 1 }) : [];
    return { route: routeName(request), status, tookMs, problem, hints, ...(trouble === undefined ? {} : { trouble }) };
  });
  const first = found.find(({ asked }) => asked.problem !== null);
  if (first === undefined)
    return {
      hints: answers.flatMap(({ route, hints }) => hints.map((hint): RunNote => ({ code: 'answer-hint', about: name, route, hint }))),
      heard: found.flatMap(({ request, asked }) => heardAnswer(request, asked, port)),
    };
  await poll(() => (child.log.totalLength > printed ? true : null), { timeoutMs: lastWordsMs, everyMs: 10, signal });
  throw failing(running, name, first, answers);
}

/**
 * What a process answers to these requests now, and to further draws of their parameters, so that it can be compared with what it and others answer to the same.
 * What is wrong with an answer is for the measurement. Ends early where it takes long.
 */
export async function hearAnswers(
  { port, reach }: Pick<RunningTarget, 'port' | 'reach'>,
  requests: readonly MixRequest[],
  signal?: AbortSignal,
): Promise<HeardAnswer[]> {
  const beganAt = performance.now();
  const heard: HeardAnswer[] = [];
  const reads = requests.filter(isRead);
  for (let draw = 0; draw < drawsHeard; draw += 1) {
    for (const request of draw === 0 ? reads : reads.filter(hasDraws)) {
      if (performance.now() - beganAt > hearingMs) return heard;
      const asked = await firstAnswer({ ...reach, port }, request, signal, { skip: draw, most: 1 });
      if (asked !== null) heard.push(...heardAnswer(request, asked, port));
    }
  }
  return heard;
}

function heardAnswer(request: MixRequest, { path, sent = '', status, headers, bytes, cut }: FirstAnswer, port: number): HeardAnswer[] {
  // What an answer to a request that changes something says, the next one need not say.
  if (status === null || !isRead(request)) return [];
  const ignored = request.expect?.ignore ?? [];
  return [{ route: routeName(request), path, sent, status, headers, bytes, cut, atMs: Date.now(), port, ignored }];
}

/** What is wrong with the answer to a request: its status, null without one, and words that continue from the request’s name. */
export interface WrongAnswer {
  status: number | null;
  words: string;
}

/** What is wrong with an answer; null where nothing is, or it did not come in time. Of a redirect only the redirect would be measured. */
export function wrongAnswer(asked: FirstAnswer | null): WrongAnswer | null {
  if (asked === null) return null;
  if (asked.problem !== null) return { status: asked.status, words: phrase(asked) };
  if (!isRedirect(asked)) return null;
  const place = shortened((asked.headers['location'] ?? '').replace(/^https?:\/\/[^/]*/, ''), shownBytes);
  return { status: asked.status, words: `was redirected${place === '' ? '' : ` to ${place}`} (${asked.status})` };
}

export function isRedirect<A extends Pick<FirstAnswer, 'status'>>(answer: A): answer is A & { status: number } {
  return answer.status !== null && answer.status >= 300 && answer.status < 400 && answer.status !== 304;
}

/** What was wrong, and the beginning of what was said, in one line. */
function phrase({ status, problem, body }: FirstAnswer): string {
  const text = shortened(body.replace(/\s+/g, ' ').trim(), shownBytes);
  return `${problem ?? ''}${status === null || text === '' ? '' : `: ${text}`}`;
}

/** The failure of the first route that cannot be measured. */
function failing(
  { child, declared }: Pick<RunningTarget, 'child' | 'declared'>,
  name: string,
  { request, asked }: { request: MixRequest; asked: FirstAnswer },
  routes: RouteAnswer[],
): FailureError {
  const last = child.log.tail(1);
  const log = child.log.tail(logLines);
  const check: RouteCheck = {
    target: declared.target.id,
    targetLabel: declared.target.label ?? name,
    routes,
    log,
    failing: routeName(request),
    asked: asked.path,
    answer: shownAnswer(asked),
  };
  return new FailureError({
    code: 'route-fails',
    message: `${name}: ${routeName(request)} ${phrase(asked)}.${last === '' ? '' : ` The last line that the app printed is “${last}”.`}`,
    cure: cure(asked, request, declared, child.log.tail(loginLines)),
    detail: log,
    routes: check,
  });
}

/** Its status, what it says of itself, and its first lines. */
function shownAnswer({ status, headers, body }: FirstAnswer): string {
  if (status === null) return '';
  const said = shownHeaders.flatMap((header) => (headers[header] === undefined ? [] : [`${header}: ${headers[header]}`]));
  const lines = body.split(/\r?\n/).slice(0, shownLines);
  return [`HTTP ${status}`, ...said, '', ...lines.map((line) => shortened(line, longestLine))].join('\n').trimEnd();
}

const troubleCures: Readonly<Record<RouteTrouble, string>> = {
  stream:
    'Nothing tells when such a request is answered: measure another route. One that ends after a while says "askFirst": false in benchside.json.',
  websocket: 'Load is put on in HTTP/1.1 requests: measure another route.',
  'rate-limit':
    'Switch the rate limit off for the benchmark, or raise it far above what is measured (in "env" of the target, say): what would be measured is the limit.',
  unexpected: 'Correct the request, or what benchside.json expects of its answer ("expect").',
  graphql: 'Correct the query, its variables or its headers, or ask for another route.',
};

/** What refuses whoever has not signed in. */
export const wantsSignIn: ReadonlySet<number | null> = new Set([401, 403]);
export const signInCure =
  'Sign in as a client does, and give the route what that answers: "headers": { "authorization": "Bearer …" } or { "cookie": "…" } in benchside.json.';

function cure(
  { status, trouble }: FirstAnswer,
  { method, body }: MixRequest,
  { target }: RunningTarget['declared'],
  printed: string,
): string {
  if (trouble !== undefined) return troubleCures[trouble];
  const login = status === null || status >= 500 ? refusedLogin(printed) : null;
  if (login !== null) return `${refusedLoginWords(login)}. ${refusedLoginCure(login, target)}`;
  if (status === null || status >= 500) return 'Look at the app’s log and mend it, or ask for another route.';
  if (wantsSignIn.has(status)) return signInCure;
  if (method !== 'GET' && body === undefined)
    return 'Give the route the "body" that it expects, and "headers" with its content-type, in benchside.json; or ask for another route.';
  return `Check the path, its parameters and its headers; declared are ${target.routes.map(routeName).join(', ')}. A route that is meant to fail says "askFirst": false in benchside.json.`;
}
