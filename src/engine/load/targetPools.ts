import type net from 'node:net';
import { Pool } from 'undici';
import { connectorTo } from './connection.ts';
import type { PortAuthority } from './loopback.ts';

/** Pools of connections to a target, all of which can be waited for until they are closed. Requests have time-outs of their own. */
export class TargetPools {
  readonly #sockets = new Set<net.Socket>();

  constructor(private readonly tls: boolean) {}

  poolOf(port: PortAuthority, options: Pick<Pool.Options, 'connections' | 'keepAliveTimeout'> = {}): Pool {
    return new Pool(`http://${port.authority}`, {
      ...options,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connectorTo({ ...port, tls: this.tls }, (socket) => {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
      }),
    });
  }

  async close(): Promise<void> {
    const closed = Array.from(this.#sockets, (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}
