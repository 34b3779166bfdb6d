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

function listeningInodes(port: number): Set<string> {
  const inodes = new Set<string>();
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(file, 'latin1');
    } catch {
      continue;
    }
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const inode = fields[9];
      if (fields[1]?.endsWith(`:${wanted}`) === true && fields[3] === '0A' && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
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
