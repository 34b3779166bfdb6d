import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { processStat } from '../supervise/identity.ts';

/**
 * Whether a process of this group listens on a TCP port: an answer on the port might otherwise come from somebody else's server.
 * Null where the platform does not tell (anything but Linux).
 * Source: proc(5), /proc/net/tcp: local address and port in hexadecimal, state 0A is LISTEN, field 10 the socket's inode.
 */
export function groupListensOn(pgid: number, port: number): boolean | null {
  return process.platform === 'linux' ? groupListener(pgid, port) !== null : null;
}

/** The process of a group that listens on a TCP port: the server itself, where the group's leader is a shell or npm. Null where there is none. */
export function groupListener(pgid: number, port: number): number | null {
  if (process.platform !== 'linux') return null;
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return null;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || processStat(pid)?.pgid !== pgid) continue;
    if (openSockets(pid).some((inode) => inodes.has(inode))) return pid;
  }
  return null;
}

/** The TCP ports on which processes of a group listen, ascending; null where the platform does not tell. */
export function groupPorts(pgid: number): number[] | null {
  if (process.platform !== 'linux') return null;
  const own = new Set(
    readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      return Number.isInteger(pid) && processStat(pid)?.pgid === pgid ? openSockets(pid) : [];
    }),
  );
  return [...new Set(listeners().flatMap(({ port, inode }) => (own.has(inode) ? [port] : [])))].sort((a, b) => a - b);
}

/** The TCP ports on which a process listens, ascending; none where the platform does not tell. */
export function processPorts(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const own = new Set(openSockets(pid));
  return [...new Set(listeners().flatMap(({ port, inode }) => (own.has(inode) ? [port] : [])))].sort((a, b) => a - b);
}

/** The process that listens on a TCP port of this machine, whoever started it; null where there is none, or none that this user may look at. */
export function listenerOf(port: number): number | null {
  if (process.platform !== 'linux') return null;
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return null;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid) && openSockets(pid).some((inode) => inodes.has(inode))) return pid;
  }
  return null;
}

function listeningInodes(port: number): Set<string> {
  return new Set(listeners().flatMap((one) => (one.port === port ? [one.inode] : [])));
}

function listeners(): { port: number; inode: string }[] {
  const found: { port: number; inode: string }[] = [];
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(file, 'latin1');
    } catch {
      continue;
    }
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const [inode, port] = [fields[9], Number.parseInt(fields[1]?.split(':').at(-1) ?? '', 16)];
      if (fields[3] === '0A' && inode !== undefined && port > 0) found.push({ port, inode });
    }
  }
  return found;
}

function openSockets(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
