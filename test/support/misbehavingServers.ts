import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A server on 127.0.0.1 that treats its clients in one certain way. */
export interface MisbehavingServer {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly openConnections: number;
  /** Requests read so far. */
  readonly requests: number;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}

/** Answers a request whose head was read; `nth` counts the requests of the server from 1. */
type Answer = (socket: Socket, nth: number, head: string) => void;

async function rawServer(answer: Answer, onConnect?: (socket: Socket, nth: number) => void): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let requests = 0;
  const server = net.createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnect?.(socket, connections);
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
        const head = rest.slice(0, end);
        rest = rest.slice(end + 4);
        requests += 1;
        answer(socket, requests, head);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
    get openConnections() {
      return sockets.size;
    },
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const okAnswer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

function later(socket: Socket, delayMs: number, what: () => void): void {
  if (delayMs === 0) what();
  else setTimeout(() => (socket.destroyed ? undefined : what()), delayMs);
}

/** Behaves well: answers 200 at once, or after `delayMs`. */
export function wellBehavedServer({ delayMs = 0 } = {}): Promise<MisbehavingServer> {
  return rawServer((socket) => later(socket, delayMs, () => socket.write(okAnswer)));
}

/** Answers one request after the other, each after `holdMs`, whether its client still waits for it or not, as a pool of one connection makes an app do. `inside` are those not yet done with. */
export async function queueingServer(holdMs: number): Promise<MisbehavingServer & { readonly inside: number }> {
  let inside = 0;
  let before: Promise<unknown> = Promise.resolve();
  const server = await rawServer((socket) => {
    inside += 1;
    before = before
      .then(() => new Promise((resolve) => setTimeout(resolve, holdMs)))
      .then(() => {
        inside -= 1;
        if (!socket.destroyed) socket.write(okAnswer);
      });
  });
  return Object.defineProperty(server, 'inside', { get: () => inside }) as MisbehavingServer & { readonly inside: number };
}

/** Answers with `status`. */
export function statusServer(status: number): Promise<MisbehavingServer> {
  return rawServer((socket) => socket.write(`HTTP/1.1 ${status} Whatever\r\nContent-Length: 2\r\n\r\nno`));
}

/** Every `n`th request gets no answer: the connection is closed (FIN), or reset. The others are answered after `delayMs`. */
export function droppingServer({
  oneIn,
  delayMs = 0,
  how = 'fin',
}: {
  oneIn: number;
  delayMs?: number;
  how?: 'fin' | 'reset';
}): Promise<MisbehavingServer> {
  return rawServer((socket, nth) => {
    later(socket, delayMs, () => {
      if (nth % oneIn !== 0) socket.write(okAnswer);
      else if (how === 'fin') socket.end();
      else socket.resetAndDestroy();
    });
  });
}

/** Answers after `delayMs` with `Connection: close`, and closes. */
export function closingServer(delayMs: number): Promise<MisbehavingServer> {
  return rawServer((socket) => {
    later(socket, delayMs, () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'));
  });
}

/** Speaks HTTP/1.0: no length, the end of the connection is the end of the answer, which comes in two pieces. */
export function lengthlessServer(delayMs: number): Promise<MisbehavingServer> {
  return rawServer((socket) => {
    later(socket, delayMs, () => {
      socket.write('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nfirst half, ');
      setImmediate(() => socket.end('second half'));
    });
  });
}

/** Answers well until `hang` is called, from then on only as often as that says (not at all), with its connections open. */
export async function hangingServer(): Promise<MisbehavingServer & { hang(afterAnswers?: number): void }> {
  let answersLeft = Number.POSITIVE_INFINITY;
  const server = await rawServer((socket) => {
    if (answersLeft > 0) socket.write(okAnswer);
    answersLeft -= 1;
  });
  return Object.defineProperties({} as MisbehavingServer & { hang(afterAnswers?: number): void }, {
    ...Object.getOwnPropertyDescriptors(server),
    hang: { value: (afterAnswers = 0) => (answersLeft = afterAnswers) },
  });
}

/** Promises 100 bytes, sends 50 and closes. */
export function halfAnswerServer(): Promise<MisbehavingServer> {
  return rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${'x'.repeat(50)}`));
}

/** Answers with something that is not HTTP. */
export function garbageServer(): Promise<MisbehavingServer> {
  return rawServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n\0\x01\x02 this is no HTTP\r\n\r\n'));
}

/** Begins a chunked answer, and never ends the line that frames it: the extension of a chunk, or trailers. */
export function endlessLineServer(where: 'extension' | 'trailer'): Promise<MisbehavingServer> {
  const endless = where === 'extension' ? Buffer.alloc(64 * 1024, 'x') : Buffer.from('a: b\r\n'.repeat(10_000));
  return rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${where === 'extension' ? '5;' : '0\r\n'}`);
    const more = (): void => {
      while (!socket.destroyed && socket.write(endless));
    };
    socket.on('drain', more);
    more();
  });
}

/** Sends two answers to every request. */
export function doubleAnswerServer(): Promise<MisbehavingServer> {
  return rawServer((socket) => socket.write(okAnswer + okAnswer));
}

/** Sends `103 Early Hints` at once and the answer after `delayMs`. */
export function earlyHintsServer(delayMs: number): Promise<MisbehavingServer> {
  return rawServer((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n');
    later(socket, delayMs, () => socket.write(okAnswer));
  });
}

/** Accepts connections and resets each before it has said anything. */
export function slammingServer(): Promise<MisbehavingServer> {
  return rawServer(
    () => undefined,
    (socket) => socket.resetAndDestroy(),
  );
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = await wellBehavedServer();
  await server.close();
  return server.port;
}

/** A real `node:http` server that keeps the method, path and body of the first `limit` requests, in the order they came in. */
export async function recordingServer(
  limit = 10_000,
): Promise<MisbehavingServer & { seen: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[] }> {
  const seen: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  let connections = 0;
  let openConnections = 0;
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' };
    if (seen.length < limit) seen.push(entry);
    request.setEncoding('utf8');
    request.on('data', (text: string) => (entry.body += text));
    request.on('end', () => response.end('ok'));
  });
  server.on('connection', (socket) => {
    connections += 1;
    openConnections += 1;
    socket.on('close', () => (openConnections -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get openConnections() {
      return openConnections;
    },
    get requests() {
      return requests;
    },
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
