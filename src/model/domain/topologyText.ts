import { bouncerPhrase } from './bouncer.ts';
import type { Proxy, RunTopology } from './topology.ts';

/** How a proxy chooses the instance for a request. */
export const balanceWords: Readonly<Record<Proxy['balance'], string>> = { 'round-robin': 'round robin', 'least-conn': 'least connections' };

/** A topology in words: "behind nginx (round robin, connections to the instances kept open), at most 0.5 cores for each process". */
export function topologyPhrase({ proxy, totalConnections, cpuShare, bouncer }: RunTopology): string {
  const parts = [
    ...(proxy === null ? [] : [`behind nginx (${proxyPhrase(proxy)})`]),
    ...(cpuShare === null ? [] : [`at most ${counted(cpuShare, 'core')} for each process`]),
    ...(totalConnections === undefined ? [] : [`${counted(totalConnections, 'database connection')} for all instances together`]),
    ...(bouncer === undefined ? [] : [`${bouncerPhrase(bouncer)} before PostgreSQL`]),
  ];
  return parts.length === 0 ? 'nothing around the instances' : parts.join(', ');
}

function proxyPhrase({ balance, upstreamKeepAlive, clientKeepAlive, tls, staticFiles, workers, cpuShare }: Proxy): string {
  return [
    balanceWords[balance],
    upstreamKeepAlive ? 'connections to the instances kept open' : 'a new connection to an instance for each request',
    ...(clientKeepAlive ? [] : ['a new connection of the client for each request']),
    ...(staticFiles ? ['answers /static/ itself'] : []),
    ...(tls ? ['TLS'] : []),
    ...(workers === 1 ? [] : [counted(workers, 'worker')]),
    ...(cpuShare === null ? [] : [`at most ${counted(cpuShare, 'core')}`]),
  ].join(', ');
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
