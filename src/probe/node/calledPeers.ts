import net from 'node:net';
import { quietly, replaceMethod, shortText } from './objects.ts';

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

type Connect = (this: net.Socket, ...given: never[]) => net.Socket;

/**
 * The peers to which this process opens TCP connections, by the names that it uses: also those that refuse, and those that exist for less time than a read of
 * the kernel's table.
 */
export class CalledPeers {
  readonly #called = new Map<string, CalledPeer>();
  #stopped = false;

  start(): void {
    const note = quietly((given: readonly unknown[]): void => {
      const peer = this.#stopped ? null : peerOf(given);
      if (peer === null) return;
      const key = `${peer.host} ${peer.port}`;
      const known = this.#called.get(key);
      if (known !== undefined) known.opened += 1;
      else if (this.#called.size < mostPeers) this.#called.set(key, { ...peer, opened: 1 });
    }, undefined);
    replaceMethod<Connect>(
      net.Socket.prototype,
      'connect',
      (connect) =>
        function (...given) {
          note(given);
          return Reflect.apply(connect, this, given);
        },
    );
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
