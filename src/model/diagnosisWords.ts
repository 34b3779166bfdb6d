import type { Diagnosis, DiagnosisKind } from './diagnosis.ts';

/** What a verdict names, in a word or three, as lists and tables say it. */
export const limitNames: Readonly<Record<DiagnosisKind, string>> = {
  invalid: 'not valid',
  healthy: 'nothing at this load',
  'client-limited': 'load generator',
  'pool-limited': 'connection pool',
  'pool-exhausted': 'exhausted connection pool',
  'held-connection': 'held connections',
  'database-lock': 'database lock',
  'database-cpu': 'database CPU',
  'database-io': 'database I/O',
  'event-loop': 'event loop',
  gc: 'garbage collection',
  cpu: 'CPU',
  'thread-pool': 'thread pool',
  'application-lock': 'application lock',
  oversubscribed: 'oversubscribed machine',
  'outbound-pool': 'outbound client pool',
  'outbound-service': 'outbound service',
  proxy: 'proxy',
  descriptors: 'file descriptors',
  'network-or-payload': 'network or payload',
  'unknown-wait': 'unknown wait',
};

/** Whether a verdict names something that limits the target: not one that there is room, and not one that the figures are worth nothing. */
export function isLimit(kind: DiagnosisKind): boolean {
  return kind !== 'healthy' && kind !== 'invalid';
}

/** What a measurement that is void for a reason outside of the app would have shown, as a sentence; empty where that cannot be said. */
export function asideSentence({ leavingThatAside }: Diagnosis): string {
  return leavingThatAside === undefined ? '' : `Leaving that aside, and without certainty: ${leavingThatAside.headline}`;
}
