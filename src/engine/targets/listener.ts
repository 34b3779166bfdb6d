import { type Reach, plainReach, socketOf } from '../load/connection.ts';
import { allPids, allProcesses } from '../supervise/identity.ts';
import { linkTarget, namesIn } from '../supervise/smallFile.ts';
import { ownSystem } from '../supervise/system/ownSystem.ts';
import { familyOf } from '../supervise/system/systemTools.ts';
import { type TcpEnd, type TcpSocket, answeringSockets, tcpSockets } from './tcpTable.ts';
import { socketsAt, unixListeners } from './unixTable.ts';

/** The TCP sockets of this machine, and how a process is known to hold one: by its inode, or where the system names it by its pid. */
interface SocketTable {
  sockets: TcpSocket[];
  heldBy: (pid: number) => string[];
  members: (pgid: number) => number[];
}

/** Null where the system does not say, or says nothing that is understood. */
function socketTable(): SocketTable | null {
  if (process.platform === 'linux') return { sockets: tcpSockets(), heldBy: openSockets, members: groupMembers };
  const [listeners, rows] = [ownSystem?.listeners() ?? null, ownSystem?.processes() ?? null];
  if (listeners === null || rows === null) return null;
  const nowhere = { host: '', port: 0 };
  return {
    sockets: listeners.map(({ pid, ...local }) => ({ local, remote: nowhere, listens: true, uid: -1, inode: String(pid) })),
    heldBy: (pid) => [String(pid)],
    members: (pgid) => familyOf(rows, pgid),
  };
}

/**
 * Whether a process of this group answers at a target's address: an answer there might otherwise come from somebody else's server, who may listen at another
 * address of the same port. Null where the system does not say.
 */
export function groupListensOn(pgid: number, port: number, reach: Reach = plainReach): boolean | null {
  if (process.platform !== 'linux' && (reach.socketPath !== undefined || socketTable() === null)) return null;
  return groupListener(pgid, port, reach) !== null;
}

/** The process of a group that answers where a target is spoken to: the server itself, where the group's leader is a shell or npm. Null where there is none. */
export function groupListener(pgid: number, port: number, { host, socketPath }: Reach = plainReach): number | null {
  const table = socketTable();
  if (table === null) return null;
  const sockets = socketPath === undefined ? answeringSockets(port, table.sockets, host) : socketsAt(socketOf(socketPath, port));
  const inodes = new Set(sockets.map(({ inode }) => inode));
  if (inodes.size === 0) return null;
  return table.members(pgid).find((pid) => table.heldBy(pid).some((inode) => inodes.has(inode))) ?? null;
}

/** The TCP ports on which processes of a group listen, ascending; null where the system does not say. */
export function groupPorts(pgid: number): number[] | null {
  const table = socketTable();
  return table === null ? null : portsOf(table, new Set(table.members(pgid).flatMap(table.heldBy)));
}

/** Where processes of a group listen apart from the requested place: TCP ends, and the paths of Unix sockets; nothing where the platform does not report them. */
export function groupPlaces(pgid: number): { tcp: TcpEnd[]; unix: string[] } {
  const table = socketTable();
  if (table === null) return { tcp: [], unix: [] };
  const inodes = new Set(table.members(pgid).flatMap(table.heldBy));
  return {
    tcp: table.sockets.flatMap(({ listens, local, inode }) => (listens && inodes.has(inode) ? [local] : [])),
    unix: unixListeners().flatMap(({ path, inode }) => (inodes.has(inode) ? [path] : [])),
  };
}

/** The processes of a group, and what these have started in groups of their own, as process managers do; on Linux. */
export function groupMembers(pgid: number): number[] {
  return familyOf(allProcesses(), pgid);
}

/** The TCP ports on which a process listens, ascending; none where the system does not say. */
export function processPorts(pid: number): number[] {
  const table = socketTable();
  return table === null ? [] : portsOf(table, new Set(table.heldBy(pid)));
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
  return first === undefined ? null : { pid: holderOf(sockets), uid: first.uid };
}

/** The process that listens on a TCP port at any address; null where none does, or it may not be seen. */
export function portHolder(port: number): number | null {
  return holderOf(tcpSockets().filter(({ listens, local }) => listens && local.port === port));
}

function holderOf(sockets: readonly TcpSocket[]): number | null {
  const inodes = new Set(sockets.map(({ inode }) => inode));
  if (inodes.size === 0) return null;
  return allPids().find((pid) => openSockets(pid).some((inode) => inodes.has(inode))) ?? null;
}

function portsOf({ sockets }: SocketTable, inodes: ReadonlySet<string>): number[] {
  const own = sockets.flatMap(({ listens, local, inode }) => (listens && inodes.has(inode) ? [local.port] : []));
  return [...new Set(own)].sort((a, b) => a - b);
}

/** The inodes of the sockets that a process holds; none where this user may not look at it. */
export function openSockets(pid: number): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${fd}`) ?? '')?.[1] ?? []);
}
