import net from 'node:net';
import tls from 'node:tls';
import { type FailureError, failure } from '../../model/domain/failure.ts';
import { defined } from '../../model/domain/defined.ts';
import { type ConnectionTarget, type Reach, placeName, placeOf, plainReach } from '../load/connection.ts';
import { type Silence, askStatus } from './askStatus.ts';

const greetingMs = 1_000;

/** RFC 9113, section 3.4: what a client says first, with a SETTINGS frame of no settings. */
const http2Preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from('000000040000000000', 'hex')]);
/** RFC 9113, section 4.1: 24 bits of length, then the type, flags, and the stream. A server’s first frame is SETTINGS (4) on stream 0. */
const [frameBytes, typeAt, settingsType] = [9, 3, 4];

/** What was heard of who listens somewhere: a status with the way in which it was had, or why there is none. */
export type Heard = { reach: Reach } & ({ status: number } | { silence: Silence } | { speaks: 'h2' | 'h2c' });

/** What TLS was agreed on: HTTP/1.1 (also by one who agrees on nothing), HTTP/2 and nothing else, or no TLS at all. */
type Greeting = 'http1' | 'h2' | null;

/**
 * Requests a path from the listener on a port of this machine, or at a Unix socket: at 127.0.0.1 and then at ::1, in HTTP and then in HTTPS with any
 * certificate. One that speaks HTTP/2 alone is reported as that. Rejects with the signal's reason.
 */
export async function hear(
  at: Pick<ConnectionTarget, 'port' | 'socketPath'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Heard> {
  const hosts = at.socketPath === undefined ? [plainReach.host, '::1'] : [plainReach.host];
  let refused: Heard = { reach: plainReach, silence: 'refused' };
  for (const host of hosts) {
    const heard = await hearAt({ ...plainReach, host, ...defined({ socketPath: at.socketPath }) }, at.port, path, signal);
    if (!('silence' in heard) || heard.silence !== 'refused') return heard;
    refused = heard;
  }
  return refused;
}

async function hearAt(reach: Reach, port: number, path: string, signal: AbortSignal | undefined): Promise<Heard> {
  const plain = await askStatus({ ...reach, port }, path, signal);
  // A TLS server closes a plain connection, or answers 400.
  if (plain !== 400 && plain !== 'broken') return heardOf(reach, plain);
  const secure = { ...reach, tls: true };
  const greeting = await greetInTls({ ...secure, port }, signal);
  if (greeting === 'h2') return { reach: secure, speaks: 'h2' };
  if (greeting === 'http1') return heardOf(secure, await askStatus({ ...secure, port }, path, signal));
  if (plain === 'broken' && (await answersHttp2({ ...reach, port }, signal))) return { reach, speaks: 'h2c' };
  return heardOf(reach, plain);
}

function heardOf(reach: Reach, answer: number | Silence): Heard {
  return typeof answer === 'number' ? { reach, status: answer } : { reach, silence: answer };
}

/** One that prefers HTTP/2 may speak HTTP/1.1, too: it is asked for that alone first. */
async function greetInTls(at: ConnectionTarget, signal: AbortSignal | undefined): Promise<Greeting> {
  const alone = await handshake(at, ['http/1.1'], signal);
  if (alone === 'http/1.1') return 'http1';
  const both = await handshake(at, ['h2', 'http/1.1'], signal);
  if (both === 'h2') return 'h2';
  return alone === null && both === null ? null : 'http1';
}

/** The protocol that was agreed on, '' where none was; null without a handshake. */
function handshake(at: ConnectionTarget, offered: string[], signal: AbortSignal | undefined): Promise<string | null> {
  const socket = tls.connect({ ...placeOf(at), rejectUnauthorized: false, ALPNProtocols: offered });
  return within(socket, signal, (resolve) => {
    socket.once('secureConnect', () => resolve(socket.alpnProtocol === false || socket.alpnProtocol === null ? '' : socket.alpnProtocol));
  });
}

async function answersHttp2(at: ConnectionTarget, signal: AbortSignal | undefined): Promise<boolean> {
  const socket = net.connect(placeOf(at));
  let said = Buffer.alloc(0);
  const answer = await within<true>(socket, signal, (resolve) => {
    socket.on('data', (part: Buffer) => {
      said = Buffer.concat([said, part.subarray(0, frameBytes)]);
      if (said.length < frameBytes) return;
      if (said[typeAt] === settingsType && said.readUInt32BE(5) === 0) resolve(true);
      else socket.destroy();
    });
    socket.write(http2Preface);
  });
  return answer === true;
}

/** What `listen` resolves with; null where the connection ends or a second is over before it does. The connection is closed then. */
async function within<T>(
  socket: net.Socket,
  signal: AbortSignal | undefined,
  listen: (resolve: (value: T) => void) => void,
): Promise<T | null> {
  let over = (): void => undefined;
  const value = await new Promise<T | null>((resolve) => {
    over = () => resolve(null);
    socket.on('error', over).on('close', over).setTimeout(greetingMs, over);
    signal?.addEventListener('abort', over);
    listen(resolve);
  });
  signal?.removeEventListener('abort', over);
  socket.destroy();
  signal?.throwIfAborted();
  return value;
}

export interface Place {
  reach: Reach;
  port: number;
}

/** The failure of a target that speaks HTTP/2 alone. */
export function http2Only(name: string, { reach, port }: Place, speaks: 'h2' | 'h2c', log: string): FailureError {
  return failure(
    'speaks-http2',
    `${name} answers on ${placeName(reach, port)} in HTTP/2 only${speaks === 'h2' ? ' (over TLS)' : ', without TLS (h2c)'}, and Benchside puts load on in HTTP/1.1.`,
    speaks === 'h2'
      ? 'Let it speak HTTP/1.1 beside it while it is measured (Node: allowHTTP1; elsewhere offer http/1.1 by ALPN). gRPC is spoken in HTTP/2 only and cannot be measured.'
      : 'Let it speak HTTP/1.1 beside it while it is measured, on this port or on another. gRPC is spoken in HTTP/2 only and cannot be measured.',
    log,
  );
}
