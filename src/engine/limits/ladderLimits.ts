import { readFile } from 'node:fs/promises';
import { reservedSessions } from './reservedSessions.ts';
import { type DescriptorLimits, descriptorLimits } from './descriptorLimits.ts';

/** What a ladder is going to ask of this machine at its highest step. */
export interface LadderDemand {
  connections: number;
  /** Processes that share them. */
  instances: number;
  /** Whether a reverse proxy is in front of them, which has a connection to an instance for each one of a client. */
  throughProxy: boolean;
  /** PostgreSQL's `max_connections`; null without a database. */
  maxConnections: number | null;
  /** Database connections of all instances together. */
  poolTotal: number;
}

export interface LadderLimit {
  id: 'open-files' | 'ephemeral-ports' | 'listen-backlog' | 'database-connections';
  ok: boolean;
  /** One sentence with what is needed and what there is. */
  message: string;
  cure: string | null;
}

/** What this machine allows; null what it does not report. */
export interface MachineLimits {
  descriptors: DescriptorLimits | null;
  /** How many ports connections to one address may come from. */
  ephemeralPorts: number | null;
  /** `net.core.somaxconn`: connections that wait to be accepted, per listening socket. */
  acceptQueue: number | null;
  /** `net.ipv4.tcp_max_syn_backlog`: connections that are being opened, per listening socket. */
  synQueue: number | null;
}

/** Files, pipes and sockets that a process needs besides those of its clients. */
const furtherDescriptors = 100;

/** Checks what would spoil a ladder before it begins. Limits that this machine does not report are skipped. */
export async function checkLadderLimits(demand: LadderDemand, machine?: MachineLimits): Promise<LadderLimit[]> {
  const known = machine ?? (await machineLimits());
  return [openFiles(demand, known), ephemeralPorts(demand, known), listenBacklog(demand, known), databaseConnections(demand)].filter(
    (limit) => limit !== null,
  );
}

/** What Linux reports of its limits (ip-sysctl of kernel.org, proc(5)). */
export async function machineLimits(): Promise<MachineLimits> {
  const [range, acceptQueue, synQueue] = await Promise.all(
    ['net/ipv4/ip_local_port_range', 'net/core/somaxconn', 'net/ipv4/tcp_max_syn_backlog'].map((name) => readNumbers(`/proc/sys/${name}`)),
  );
  const [first, last] = range ?? [];
  return {
    descriptors: descriptorLimits(),
    ephemeralPorts: first === undefined || last === undefined ? null : last - first + 1,
    acceptQueue: acceptQueue?.[0] ?? null,
    synQueue: synQueue?.[0] ?? null,
  };
}

/** The proxy has two sockets for each client; without one the load generator has one for each. The hard limit counts: see `descriptorLimits`. */
function openFiles({ connections, throughProxy, poolTotal }: LadderDemand, { descriptors }: MachineLimits): LadderLimit | null {
  if (descriptors === null) return null;
  const needed = (throughProxy ? 2 * connections : connections + poolTotal) + furtherDescriptors;
  const who = throughProxy ? 'the proxy' : 'a process';
  return held(needed <= descriptors.hard, {
    id: 'open-files',
    message: `With ${count(connections)} connections ${who} needs about ${count(needed)} open files, and it may have ${count(descriptors.hard)}.`,
    cure: `Raise the limit for your user (“nofile” in /etc/security/limits.conf, then log in again; in a container --ulimit nofile=${roundUp(needed)}), or end the ladder at ${count(mostConnections(descriptors.hard, throughProxy, poolTotal))}.`,
  });
}

function mostConnections(descriptors: number, throughProxy: boolean, poolTotal: number): number {
  const left = descriptors - furtherDescriptors;
  return Math.max(0, Math.floor(throughProxy ? left / 2 : left - poolTotal));
}

/** Only its source port distinguishes a connection from others to the same port, so that only connections to one port count together. */
function ephemeralPorts(
  { connections, instances, throughProxy }: LadderDemand,
  { ephemeralPorts: ports }: MachineLimits,
): LadderLimit | null {
  if (ports === null) return null;
  const needed = throughProxy ? connections : Math.ceil(connections / instances);
  return held(needed <= ports, {
    id: 'ephemeral-ports',
    message: `${count(needed)} connections to one port need as many local ports, and there are ${count(ports)}.`,
    cure: 'Widen the range (sysctl -w net.ipv4.ip_local_port_range="1024 65535"), or spread the load over more instances without a proxy.',
  });
}

/** All clients of a step may connect at once; who finds no room in the queue tries again only after 1 s, which then looks like latency. */
function listenBacklog(
  { connections, instances, throughProxy }: LadderDemand,
  { acceptQueue, synQueue }: MachineLimits,
): LadderLimit | null {
  if (acceptQueue === null) return null;
  const needed = throughProxy ? connections : Math.ceil(connections / instances);
  const room = Math.min(acceptQueue, synQueue ?? acceptQueue);
  const which = [
    ...(acceptQueue < needed ? ['net.core.somaxconn'] : []),
    ...(synQueue !== null && synQueue < needed ? ['net.ipv4.tcp_max_syn_backlog'] : []),
  ];
  return held(needed <= room, {
    id: 'listen-backlog',
    message: `When ${count(needed)} connections are opened at once, a listening socket queues at most ${count(room)} of them; the rest try again after 1 s.`,
    cure: `Raise the queue: ${which.map((name) => `sysctl -w ${name}=${roundUp(needed)}`).join(' and ')}; the app’s own listen backlog (511 in Node) may be smaller still.`,
  });
}

function databaseConnections({ maxConnections, poolTotal }: LadderDemand): LadderLimit | null {
  if (maxConnections === null) return null;
  const needed = poolTotal + reservedSessions;
  return held(needed <= maxConnections, {
    id: 'database-connections',
    message: `The pools may open ${count(poolTotal)} database connections, ${reservedSessions} are kept free, and PostgreSQL allows ${count(maxConnections)}.`,
    cure: `Choose pools of at most ${count(Math.max(0, maxConnections - reservedSessions))} connections together, or raise max_connections of your server.`,
  });
}

/** The cure is for one that is not held. */
function held(ok: boolean, limit: Omit<LadderLimit, 'ok'>): LadderLimit {
  return { ...limit, ok, cure: ok ? null : limit.cure };
}

async function readNumbers(file: string): Promise<number[] | null> {
  try {
    const numbers = (await readFile(file, 'utf8')).trim().split(/\s+/).map(Number);
    return numbers.every((number) => Number.isFinite(number)) ? numbers : null;
  } catch {
    return null;
  }
}

/** The next power of two, as limits are usually written. */
function roundUp(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}

function count(value: number): string {
  return value >= Number.MAX_SAFE_INTEGER ? 'any number' : value.toLocaleString('en-US');
}
