import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  Agent,
  createServer,
  request,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure } from '../../model/domain/failure.ts';
import { takesConnection } from '../load/connection.ts';
import type { HarEntry } from './sources/har.ts';

const largestBodyBytes = 256 * 1024;
const largestAllBytes = 64 * 1024 * 1024;
const mostRequests = 50_000;
const connectTimeoutMs = 2_000;
const hosts = ['127.0.0.1', '::1'] as const;

/** Header names that are of one connection: RFC 9110, §7.6.1. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** A request that was forwarded and answered, for a line on the terminal. */
export interface SeenRequest {
  method: string;
  path: string;
  status: number;
}

/**
 * A proxy on 127.0.0.1 in front of a service on this machine, which records every request with its answer in memory: bodies up to 256 KB each and 64 MB together.
 * Requests beyond that are forwarded and counted only. Connections that become WebSockets are forwarded and not recorded.
 */
export class RecordingProxy {
  readonly #entries: HarEntry[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #tunnels = new Set<Duplex>();
  #bytes = 0;
  #beyond = 0;

  private constructor(
    private readonly server: Server,
    private readonly service: { host: string; port: number },
    private readonly onRequest: (seen: SeenRequest) => void,
  ) {
    server.on('request', (incoming, outgoing) => this.#forward(incoming, outgoing));
    server.on('upgrade', (incoming, socket, head) => this.#tunnel(incoming, socket, head));
    server.on('error', () => undefined);
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  /**
   * Starts it. Fails with `traffic-no-service` where nothing listens on the service's port, and with `port-taken` where the wanted port is in use.
   *
   * @param listen the port of the proxy; null: any that is free
   */
  static async start(port: number, listen: number | null, onRequest: (seen: SeenRequest) => void): Promise<RecordingProxy> {
    const host = await listeningHost(port);
    const server = createServer();
    await once(server.listen(listen ?? 0, '127.0.0.1'), 'listening').catch(() => {
      const message = `Port ${listen ?? 0} of 127.0.0.1 cannot be listened on.`;
      throw failure('port-taken', message, 'Name another port for the proxy, or leave it out.');
    });
    return new RecordingProxy(server, { host, port }, onRequest);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Requests that were forwarded without being recorded, since a limit was reached. */
  get beyondLimits(): number {
    return this.#beyond;
  }

  /** Ends all connections, and gives what was recorded as the text of an HTTP Archive. */
  async stop(): Promise<string> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.#tunnels) socket.destroy();
    this.server.closeAllConnections();
    this.#agent.destroy();
    await closed;
    return JSON.stringify({ log: { version: '1.2', creator: { name: 'Benchside', version: '1' }, entries: this.#entries } });
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const startedDateTime = new Date().toISOString();
    const sent = new BoundedBody();
    const { method = 'GET', url: path = '/' } = incoming;
    const forwarded = request(
      // The answer's body is recorded as it is sent, and so must not be packed.
      { ...this.service, agent: this.#agent, method, path, headers: { ...endToEnd(incoming.headers), 'accept-encoding': 'identity' } },
      (answer) => {
        const received = new BoundedBody();
        const status = answer.statusCode ?? 502;
        outgoing.writeHead(status, this.#relocated(endToEnd(answer.headers)));
        answer.on('data', (piece: Buffer) => received.add(piece));
        answer.on('end', () => {
          this.#note({ startedDateTime, incoming, answer, sent, received });
          this.onRequest({ method, path, status });
        });
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The service did not answer.\n');
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) forwarded.destroy();
    });
    incoming.on('data', (piece: Buffer) => sent.add(piece));
    incoming.pipe(forwarded);
  }

  #note({ startedDateTime, incoming, answer, sent, received }: Exchange): void {
    const bytes = sent.bytes + received.bytes;
    if (this.#entries.length >= mostRequests || this.#bytes + bytes > largestAllBytes) {
      this.#beyond += 1;
      return;
    }
    this.#bytes += bytes;
    const { method = 'GET', url: path = '/', headers } = incoming;
    this.#entries.push({
      startedDateTime,
      request: {
        method,
        url: `http://127.0.0.1:${this.service.port}${path.startsWith('/') ? path : `/${path}`}`,
        headers: pairsOf(incoming.rawHeaders),
        ...(sent.bytes === 0 ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: sent.buffer().toString('utf8') } }),
      },
      response: {
        status: answer.statusCode ?? 0,
        headers: pairsOf(answer.rawHeaders),
        content: { mimeType: answer.headers['content-type'] ?? '', text: received.buffer().toString('base64'), encoding: 'base64' },
      },
    });
  }

  /** A redirect to the service itself would lead past the proxy. */
  #relocated(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const { location } = headers;
    if (typeof location !== 'string') return headers;
    const own = new RegExp(`^http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):${this.service.port}(?=[/?#]|$)`, 'i');
    return { ...headers, location: location.replace(own, `http://127.0.0.1:${this.port}`) };
  }

  #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const other = connect(this.service.port, this.service.host, () => {
      const lines = pairsOf(incoming.rawHeaders).map(({ name, value }) => `${name}: ${value}`);
      other.write(`${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      other.write(head);
      other.pipe(socket).pipe(other);
    });
    for (const [one, another] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#tunnels.add(one);
      one.on('error', () => another.destroy());
      one.on('close', () => {
        this.#tunnels.delete(one);
        another.destroy();
      });
    }
  }
}

/** A request and its answer, each as a message and as what came of its body. */
type Exchange = { startedDateTime: string } & Record<'incoming' | 'answer', IncomingMessage> & Record<'sent' | 'received', BoundedBody>;

/** The beginning of a body, up to 256 KB. */
class BoundedBody {
  readonly #pieces: Buffer[] = [];
  bytes = 0;

  add(piece: Buffer): void {
    const kept = piece.subarray(0, largestBodyBytes - this.bytes);
    if (kept.length === 0) return;
    this.#pieces.push(kept);
    this.bytes += kept.length;
  }

  buffer(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = typeof headers.connection === 'string' ? headers.connection.toLowerCase().split(/\s*,\s*/) : [];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name) && !named.includes(name)));
}

function pairsOf(raw: readonly string[]): { name: string; value: string }[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: raw[index + 1] ?? '' }] : []));
}

/** Where a port of this machine answers. Fails with `traffic-no-service`. */
async function listeningHost(port: number): Promise<string> {
  for (const host of hosts) if (await takesConnection({ host, port, timeout: connectTimeoutMs })) return host;
  throw failure(
    'traffic-no-service',
    `Nothing listens on port ${port} of this machine.`,
    'Start the service first and name its port, or name a target of benchside.json, which is started then.',
  );
}
