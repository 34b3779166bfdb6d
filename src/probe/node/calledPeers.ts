import net from 'node:net';
import { shortText, watchMethod } from './objects.ts';

/** The most peers that are reported; an app that calls more others is known by these. */
const mostPeers = 100;

interface Peer {
  host: string;
  port: number;
}

interface CalledPeer extends Peer {
  /** Connections to it that were started. */
  opened: number;
}

/**
 * The peers to which this process opens TCP connections, by the names that it uses: also those that refuse, and those that exist for less time than a read of
 * the kernel's table.
 */
export class CalledPeers {
  readonly #called = new Map<string, CalledPeer>();
  #stopped = false;

  start(): void {
    watchMethod(net.Socket.prototype, 'connect', (_socket: net.Socket, ...given: unknown[]) => {
      const peer = this.#stopped ? null : peerOf(given);
      if (peer === null) return;
      const key = `${peer.host} ${peer.port}`;
      const known = this.#called.get(key);
      if (known !== undefined) known.opened += 1;
      else if (this.#called.size < mostPeers) this.#called.set(key, { ...peer, opened: 1 });
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  report(): CalledPeer[] {
    return [...this.#called.values()].map((peer) => ({ ...peer }));
  }
}

/** (port, host), an object with them, or what Node itself makes of either: an array that holds the object first. Null for a socket of the file system. */
function peerOf([first, second]: readonly unknown[]): Peer | null {
  if (Array.isArray(first)) return peerOf(first);
  const options = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : { port: first, host: second };
  const port = Number(options['port']);
  if (options['path'] != null || !Number.isInteger(port) || port <= 0) return null;
  const { host } = options;
  return { host: shortText(typeof host === 'string' && host !== '' ? host : 'localhost'), port };
}
