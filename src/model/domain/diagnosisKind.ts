import * as z from 'zod';
import { keysOf } from './keysOf.ts';

/** What limits a target, in a word or three as lists and tables say it. `healthy`: nothing does at this load (there is room in every resource). */
export const limitNames = {
  invalid: 'not valid',
  healthy: 'nothing at this load',
  'client-limited': 'load generator',
  'pool-limited': 'connection pool',
  'pool-exhausted': 'exhausted connection pool',
  'connection-leak': 'leaked connections',
  'held-connection': 'held connections',
  'database-lock': 'database lock',
  'database-cpu': 'database CPU',
  'database-io': 'database I/O',
  'event-loop': 'event loop',
  gc: 'garbage collection',
  'one-core': 'one core',
  cpu: 'CPU',
  'thread-pool': 'thread pool',
  'application-lock': 'application lock',
  oversubscribed: 'oversubscribed machine',
  'outbound-pool': 'outbound client pool',
  'outbound-service': 'outbound service',
  proxy: 'proxy',
  pgbouncer: 'PgBouncer’s pool',
  descriptors: 'file descriptors',
  'network-or-payload': 'network or payload',
  'unknown-wait': 'unknown wait',
  'busy-machine': 'other programs',
} as const;
export const diagnosisKindSchema = z.enum(keysOf(limitNames));
export type DiagnosisKind = keyof typeof limitNames;

/**
 * Whether a verdict names something that limits the target: not one that there is room, not one of the machine’s other programs, and not one that the figures
 * are worth nothing.
 */
export function isLimit(kind: DiagnosisKind): boolean {
  return kind !== 'healthy' && kind !== 'invalid' && kind !== 'busy-machine';
}

/**
 * Verdicts by which a processor is full, the app's or the machine's: what other programs take of the CPU, and a pool that is too small, can make them of
 * something else.
 */
export const processorLimits: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>([
  'cpu',
  'one-core',
  'event-loop',
  'database-cpu',
  'busy-machine',
]);

/** Limits of all cores together: without other programs there would be more of it. One event loop, and one thread, use a core at the most. */
export const allCoreLimits: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>(['cpu', 'database-cpu', 'busy-machine', 'oversubscribed']);

/** Limits that are what the app computes. */
const ofAppCpu: ReadonlySet<DiagnosisKind> = new Set<DiagnosisKind>(['cpu', 'one-core', 'event-loop', 'gc', 'busy-machine']);

/** Whether what the app computes is the limit. */
export function isOfAppCpu(kind: DiagnosisKind): boolean {
  return ofAppCpu.has(kind);
}
