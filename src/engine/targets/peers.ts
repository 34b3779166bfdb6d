import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { inTime } from '../../model/domain/inTime.ts';
import { isLoopback } from '../load/loopback.ts';
import { answererOf, groupMembers, openSockets } from './listener.ts';
import { serverName } from '../services/serverUrl.ts';
import { readSmallFile } from '../supervise/smallFile.ts';
import { type TcpEnd, type TcpSocket, tcpSockets } from './tcpTable.ts';
import { unixInodes } from './unixTable.ts';

const everyMs = 25;
/** Which processes belong to the group changes seldom, and takes long to read. */
const membersEveryMs = 250;
/** Web services are called by many apps, and a start of npm asks one. */
const webPorts: readonly number[] = [80, 443];
/** What PostgreSQL and PgBouncer listen on where nobody says otherwise. */
const databasePorts: readonly number[] = [5432, 6432];
const databasePrograms = /^(?:postgres|postmaster|pgbouncer)/;
const resolveMs = 2_000;

/**
 * Collects the hosts that the processes of a group connect to, until it is stopped. It sees nothing where the platform does not report them (anything but
 * Linux).
 */
export class PeerWatch {
  readonly #seen = new Map<string, TcpEnd>();
  readonly #timer: NodeJS.Timeout | undefined;
  #members: readonly number[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** The kernel's table takes milliseconds to read, however few connections there are: it is read when the group has a socket that is none of these. */
  #settled: ReadonlySet<string> = new Set();

