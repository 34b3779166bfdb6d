import * as z from 'zod';
import { failure } from '../failure.ts';
import { settingsPhrase } from '../format.ts';
import type { RunRecord, Trial } from '../run.ts';
import { answeredRequests } from '../statement.ts';
import { grouped } from '../grouped.ts';

const throughputSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() }).describe('requests/s');

/** One load on a service, and what a request took, in ms. */
const measuredLoadSchema = z.object({
  clients: z.number(),
  throughput: throughputSchema,
  cpu: z.object({ app: z.number(), database: z.number(), client: z.number() }).describe('time'),
  busiestThread: z.number().describe('of the CPU time of the app'),
  held: z.number().describe('that connections to the database were held'),
});
export type MeasuredLoad = z.infer<typeof measuredLoadSchema>;

/** What a run knows of a service that a prediction is made from. */
export const measuredServiceSchema = z.object({
  cores: z.number().describe('of the machine that app, database and load shared'),
  takenShare: z.number().describe('of these cores, what other programs took meanwhile, 0 … 1'),
  appCores: z.number().nullable().describe('that each instance was limited to; null: all'),
  instances: z.number(),
  pool: z.number().nullable().describe('connections to the database of each instance; null where no pool is known'),
  rttMs: z.number().describe('between app and database, in addition to that of loopback'),
  roundTrips: z.object({ low: z.number(), high: z.number() }).describe('for each request: a BEGIN may go with the statement after it'),
  loads: z.array(measuredLoadSchema).min(1).describe('by the number of clients'),
});
export type MeasuredService = z.infer<typeof measuredServiceSchema>;

/**
 * What a run measured of one target with one set of settings, under one load or several. Fails with `trial-unknown` where the run has several and `reference` (parts of
 * a key, such as `pool=8`) does not name one, and with `not-predictable` where something is not known.
 */
export function measuredService(run: RunRecord, reference: string | null): MeasuredService {
  const parts = reference?.split('|') ?? [];
  const chosen = run.trials.filter(({ valid, key }) => valid && parts.every((part) => key.split('|').includes(part)));
  const kinds = grouped(chosen, ({ target, settings: of }) => `${target} ${settingsPhrase(of)}`);
  const [trials, ...others] = kinds.values();
  if (trials === undefined || others.length > 0)
    throw failure(
      'trial-unknown',
      trials === undefined ? 'No trial of the run that counts is meant.' : `${kinds.size} sets of settings of the run are meant.`,
      `Name one by --trial: ${[...new Set(run.trials.map(({ key }) => key.replace(/\|c=\d+$/, '')))].join('; ')}.`,
    );
  const [first] = trials;
  const { settings } = first;
  const number = (name: string): number | null => (settings[name] === undefined ? null : Number.parseFloat(String(settings[name])));
  const instances = number('instances') ?? 1;
  const [most] = trials.flatMap(({ pool }) => pool?.max ?? []);
  return {
    cores: run.environment.cores,
    takenShare: Math.min(0.9, trials.reduce((sum, { interference }) => sum + (interference?.takenPercent ?? 0), 0) / trials.length / 100),
    appCores: number('cores'),
    instances,
    pool: number('pool') ?? (most === undefined ? null : most / instances),
    rttMs: first.distance?.lastedMs ?? number('rtt') ?? 0,
    roundTrips: roundTripsOf(trials),
    loads: trials.map(loadOf).sort((a, b) => a.clients - b.clients),
  };
}

function loadOf({ connections, throughput, resources, pool, blocks }: Trial): MeasuredLoad {
  const { app, postgres, generator } = resources;
  if (app.cpuUsPerRequest === null || generator.cpuUsPerRequest === null || throughput.mean <= 0)
    throw failure(
      'not-predictable',
      'The CPU time of a request is not known of that run.',
      'Measure it on Linux, with Benchside’s own load.',
    );
  const perRequest = { app: app.cpuUsPerRequest / 1000, database: (postgres.cpuUsPerRequest ?? 0) / 1000 };
  const busiest = blocks.flatMap(({ valid, slices }) => (valid ? (slices?.busiestUs ?? []) : [])).flatMap((us) => us ?? []);
  return {
    clients: connections,
    throughput: { mean: throughput.mean, low: throughput.ciLow ?? throughput.mean, high: throughput.ciHigh ?? throughput.mean },
    cpu: { ...perRequest, client: generator.cpuUsPerRequest / 1000 },
    busiestThread:
      busiest.length === 0 ? perRequest.app : Math.min(perRequest.app, busiest.reduce((sum, us) => sum + us, 0) / busiest.length / 1000),
    held: (pool?.holdMs ?? 0) * (pool?.perRequest ?? 1) * countedShare(blocks),
  };
}

/** A pool counts in whole slices, and requests count in their windows. */
function countedShare(blocks: Trial['blocks']): number {
  const sliced = blocks.flatMap(({ valid, slices, windowMs }) =>
    valid && slices !== undefined ? [{ windowMs, wholeMs: slices.wholeMs }] : [],
  );
  const wholeMs = sliced.flatMap((one) => one.wholeMs).reduce((sum, ms) => sum + ms, 0);
  return wholeMs === 0 ? 1 : Math.min(1, sliced.reduce((sum, { windowMs }) => sum + windowMs, 0) / wholeMs);
}

/** Statements that a driver may send together with the next one. */
const sentAlong = /^\s*(begin|start\s+transaction)\b/i;

function roundTripsOf(trials: readonly Trial[]): MeasuredService['roundTrips'] {
  const counted = trials.filter(({ statements }) => statements !== undefined);
  const requests = counted.reduce((sum, trial) => sum + answeredRequests(trial), 0);
  const calls = (wanted: (sql: string) => boolean): number =>
    counted.flatMap(({ statements = [] }) => statements).reduce((sum, { sql, calls: times }) => sum + (wanted(sql) ? times : 0), 0);
  if (requests === 0) return { low: 0, high: 0 };
  return { low: calls((sql) => !sentAlong.test(sql)) / requests, high: calls(() => true) / requests };
}
