import { request } from 'node:http';

const answerMs = 2_000;

/**
 * The status that a URL of this machine answers with, or what went wrong in words. Rejects with the signal's reason. On a connection of its own: `fetch` keeps
 * a pool for each port that was ever asked, and every start of a target has a new one.
 */
export async function askStatus(url: string, signal: AbortSignal | undefined): Promise<number | string> {
  const timeout = AbortSignal.timeout(answerMs);
  try {
    return await statusOf(url, signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch {
    signal?.throwIfAborted();
    return timeout.aborted ? `it accepted the connection and did not answer within ${answerMs / 1000} s` : 'it did not answer';
  }
}

function statusOf(url: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, signal, headers: { accept: '*/*' } });
    outgoing.once('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      // What it goes on to say, and how it ends, is of no interest.
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
