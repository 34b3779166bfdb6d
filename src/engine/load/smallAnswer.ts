import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * What a port of 127.0.0.1 answers a path with, on a connection of its own; null where nothing is answered within `withinMs`, or more than `longest` characters.
 * `tls`: with any certificate; `patch`: JSON that is sent in place of a plain question.
 */
export function smallAnswer(
  port: number,
  path: string,
  { withinMs, longest, tls = false, patch }: { withinMs: number; longest: number; tls?: boolean; patch?: string },
): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = patch === undefined ? {} : { method: 'PATCH', headers: { 'content-type': 'application/json' } };
    const options = { ...asked, host: '127.0.0.1', port, path, agent: false as const, signal: AbortSignal.timeout(withinMs) };
    const outgoing = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    outgoing.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
        if (text.length > longest) outgoing.destroy();
      });
      answer.once('end', () => resolve(text));
      answer.once('error', () => resolve(null));
    });
    outgoing.once('error', () => resolve(null));
    outgoing.once('close', () => resolve(null));
    outgoing.end(patch);
  });
}
