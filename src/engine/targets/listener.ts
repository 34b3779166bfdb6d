import { readdirSync, readlinkSync } from 'node:fs';
import { plainReach, socketOf } from '../load/connection.ts';
import type { Reach } from '../load/connection.ts';
import { processStat } from '../supervise/identity.ts';
import { answeringSockets, tcpSockets } from './tcpTable.ts';
import type { TcpEnd } from './tcpTable.ts';
import { socketsAt, unixListeners } from './unixTable.ts';

/**
 * Whether a process of this group answers at a target's address: an answer there might otherwise come from somebody else's server, who may listen at another
 * address of the same port. Null where the platform does not report it (anything but Linux).
 */
export function groupListensOn(pgid: number, port: number, reach: Reach = plainReach): boolean | null {
  return process.platform === 'linux' ? groupListener(pgid, port, reach) !== null : null;
}

/** The process of a group that answers where a target is spoken to: the server itself, where the group's leader is a shell or npm. Null where there is none. */
export function groupListener(pgid: number, port: number, { host, socketPath }: Reach = plainReach): number | null {
  if (process.platform !== 'linux') return null;
  const sockets = socketPath === undefined ? answeringSockets(port, undefined, host) : socketsAt(socketOf(socketPath, port));
  const inodes = new Set(sockets.map(({ inode }) => inode));
  if (inodes.size === 0) return null;
  return groupMembers(pgid).find((pid) => openSockets(pid).some((inode) => inodes.has(inode))) ?? null;
}

/** The TCP ports on which processes of a group listen, ascending; null where the platform does not report them. */
export function groupPorts(pgid: number): number[] | null {
  if (process.platform !== 'linux') return null;
  return portsOf(new Set(groupMembers(pgid).flatMap(openSockets)));
}

/** Where processes of a group listen apart from the requested place: TCP ends, and the paths of Unix sockets; nothing where the platform does not report them. */
export function groupPlaces(pgid: number): { tcp: TcpEnd[]; unix: string[] } {
  if (process.platform !== 'linux') return { tcp: [], unix: [] };
  const inodes = new Set(groupMembers(pgid).flatMap(openSockets));
  return {
    tcp: tcpSockets().flatMap(({ listens, local, inode }) => (listens && inodes.has(inode) ? [local] : [])),
    unix: unixListeners().flatMap(({ path, inode }) => (inodes.has(inode) ? [path] : [])),
  };
}

/** The processes of a group, and what these have started in groups of their own, as process managers do; on Linux. */
export function groupMembers(pgid: number): number[] {
  const [members, children] = [new Set<number>(), new Map<number, number[]>()];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? processStat(pid) : null;
    if (stat === null) continue;
    if (stat.pgid === pgid) members.add(pid);
    children.set(stat.ppid, [...(children.get(stat.ppid) ?? []), pid]);
  }
  // A set continues with what is added to it meanwhile.
  for (const member of members) for (const child of children.get(member) ?? []) members.add(child);
  return [...members];
}

/** The TCP ports on which a process listens, ascending; none where the platform does not report them. */
export function processPorts(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return portsOf(new Set(openSockets(pid)));
}

/** Who answers on a TCP port of 127.0.0.1, in any process. */
export interface PortAnswerer {
  /** Null where it is a process that this user may not look at. */
  pid: number | null;
  /** The user whose socket it is. */
  uid: number;
}

/** Who answers on a TCP port of a loopback address, 127.0.0.1 by default; null where nobody does, or the platform does not report it. */
export function answererOf(port: number, host?: string): PortAnswerer | null {
  const sockets = answeringSockets(port, undefined, host);
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
