import type { RecordedEvent } from '../../../model/domain/recording.ts';

/** What async-profiler can record, the cheap ones first. */
export const asyncProfilerEvents = ['cpu', 'wall', 'poolWait', 'alloc', 'lock'] as const satisfies readonly RecordedEvent[];
export type AsyncProfilerEvent = (typeof asyncProfilerEvents)[number];

/**
 * The methods by which an application asks its pool for a connection: the outermost ones, so that no wait is counted twice
 * (`HikariDataSource.getConnection` calls `HikariPool.getConnection`).
 */
export const poolMethods = [
  'com.zaxxer.hikari.HikariDataSource.getConnection',
  'org.apache.commons.dbcp2.BasicDataSource.getConnection',
  'org.apache.tomcat.jdbc.pool.DataSourceProxy.getConnection',
] as const;

/**
 * Calls that took less are not recorded: handing out a free connection takes some µs and would be recorded at every request otherwise. What is
 * left out is below this for each call, so the time waited for the pool is at most this much too small per request.
 */
export const poolThresholdUs = 100;

/** Sampling intervals, and the least wait for a lock that is recorded with certainty. */
export const cpuIntervalMs = 5;
export const wallIntervalMs = 50;
export const lockThresholdMs = 1;

/** Leaves out what it reports of the machine and the command line (1) and the system properties (2): both may hold secrets. */
const withoutSystem = 1 | 2;

/** How async-profiler is asked to record, as its agent reads it: `start,…`. Paths must hold no comma. */
export function startCommand(
  events: readonly AsyncProfilerEvent[],
  { maxMs, file, log, cpuEngine }: { maxMs: number; file: string; log: string; cpuEngine: 'ctimer' | 'itimer' },
): string {
  const parts: Record<AsyncProfilerEvent, string[]> = {
    cpu: [`event=${cpuEngine}`, `interval=${cpuIntervalMs}ms`],
    wall: [`wall=${wallIntervalMs}ms`],
    alloc: ['alloc=512k'],
    lock: [`lock=${lockThresholdMs}ms`],
    poolWait: poolMethods.map((method) => `trace=${method}:${poolThresholdUs}us`),
  };
  const wanted = asyncProfilerEvents.filter((event) => events.includes(event)).flatMap((event) => parts[event]);
  // A chunk is closed every 2 s, so that what was recorded before the process is killed can be read.
  const ending = ['chunktime=2s', `timeout=${timeoutSeconds(maxMs)}`];
  return ['start', ...wanted, ...ending, 'jfr', `jfropts=${withoutSystem}`, `log=${log}`, `file=${file}`].join(',');
}

/** The time after which the profiler ends on its own, in whole seconds. */
export function timeoutSeconds(maxMs: number): number {
  return Math.max(1, Math.ceil(maxMs / 1000));
}
