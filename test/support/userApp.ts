import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request as the app saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  cookie: string | undefined;
  contentType: string | undefined;
  body: string;
  /** Which connection it came on, from 1. */
  connection: number;
}

export interface UserApp {
  port: number;
  seen: SeenRequest[];
  /** Connections that were ever opened. */
  connections(): number;
  open(): number;
  stop(): Promise<void>;
}

export type AppHandler = (request: SeenRequest, response: ServerResponse) => void;

/** A small app on loopback that writes down what it is asked and answers by `handler`. */
export async function startUserApp(handler: AppHandler, tls?: { key: string; cert: string }): Promise<UserApp> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<Socket, number>();
  let opened = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        cookie: request.headers.cookie,
        contentType: request.headers['content-type'],
        body: Buffer.concat(chunks).toString('latin1'),
        connection: numbers.get(request.socket) ?? 0,
      };
      seen.push(one);
      handler(one, response);
    });
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    opened += 1;
    numbers.set(socket, opened);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => opened,
    open: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
