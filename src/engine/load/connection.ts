import net from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';

/** How a target is spoken to: at an address of this machine's loopback or at a Unix socket, in HTTP/1.1 or in the same over TLS. */
export interface Reach {
  /** A loopback IP literal. */
  host: string;
  tls: boolean;
  /** A Unix socket in place of host and port: its whole path, in which `{port}` is replaced by the number of a process. */
  socketPath?: string | undefined;
}

export interface ConnectionTarget extends Reach {
  port: number;
}

/** How nearly every target is spoken to. */
export const plainReach: Reach = { host: '127.0.0.1', tls: false };

/**
 * A connection to a target, about to be opened; what is written before it is open waits. With TLS any certificate is accepted: the target is on this machine's
 * loopback, where a self-signed one is the rule and nobody can intercept.
 */
export function openConnection(target: ConnectionTarget): net.Socket {
  const place = placeOf(target);
  if (!target.tls) return net.connect(place);
  const socket = tls.connect({ ...place, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.setNoDelay(true);
  return socket;
}

/** Whether somebody takes a connection there, within a time where one is given. */
export function takesConnection(place: net.NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(place);
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

export function placeOf({ host, port, socketPath }: ConnectionTarget): { path: string } | { host: string; port: number; noDelay: true } {
  return socketPath === undefined ? { host, port, noDelay: true } : { path: socketOf(socketPath, port) };
}

/** "127.0.0.1:8080", "[::1]:8080", or the path of a Unix socket. */
export function placeName({ host, socketPath }: Reach, port: number): string {
  if (socketPath !== undefined) return socketOf(socketPath, port);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The Unix socket of one process of a target. */
export function socketOf(socketPath: string, port: number): string {
  return socketPath.replaceAll('{port}', String(port));
}

/** Opens undici's connections to a target; `onOpening` is called with each. */
export function connectorTo(target: ConnectionTarget, onOpening: (socket: net.Socket) => void = () => undefined): buildConnector.connector {
  return (_options, callback) => {
    const socket = openConnection(target);
    onOpening(socket);
    // Stays for good: undici begins to listen for errors only some time after it has been given the socket.
    let connecting = true;
    socket.on('error', (error) => {
      if (connecting) callback(error, null);
      connecting = false;
    });
    socket.once(target.tls ? 'secureConnect' : 'connect', () => {
      connecting = false;
      callback(null, socket);
    });
  };
}
