import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { attempt } from '../../model/domain/attempt.ts';

/** One end of a TCP connection. */
export interface TcpEnd {
  /** An IP literal; IPv4 where it is one within IPv6. */
  host: string;
  port: number;
}

export interface TcpSocket {
  local: TcpEnd;
  remote: TcpEnd;
  listens: boolean;
  uid: number;
  inode: string;
}

/** The state of one that listens. */
const listening = '0A';

/** The state of a connection that has ended and that no process holds. */
const waiting = /^ *\d+: \S+ \S+ 06 /;

/** The TCP sockets of this machine's network namespace; none where the platform does not report them (anything but Linux). */
export function tcpSockets(): TcpSocket[] {
  return ['tcp', 'tcp6'].flatMap((name) => {
    return attempt(() => parseTcpTable(readFileSync(`/proc/net/${name}`, 'latin1')), []);
  });
}

/**
 * A table of the kernel's.
 * Source: proc(5), /proc/net/tcp: addresses in hexadecimal as words of the machine's byte order, ports as they are written, then the state; the 8th field is the
 * user, the 10th the socket's inode.
 */
export function parseTcpTable(text: string): TcpSocket[] {
  return text.split('\n').flatMap((line) => {
    // After a load there are thousands of these.
    if (waiting.test(line)) return [];
    const fields = line.trim().split(/\s+/);
    const [local, remote] = [endOf(fields[1]), endOf(fields[2])];
    const [state, uid, inode] = [fields[3], Number(fields[7]), fields[9]];
    if (local === null || remote === null || inode === undefined || !Number.isInteger(uid)) return [];
    return [{ local, remote, listens: state === listening, uid, inode }];
  });
}

/** The sockets that take a connection to this port of a loopback address: the most particular address wins. */
export function answeringSockets(port: number, sockets: readonly TcpSocket[] = tcpSockets(), host = '127.0.0.1'): TcpSocket[] {
  const there = sockets.filter((one) => one.listens && one.local.port === port);
  for (const address of host === '::1' ? ['::1', '::'] : [host, '0.0.0.0', '::']) {
    const found = there.filter(({ local }) => local.host === address);
    if (found.length > 0) return found;
  }
  return [];
}

function endOf(text: string | undefined): TcpEnd | null {
  const [, address, port] = /^((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4})$/.exec(text ?? '') ?? [];
  if (address === undefined || port === undefined) return null;
  const bytes = Buffer.from(address, 'hex');
  return { host: hostOf(endianness() === 'LE' ? bytes.swap32() : bytes), port: Number.parseInt(port, 16) };
}

function hostOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.subarray(0, 12).equals(Buffer.from('00000000000000000000ffff', 'hex'))) return bytes.subarray(12).join('.');
  // As others write it, with its longest row of zeros left out.
  return new URL(`http://[${(bytes.toString('hex').match(/.{4}/g) ?? []).join(':')}]`).hostname.slice(1, -1);
}
