import * as z from 'zod';
import { bouncerSchema } from './bouncer.ts';

/** One of several instances of a target within a trial's valid blocks; means over time. */
export const instanceUseSchema = z.object({
  cpuPercent: z.number().nullable().describe('of one core'),
  rssBytes: z.number().nullable(),
  requestsPerSecond: z.number().nullable().default(null).describe('that it answered; null where no probe sees them, as in a JVM'),
});
export type InstanceUse = z.infer<typeof instanceUseSchema>;

/** The proxy before the instances within a trial’s valid blocks; means over time. */
export const proxyUseSchema = z.object({
  cpuPercent: z.number().nullable().describe('of one core'),
  workers: z.number(),
  cores: z.number().optional().describe('that it may use: one for each worker, or its limit; absent in runs from before it was told'),
});
export type ProxyUse = z.infer<typeof proxyUseSchema>;

/** The distance between a target and its database within a trial’s valid blocks. */
export const distanceUseSchema = z.object({
  rttMs: z.number().describe('that was asked for'),
  lastedMs: z.number().describe('that a round trip took in the mean: longer, where the proxy that delays waited for a core itself'),
});
export type DistanceUse = z.infer<typeof distanceUseSchema>;

/** A PgBouncer within a trial’s valid blocks; means over time. */
export const bouncerUseSchema = z.object({
  version: z.string(),
  mode: bouncerSchema.shape.mode.unwrap(),
  poolSize: z.number().describe('its connections to PostgreSQL'),
  busy: z.number().nullable().describe('of these, those that belonged to a client'),
  waiting: z.number().nullable().describe('clients that waited for one'),
  waitMs: z.number().nullable().describe('of a request'),
  clients: z.number().nullable().describe('connections of the app’s pools to it'),
  transactionsPerRequest: z.number().nullable(),
  cpuPercent: z.number().nullable().describe('of the one core that it can use'),
});
export type BouncerUse = z.infer<typeof bouncerUseSchema>;
