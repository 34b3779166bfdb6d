import { Client } from 'undici';
import { FailureError } from '../../model/failure.ts';
import type { RouteAnswer, RouteCheck } from '../../model/routeCheck.ts';
import type { RunNote } from '../../model/runNoteKinds.ts';
import { hasGraphqlErrors, isGraphqlQuery } from '../load/graphqlRequest.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { routeName } from '../load/requestMix.ts';
import { RequestSequence } from '../load/requestSequence.ts';
import { poll } from '../supervise/pause.ts';
import { answerHints, isJson } from './answerHints.ts';
import type { RunningTarget } from './launchTarget.ts';

/** A route whose parameters are drawn may name something that is not there; one of so many answers is enough. */
const tries = 5;
/** What takes longer is for the measurement to tell of. */
const patienceMs = 5_000;
/** What is looked at of an answer. One that goes on for ever is left then. */
const mostBytes = 64 * 1024;
const shownBytes = 200;
/** Of an answer that is shown: its first lines. */
const shownLines = 12;
const longestLine = 300;
/** How long the app is given to print what it has to say of an error. */
const lastWordsMs = 200;
const logLines = 30;
/** The headers that say what an answer is; others may hold secrets. */
const shownHeaders = ['content-type', 'content-length', 'location'];

/** One answer: what it said, or why there is none. */
interface Asked {
  path: string;
  status: number | null;
  tookMs: number;
  problem: string | null;
  headers: Record<string, string>;
  /** Its beginning. */
  body: string;
  /** More of it was left unread. */
  cut: boolean;
}

/**
 * Asks an app that has just been started for each of these requests, as the load will send them. Fails with `route-fails` where one is answered
 * with 4xx or 5xx, a GraphQL query with errors, or one is refused, whatever its parameters are: with its status, the beginning of the answer, the app’s last lines, and what the other
 * routes answered. A request that is not answered in time is left to the measurement. Gives hints: what may not be meant of answers
 * that are none with an error.
 */
export async function askRoutes(
  running: Pick<RunningTarget, 'child' | 'port' | 'declared'>,
  requests: readonly MixRequest[],
  { name, signal }: { name: string; signal?: AbortSignal | undefined },
): Promise<RunNote[]> {
  const { child, port } = running;
  const printed = child.log.totalLength;
  const found: { request: MixRequest; asked: Asked }[] = [];
  for (const request of requests) {
    const asked = await ask(port, request, signal);
    if (asked !== null) found.push({ request, asked });
  }
  const json = found.filter(({ asked }) => asked.problem === null && isJson(asked.headers)).length;
  const answers = found.map(({ request, asked }): RouteAnswer => {
    const { status, tookMs, problem } = asked;
    const hints =
      problem === null ? answerHints(asked, { wanted: request.headers, othersAreJson: json > 0 && json === found.length - 1 }) : [];
    return { route: routeName(request), status, tookMs, problem, hints };
  });
  const first = found.find(({ asked }) => asked.problem !== null);
  if (first === undefined)
    return answers.flatMap(({ route, hints }) => hints.map((hint): RunNote => ({ code: 'answer-hint', about: name, route, hint })));
  await poll(() => (child.log.totalLength > printed ? true : null), { timeoutMs: lastWordsMs, everyMs: 10, signal });
  throw failing(running, name, first, answers);
}

/** What is wrong with the answer to a request: its status, null of none, and words that go on from the request’s name. */
export interface WrongAnswer {
  status: number | null;
  words: string;
}

/** What is wrong with one request; null when it is answered well, or not in time. */
export async function wrongAnswer(port: number, request: MixRequest, signal?: AbortSignal): Promise<WrongAnswer | null> {
  const asked = await ask(port, request, signal);
  return asked === null || asked.problem === null ? null : { status: asked.status, words: phrase(asked) };
}

/** What was wrong, and the beginning of what was said, in one line. */
function phrase({ status, problem, body }: Asked): string {
  const text = body.replace(/\s+/g, ' ').trim().slice(0, shownBytes);
  return `${problem ?? ''}${status === null || text === '' ? '' : `: ${text}`}`;
}

/** The failure of the first route that cannot be measured. */
function failing(
  { child, declared }: Pick<RunningTarget, 'child' | 'declared'>,
  name: string,
  { request, asked }: { request: MixRequest; asked: Asked },
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
    cure: cure(asked.status, declared.target.routes.map(routeName)),
    detail: log,
    routes: check,
  });
}

/** Its status, what it says of itself, and its first lines. */
function shownAnswer({ status, headers, body }: Asked): string {
  if (status === null) return '';
  const said = shownHeaders.flatMap((header) => (headers[header] === undefined ? [] : [`${header}: ${headers[header]}`]));
  const lines = body.split(/\r?\n/).slice(0, shownLines);
  return [`HTTP ${status}`, ...said, '', ...lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))]
    .join('\n')
    .trimEnd();
}

/** What was answered; null where that took too long. */
async function ask(port: number, request: MixRequest, signal: AbortSignal | undefined): Promise<Asked | null> {
  const sequence = new RequestSequence([request], 1, `127.0.0.1:${port}`);
  const client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: patienceMs, bodyTimeout: patienceMs });
  const late = AbortSignal.timeout(patienceMs);
  const graphql = isGraphqlQuery(request);
  let worst: Asked | null = null;
  let askedPath = request.path;
  const startedAt = performance.now();
  try {
    for (let attempt = 0; attempt < (Object.keys(request.parameters).length === 0 ? 1 : tries); attempt += 1) {
      const { method, path, headers, body: sent } = sequence.nextParts();
      askedPath = path;
      const sentAt = performance.now();
      const answer = await client.request({
        method,
        path,
        headers,
        body: sent,
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      });
      const { body, cut } = await beginningOf(answer.body);
      const { statusCode: status } = answer;
      const said = { path, status, tookMs: performance.now() - sentAt, headers: oneOfEach(answer.headers), body, cut };
      const inside = status < 400 && graphql && hasGraphqlErrors(body);
      if (status < 400 && !inside) return { ...said, problem: null };
      worst = { ...said, problem: `was answered with ${status}${inside ? ' and GraphQL errors' : ''}` };
    }
    return worst;
  } catch (error) {
    signal?.throwIfAborted();
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (late.aborted || code.startsWith('UND_ERR_HEADERS_TIMEOUT') || code.startsWith('UND_ERR_BODY_TIMEOUT')) return null;
    const problem =
      code === 'ECONNREFUSED' ? 'was refused: nothing listens there any more' : `got no answer (${code === '' ? String(error) : code})`;
    return { path: askedPath, status: null, tookMs: performance.now() - startedAt, problem, headers: {}, body: '', cut: false };
  } finally {
    await client.destroy();
  }
}

/** The beginning of a body: no more of it is read, and the connection is closed afterwards anyway. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<{ body: string; cut: boolean }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part.subarray(0, mostBytes - bytes));
    bytes += part.length;
    if (bytes > mostBytes) break;
  }
  return { body: Buffer.concat(parts).toString(), cut: bytes > mostBytes };
}

function oneOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]));
}

function cure(status: number | null, declared: readonly string[]): string {
  if (status === null || status >= 500) return 'Look at the app’s log and mend it, or ask for another route.';
  return `Check the path, its parameters and its headers; declared are ${declared.join(', ')}. A route that is meant to fail says "askFirst": false in benchside.json.`;
}
