import { isIPv4 } from 'node:net';
import { failure } from '../../model/domain/failure.ts';
import { placeName } from './connection.ts';

/**
 * The loopback IP literal that load may be sent to. Benchside measures programs on this machine and puts load on nothing else: any other host is refused with a
 * failure. Names are not resolved, so that no hosts file or DNS answer can redirect the load; `localhost` means 127.0.0.1.
 */
export function loopbackAddress(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (bare.toLowerCase() === 'localhost') return '127.0.0.1';
  if (isIPv4(bare) && bare.startsWith('127.')) return bare;
  if (bare === '::1') return bare;
  throw failure(
    'not-loopback',
    `Load was refused: ${JSON.stringify(host)} is not an address of this machine's loopback.`,
    'Run the target on this machine and let it listen on 127.0.0.1.',
  );
}

/** Whether a host is this machine by its text, without a look-up. */
export function isLoopback(host: string): boolean {
  try {
    loopbackAddress(host);
    return true;
  } catch {
    return false;
  }
}

/** Where load goes: a loopback IP literal, or a Unix socket in its place, and the name for it in a URL or a Host header. */
export interface PortAuthority {
  host: string;
  port: number;
  socketPath?: string | undefined;
  authority: string;
}

/** The `ports` of a host that must be loopback; see {@link loopbackAddress}. Of Unix sockets they are the numbers of the processes. */
export function portAuthorities(host: string, ports: readonly number[], socketPath?: string): PortAuthority[] {
  const address = loopbackAddress(host);
  if (socketPath !== undefined) return ports.map((port) => ({ host: address, port, socketPath, authority: 'localhost' }));
  return ports.map((port) => ({ host: address, port, authority: placeName({ host: address, tls: false }, port) }));
}
