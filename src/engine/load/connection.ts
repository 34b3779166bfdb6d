import net from 'node:net';
import tls from 'node:tls';

/** A loopback IP literal and a port, spoken to in HTTP or in HTTPS. */
export interface ConnectionTarget {
  host: string;
  port: number;
  tls: boolean;
}

/**
 * A connection to a target, about to be opened; what is written before it is open waits. With TLS any certificate is taken: the target is on this
 * machine's loopback, where a self-signed one is the rule and nobody stands in between.
 */
export function openConnection({ host, port, tls: secure }: ConnectionTarget): net.Socket {
  if (!secure) return net.connect({ host, port, noDelay: true });
  const socket = tls.connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.setNoDelay(true);
  return socket;
}

/** The event with which a connection of {@link openConnection} is ready for an answer. */
export function openEvent(secure: boolean): 'connect' | 'secureConnect' {
  return secure ? 'secureConnect' : 'connect';
}
