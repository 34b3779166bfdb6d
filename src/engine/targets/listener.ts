import { readdirSync, readlinkSync } from 'node:fs';
import { processStat } from '../supervise/identity.ts';
import { answeringSockets, tcpSockets } from './tcpTable.ts';

/**
 * Whether a process of this group answers on a TCP port of 127.0.0.1: an answer there might otherwise come from somebody else's server, who may listen at another
 * address of the same port. Null where the platform does not tell (anything but Linux).
 */
export function groupListensOn(pgid: number, port: number): boolean | null {
  return process.platform === 'linux' ? groupListener(pgid, port) !== null : null;
}

/** The process of a group that answers on a TCP port of 127.0.0.1: the server itself, where the group's leader is a shell or npm. Null where there is none. */
export function groupListener(pgid: number, port: number): number | null {
  if (process.platform !== 'linux') return null;
  const inodes = new Set(answeringSockets(port).map(({ inode }) => inode));
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
  return portsOf(new Set(groupMembers(pgid).flatMap(openSockets)));
}

/** The processes of a group, on Linux. */
export function groupMembers(pgid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && processStat(pid)?.pgid === pgid ? [pid] : [];
  });
}

/** The TCP ports on which a process listens, ascending; none where the platform does not tell. */
export function processPorts(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return portsOf(new Set(openSockets(pid)));
}

/** Who answers on a TCP port of 127.0.0.1, whoever started it. */
export interface PortAnswerer {
  /** Null where it is a process that this user may not look at. */
  pid: number | null;
  /** The user whose socket it is. */
  uid: number;
}

/** Who answers on a TCP port of 127.0.0.1; null where nobody does, or the platform does not tell. */
export function answererOf(port: number): PortAnswerer | null {
  const sockets = answeringSockets(port);
  const [first] = sockets;
  if (first === undefined) return null;
  const inodes = new Set(sockets.map(({ inode }) => inode));
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid) && openSockets(pid).some((inode) => inodes.has(inode))) return { pid, uid: first.uid };
  }
  return { pid: null, uid: first.uid };
}

function portsOf(inodes: ReadonlySet<string>): number[] {
  const own = tcpSockets().flatMap(({ listens, local, inode }) => (listens && inodes.has(inode) ? [local.port] : []));
  return [...new Set(own)].sort((a, b) => a - b);
}

/** The inodes of the sockets that a process holds; none where this user may not look at it. */
export function openSockets(pid: number): string[] {
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
