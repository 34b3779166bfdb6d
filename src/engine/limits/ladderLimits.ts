import { readFile } from 'node:fs/promises';
import type { MachineLimit } from '../../model/domain/machineLimitKinds.ts';
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

/** What would spoil a ladder, before it begins. Limits that this machine does not report are skipped. */
export async function checkLadderLimits(demand: LadderDemand, machine?: MachineLimits): Promise<MachineLimit[]> {
  const known = machine ?? (await machineLimits());
  const limits = [openFiles(demand, known), ephemeralPorts(demand, known), listenBacklog(demand, known), databaseConnections(demand)];
  return limits.filter((limit) => limit !== null).filter(({ needed, allowed }) => needed > allowed);
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
function openFiles({ connections, throughProxy, poolTotal }: LadderDemand, { descriptors }: MachineLimits): MachineLimit | null {
  if (descriptors === null) return null;
  const needed = (throughProxy ? 2 * connections : connections + poolTotal) + furtherDescriptors;
  const left = descriptors.hard - furtherDescriptors;
  const fitting = Math.max(0, Math.floor(throughProxy ? left / 2 : left - poolTotal));
  return { code: 'open-files', of: throughProxy ? 'proxy' : 'process', connections, needed, allowed: descriptors.hard, fitting };
}

/** Only its source port distinguishes a connection from others to the same port, so that only connections to one port count together. */
function ephemeralPorts(demand: LadderDemand, { ephemeralPorts: allowed }: MachineLimits): MachineLimit | null {
  return allowed === null ? null : { code: 'ephemeral-ports', needed: toOnePort(demand), allowed };
}

/** All clients of a step may connect at once; who finds no room in the queue tries again only after 1 s, which then looks like latency. */
function listenBacklog(demand: LadderDemand, { acceptQueue, synQueue }: MachineLimits): MachineLimit | null {
  if (acceptQueue === null) return null;
  const needed = toOnePort(demand);
  const queues = [
    ...(acceptQueue < needed ? ['net.core.somaxconn'] : []),
    ...(synQueue !== null && synQueue < needed ? ['net.ipv4.tcp_max_syn_backlog'] : []),
  ];
  return { code: 'listen-backlog', needed, allowed: Math.min(acceptQueue, synQueue ?? acceptQueue), queues };
}

function toOnePort({ connections, instances, throughProxy }: LadderDemand): number {
  return throughProxy ? connections : Math.ceil(connections / instances);
}

function databaseConnections({ maxConnections, poolTotal }: LadderDemand): MachineLimit | null {
  if (maxConnections === null) return null;
  return { code: 'database-connections', needed: poolTotal + reservedSessions, reserved: reservedSessions, allowed: maxConnections };
}

async function readNumbers(file: string): Promise<number[] | null> {
  try {
    const numbers = (await readFile(file, 'utf8')).trim().split(/\s+/).map(Number);
    return numbers.every((number) => Number.isFinite(number)) ? numbers : null;
  } catch {
    return null;
  }
}