  /** `meanwhile`: it looks also while nobody asks. */
  constructor(
    private readonly pgid: number,
    { meanwhile }: { meanwhile: boolean },
  ) {
    if (!meanwhile) return;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  /** All hosts that it tried to connect to, with or without success. */
  peers(): TcpEnd[] {
    this.#look();
    return [...this.#seen.values()];
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (process.platform !== 'linux') return;
    const now = performance.now();
    if (now - this.#readAtMs >= membersEveryMs) {
      this.#members = groupMembers(this.pgid);
      this.#readAtMs = now;
    }
    const own = new Set(this.#members.flatMap(openSockets));
    if ([...own].every((inode) => this.#settled.has(inode))) return;
    const sockets = tcpSockets();
    for (const peer of peersIn(sockets, own)) this.#seen.set(`${peer.host} ${peer.port}`, peer);
    this.#settled = settledIn(sockets, unixInodes(), own);
  }
}

/** Of these sockets, those of which nothing new is to be learnt: they listen, are connected or being connected, or are Unix sockets. */
export function settledIn(sockets: readonly TcpSocket[], unix: ReadonlySet<string>, own: ReadonlySet<string>): Set<string> {
  const known = new Set(sockets.flatMap(({ listens, remote, inode }) => (listens || remote.port !== 0 ? [inode] : [])));
  return new Set([...own].filter((inode) => known.has(inode) || unix.has(inode)));
}

/**
 * The hosts that these sockets connect to. A connection that came in at a port on which they listen is somebody else's doing, and one to such a port leads to
 * the service itself, such as to a database that it starts.
 */
export function peersIn(sockets: readonly TcpSocket[], own: ReadonlySet<string>): TcpEnd[] {
  const held = sockets.filter(({ inode }) => own.has(inode));
  const served = new Set(held.flatMap(({ listens, local }) => (listens ? [local.port] : [])));
  const isItself = ({ host, port }: TcpEnd): boolean => served.has(port) && isLoopback(host);
  return held.flatMap(({ listens, local, remote }) =>
    listens || remote.port === 0 || served.has(local.port) || isItself(remote) ? [] : [remote],
  );
}

export interface PeerQuestion {
  peers: readonly TcpEnd[];
  /** The hosts that its probe says it called, by names as well. */
  called: readonly TcpEnd[];
  /** The database that it was given; null: none. */
  given: TcpEnd | null;
  /** Its variables and the words of its command, as benchside.json has them: a database that they name was named by a person. */
  declared: readonly string[];
  /** Whether its probe reports a pool with open connections to a database. */
  poolIsOpen: boolean;
  /** Hosts, or a host with its port, that a person agreed to. */
  agreed: readonly string[];
}

/** Refuses a target whose processes connect to a host that nobody named, until a person agrees. Fails with `other-database`. */
export type RequirePeers = (target: { name: string } & Omit<PeerQuestion, 'agreed'>) => Promise<void>;

/** What benchside.json declares of a service, as {@link PeerQuestion} wants it. */
export function declaredWords({ env, command }: { env: Readonly<Record<string, string>>; command: readonly string[] }): string[] {
  return [...Object.values(env), ...command];
}

/**
 * The hosts that need a person's consent: every other machine except for web services; and on this one another PostgreSQL than the one that was given or
 * declared, or any server that the app's pool may be connected to in place of the given one.
 */
export async function peersToAskAbout({ peers: seen, called, given, declared, poolIsOpen, agreed }: PeerQuestion): Promise<TcpEnd[]> {
  const resolved = await Promise.all(called.map(async ({ host, port }) => ({ host: await addressOf(host), port })));
  const peers = [...new Map([...seen, ...resolved].map((peer) => [serverName(peer), peer])).values()];
  const hosts = await addressesOf(given === null ? [] : [given.host]);
  const isGiven = (peer: TcpEnd): boolean =>
    given !== null && peer.port === given.port && (hosts.has(peer.host) || (isLoopback(given.host) && isLoopback(peer.host)));
  const others = peers.filter((peer) => !isGiven(peer));
  if (others.length === 0) return [];
  const poolIsElsewhere = poolIsOpen && others.length === peers.length;
  const asked = others.filter((peer) => {
    if (poolIsElsewhere && given !== null) return true;
    if (!isLoopback(peer.host)) return !webPorts.includes(peer.port);
    return isDatabase(peer.port) && (given !== null || (answererOf(peer.port, peer.host) !== null && !names(declared, peer.port)));
  });
  if (asked.length === 0) return [];
  const known = await addressesOf(agreed);
  return asked.filter((peer) => !known.has(peer.host.toLowerCase()) && !agreed.includes(serverName(peer)));
}

/** An address of a server on this machine, in a text of any form. */
const localAddress = /\/\/(?:[^/?#\s@]*@)?(?:localhost|127\.[\d.]+|\[::1\])(?::(\d+))?(?=[/?;\s]|$)/gi;
const localName = /^(?:localhost|127\.[\d.]+|::1)$/i;

/** Whether one of these values says that a database of this machine is at this port: as an address, as the port alone, or as a host with the usual port. */
function names(values: readonly string[], port: number): boolean {
  const [usual] = databasePorts;
  return values.some(
    (value) =>
      value === String(port) ||
      (port === usual && localName.test(value)) ||
      [...value.matchAll(localAddress)].some(([, written]) => Number(written ?? usual) === port),
  );
}

function isDatabase(port: number): boolean {
  if (databasePorts.includes(port)) return true;
  const pid = answererOf(port)?.pid;
  return pid != null && databasePrograms.test(readSmallFile(`/proc/${pid}/comm`) ?? '');
}

/** The first address of a name; the name itself where nobody knows it. */
async function addressOf(name: string): Promise<string> {
  if (isIP(name) !== 0) return name;
  const found = lookup(name).catch(() => null);
  return (await inTime(resolveMs, found, () => null))?.address ?? name;
}

/** Names with their present addresses; an unknown name is its own address. */
async function addressesOf(names: readonly string[]): Promise<Set<string>> {
  const found = new Set(names.map((name) => name.toLowerCase()));
  const all = Promise.all(
    names.map(async (name) => {
      for (const { address } of await lookup(name, { all: true }).catch(() => [])) found.add(address);
    }),
  );
  await inTime(resolveMs, all, () => undefined);
  return found;
}
