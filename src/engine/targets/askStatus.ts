import { request } from 'node:http';
import { type ConnectionTarget, openConnection } from '../load/connection.ts';

const answerMs = 2_000;

/** Why there is no status: nobody listens there, nothing was said in time, or what was said is no HTTP/1.1. */
export type Silence = 'refused' | 'late' | 'broken';

export const silenceWords: Readonly<Record<Silence, string>> = {
  refused: 'it did not answer',
  late: `it accepted the connection and did not answer within ${answerMs / 1000} s`,
  broken: 'it accepted the connection and did not answer in HTTP/1.1',
};

/** There is nothing that a connection could lead to. */
const nobodyThere = new Set(['ECONNREFUSED', 'ENOENT', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH', 'EACCES', 'ENOTSOCK']);

/**
 * The status that a process of this machine answers a path with, or why there is none. Rejects with the signal's reason. On a connection of its own: `fetch`
 * keeps a pool for each port that was ever asked, and every start of a target has a new one.
 */
export async function askStatus(at: ConnectionTarget, path: string, signal: AbortSignal | undefined): Promise<number | Silence> {
  const timeout = AbortSignal.timeout(answerMs);
  try {
    return await statusOf(at, path, signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return 'late';
    return nobodyThere.has((error as NodeJS.ErrnoException).code ?? '') ? 'refused' : 'broken';
  }
}

function statusOf(at: ConnectionTarget, path: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const { host, port, socketPath } = at;
    const outgoing = request({
      ...(socketPath === undefined ? { host, port } : { host: 'localhost' }),
      path,
      signal,
      headers: { accept: '*/*' },
      // No agent is used then, and none keeps the connection.
      createConnection: () => openConnection(at),
    });
    outgoing.once('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      // The rest of the answer, and its end, are of no interest.
      outgoing.destroy();
    });
    // It agreed to speak something else.
    outgoing.once('upgrade', (answer, socket) => {
      resolve(answer.statusCode ?? 0);
      socket.destroy();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
