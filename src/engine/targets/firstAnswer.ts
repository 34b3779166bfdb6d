import type { Dispatcher } from 'undici';
import type { RouteTrouble } from '../../model/domain/routeCheck.ts';
import { type ConnectionTarget, connectorTo } from '../load/connection.ts';
import { expectedAnswer, statusPhrase } from '../load/expectedAnswer.ts';
import { isGraphqlQuery } from '../load/graphqlRequest.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { portAuthorities } from '../load/loopback.ts';
import { RequestSequence } from '../load/requestSequence.ts';

/** A route whose parameters are drawn may name something that is not there; one of so many answers is enough. */
const tries = 5;
/** An answer that takes longer is for the measurement to report. */
export const patienceMs = 5_000;
/** How long an answer that declares itself a stream has to end. */
const streamPatienceMs = 1_500;
/** An answer that declares no length and comes in so many parts, spread over all the patience, is a stream: a slow one is silent first, and comes then. */
const streamParts = 3;
/** The part of an answer that is read. An endless one is closed then. */
const mostBytes = 2 ** 20;

/** What is a stream by its own word: server-sent events, and parts that replace each other. */
const streamTypes = /^\s*(text\/event-stream|multipart\/x-mixed-replace)\b/i;

/** One answer: what it said, or why there is none. */
export interface FirstAnswer {
  path: string;
  sent?: string;
  /** Which draw of its parameters it was, from 0. */
  draw: number;
  status: number | null;
  tookMs: number;
  /** Why it cannot be measured, as words that continue from its name; null: it can. */
  problem: string | null;
  /** What kind of problem that is, where the status does not say it. */
  trouble?: RouteTrouble;
  headers: Record<string, string>;
  /** Its beginning. */
  body: string;
  bytes: Buffer;
  /** More of it was left unread. */
  cut: boolean;
}

type Judged = Pick<FirstAnswer, 'problem' | 'trouble'>;
type Said = Pick<FirstAnswer, 'headers' | 'body'> & { status: number };

/**
 * Asks a target for a request as the load will send it, from the draw of its parameters after `skip` others on. Null where the answer takes too long, which is for the measurement to report. Rejects with the signal's
 * reason.
 */
export async function firstAnswer(
  at: ConnectionTarget,
  request: MixRequest,
  signal: AbortSignal | undefined,
  { skip = 0, most = tries }: { skip?: number; most?: number } = {},
): Promise<FirstAnswer | null> {
  const nothing = { path: request.path, draw: skip, status: null, tookMs: 0, headers: {}, body: '', bytes: Buffer.alloc(0), cut: false };
  if (wantsUpgrade(request.headers))
    return { ...nothing, problem: 'asks to leave HTTP for another protocol (Upgrade), in which no load is put on', trouble: 'websocket' };
  const { authority } = portAuthorities(at.host, [at.port], at.socketPath)[0] ?? { authority: 'localhost' };
  const sequence = new RequestSequence([request], 1, authority);
  for (let gone = 0; gone < skip; gone += 1) sequence.skip();
  // Loaded with its first use: it is a sixth of the engine.
  const undici = await import('undici');
  const client = new undici.Client(`http://${authority}`, {
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    connect: connectorTo(at),
  });
  const late = AbortSignal.timeout(patienceMs);
  let worst: FirstAnswer | null = null;
  let askedPath = request.path;
  const startedAt = performance.now();
  try {
    for (let attempt = 0; attempt < (hasDraws(request) ? most : 1); attempt += 1) {
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
      const saidHeaders = oneOfEach(answer.headers);
      const isStream = streamTypes.test(saidHeaders['content-type'] ?? '');
      const read = await beginningOf(answer.body, isStream ? streamPatienceMs : patienceMs - (performance.now() - startedAt), late);
      signal?.throwIfAborted();
      const said = {
        path,
        ...(sent === null ? {} : { sent }),
        draw: skip + attempt,
        status: answer.statusCode,
        tookMs: performance.now() - sentAt,
        headers: saidHeaders,
        body: read.bytes.toString(),
        bytes: read.bytes,
        cut: read.cut,
      };
      const judged = judge(request, said, read, isStream);
      if (judged === null) return null;
      if (judged.problem === null) return { ...said, problem: null };
      worst = { ...said, ...judged };
      if (judged.trouble === 'stream' || judged.trouble === 'websocket' || judged.trouble === 'rate-limit') return worst;
    }
    return worst;
  } catch (error) {
    signal?.throwIfAborted();
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (late.aborted || code.startsWith('UND_ERR_HEADERS_TIMEOUT') || code.startsWith('UND_ERR_BODY_TIMEOUT')) return null;
    const problem = unansweredWords[code] ?? `got no answer (${code === '' ? String(error) : code})`;
    return { ...nothing, path: askedPath, tookMs: performance.now() - startedAt, problem };
  } finally {
    await client.destroy();
  }
}

