import { Client } from 'undici';
import { failure } from '../../model/failure.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { routeName } from '../load/requestMix.ts';
import { RequestSequence } from '../load/requestSequence.ts';
import { poll } from '../supervise/pause.ts';
import type { RunningTarget } from './launchTarget.ts';

/** A route whose parameters are drawn may name something that is not there; one of so many answers is enough. */
const tries = 5;
/** What takes longer is for the measurement to tell of. */
const patienceMs = 5_000;
const shownBytes = 200;
/** How long the app is given to print what it has to say of an error. */
const lastWordsMs = 200;

interface Answer {
  status: number;
  /** Its first characters, in one line. */
  text: string;
}

/**
 * Asks an app that has just been started for each of these requests, as the load will send them. Fails with `route-fails` for the first that is answered
 * with 4xx or 5xx, or refused, whatever its parameters are: with the status, the beginning of the answer and the app’s last line. A request that is
 * not answered in time is left to the measurement.
 */
export async function askRoutes(
  running: Pick<RunningTarget, 'child' | 'port' | 'declared'>,
  requests: readonly MixRequest[],
  { name, signal }: { name: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const { child, port, declared } = running;
  const printed = child.log.totalLength;
  for (const request of requests) {
    const answer = await ask(port, request, signal);
    if (answer === null) continue;
    await poll(() => (child.log.totalLength > printed ? true : null), { timeoutMs: lastWordsMs, everyMs: 10, signal });
    const last = child.log.tail(1);
    throw failure(
      'route-fails',
      `${name}: ${routeName(request)} ${phrase(answer)}.${last === '' ? '' : ` The last line that the app printed is “${last}”.`}`,
      cure(typeof answer === 'string' ? null : answer.status, declared.target.routes.map(routeName)),
      child.log.tail(30),
    );
  }
}

/** What is wrong with one request, to go on from its name; null when it is answered well, or not in time. */
export async function wrongAnswer(port: number, request: MixRequest, signal?: AbortSignal): Promise<string | null> {
  const answer = await ask(port, request, signal);
  return answer === null ? null : phrase(answer);
}

function phrase(answer: Answer | string): string {
  return typeof answer === 'string' ? answer : `was answered with ${answer.status}${answer.text === '' ? '' : `: ${answer.text}`}`;
}

/** What is wrong with a request; null when it is answered well, or not in time. */
async function ask(port: number, request: MixRequest, signal: AbortSignal | undefined): Promise<Answer | string | null> {
  const sequence = new RequestSequence([request], 1, `127.0.0.1:${port}`);
  const client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: patienceMs, bodyTimeout: patienceMs });
  const late = AbortSignal.timeout(patienceMs);
  try {
    let worst: Answer | null = null;
    for (let attempt = 0; attempt < (Object.keys(request.parameters).length === 0 ? 1 : tries); attempt += 1) {
      const { method, path, headers } = sequence.nextParts();
      const { statusCode, body } = await client.request({
        method,
        path,
        headers,
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      });
      const text = await body.text();
      if (statusCode < 400) return null;
      worst = { status: statusCode, text: text.replace(/\s+/g, ' ').trim().slice(0, shownBytes) };
    }
    return worst;
  } catch (error) {
    signal?.throwIfAborted();
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (late.aborted || code.startsWith('UND_ERR_HEADERS_TIMEOUT') || code.startsWith('UND_ERR_BODY_TIMEOUT')) return null;
    return code === 'ECONNREFUSED'
      ? 'was refused: nothing listens there any more'
      : `got no answer (${code === '' ? String(error) : code})`;
  } finally {
    await client.destroy();
  }
}

function cure(status: number | null, declared: readonly string[]): string {
  if (status === null || status >= 500) return 'Look at the app’s log and mend it, or ask for another route.';
  return `Check the path, its parameters and its headers; declared are ${declared.join(', ')}. A route that is meant to fail says "askFirst": false in benchside.json.`;
}
