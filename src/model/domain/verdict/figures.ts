import * as z from 'zod';
import { keysOf } from '../keysOf.ts';
import type { PauseKind } from '../probe.ts';

/** Figures of a verdict: their units are in their names, and shares are 0 … 1. */
export const number = z.number();
export const seen = z.number().nullable().describe('null: it was not seen');

/** Connections of a pool that were in use, of how many. */
export const inUse = z.object({ busy: seen, max: seen });

/** A use of cores: its share of them, and how many they are. */
export const ofCoresUsed = z.object({ share: seen, cores: seen });

/** What can be full, as verdicts name it. */
export const resourceNames = {
  'machine-cpu': 'the machine’s CPU',
  'app-share': 'the app’s share of the CPU',
  'app-cpu': 'the app’s CPU',
  'postgres-cpu': 'PostgreSQL’s CPU',
  'event-loop': 'the event loop',
  pool: 'the connection pool',
  'bouncer-pool': 'PgBouncer’s pool',
  'client-pool': 'the HTTP client’s pool',
  threads: 'the thread pool',
  generator: 'the load generator',
} as const;
export const resourceSchema = z.enum(keysOf(resourceNames));
export type Resource = keyof typeof resourceNames;

export const pauseNames: Readonly<Record<PauseKind, string>> = {
  loop: 'a blocked event loop',
  collector: 'a pause of the garbage collector',
  standstill: 'a standstill of the whole JVM other than for its collector (a safepoint, or the machine)',
  'worker-pool': 'a full pool of libuv’s threads',
  'name-look-up': 'a slow look-up of a name',
};

/** What a lock of PostgreSQL is on. */
export const lockedThingSchema = z.enum(['row', 'advisory', 'table']);
export type LockedThing = z.infer<typeof lockedThingSchema>;