const closed = 'got no answer: the connection was closed';
/** Why there is none, by the code of the error. */
const unansweredWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'was refused: nothing listens there any more',
  ECONNRESET: closed,
  UND_ERR_SOCKET: closed,
};

/** What is wrong with an answer; null where it is not known, since it has not ended in time. */
function judge(request: MixRequest, { status, headers, body }: Said, read: Read, isStream: boolean): Judged | null {
  const good = expectedAnswer(request);
  const isGood = good?.isStatus(status) ?? status < 400;
  const wantsWebSocket =
    status === 426 || /\bwebsocket\b/i.test(headers['upgrade'] ?? '') || headers['sec-websocket-version'] !== undefined;
  if (!isGood && wantsWebSocket)
    return { problem: `is a WebSocket: it was answered with ${status}, and leaves HTTP for another protocol`, trouble: 'websocket' };
  if (status === 429 && !isGood) {
    const after = headers['retry-after'];
    return {
      problem: `was answered with 429: a rate limit${after === undefined ? '' : ` (Retry-After: ${after.slice(0, 40)})`}`,
      trouble: 'rate-limit',
    };
  }
  if (!isGood) {
    const asked = request.expect?.status === undefined ? '' : ` instead of ${statusPhrase(request)}`;
    return { problem: `was answered with ${status}${asked}`, ...(status < 400 ? { trouble: 'unexpected' } : {}) };
  }
  if (!read.ended && isStream)
    return {
      problem: `is answered with a stream (${(headers['content-type'] ?? '').split(';')[0]?.trim()}) that does not end`,
      trouble: 'stream',
    };
  if (!read.ended && !read.cut) {
    if (headers['content-length'] !== undefined || read.parts < streamParts) return null;
    return {
      problem: `is answered with a stream: it came in ${read.parts} parts, and had not ended after ${patienceMs / 1000} s`,
      trouble: 'stream',
    };
  }
  const wrong = read.cut ? null : (good?.wrongBody?.(body) ?? null);
  if (wrong === null) return { problem: null };
  return request.expect?.body === undefined && isGraphqlQuery(request)
    ? { problem: `was answered with ${status} and GraphQL errors`, trouble: 'graphql' }
    : { problem: `was answered with ${status}, and its body ${wrong}`, trouble: 'unexpected' };
}

/** Whether one request differs from the next: something is drawn for each. */
export function hasDraws({ parameters }: MixRequest): boolean {
  return Object.keys(parameters).length > 0;
}

function wantsUpgrade(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'upgrade');
}

interface Read {
  bytes: Buffer;
  cut: boolean;
  /** It came to its end, or is longer than the part that is read. */
  ended: boolean;
  parts: number;
}

/** The beginning of a body: no more of it is read, and the connection is closed afterwards anyway. One that has not ended by `withinMs` is closed. */
async function beginningOf(body: Dispatcher.ResponseData['body'], withinMs: number, late: AbortSignal): Promise<Read> {
  const parts: Buffer[] = [];
  let length = 0;
  let left = false;
  const timer = setTimeout(
    () => {
      left = true;
      body.destroy();
    },
    Math.max(0, withinMs),
  );
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part.subarray(0, mostBytes - length));
      length += part.length;
      if (length > mostBytes) break;
    }
  } catch (error) {
    if (!left && !late.aborted) throw error;
    left = true;
  } finally {
    clearTimeout(timer);
  }
  const cut = length > mostBytes;
  return { bytes: Buffer.concat(parts), cut, ended: !left && !cut, parts: parts.length };
}

function oneOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]));
}
