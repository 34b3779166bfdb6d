import * as z from 'zod';

/** The one argument of the proxy, as JSON. */
export const distancePlanSchema = z.object({
  host: z.string().describe('where the bytes go'),
  port: z.number().int().min(1).max(65_535),
  rttMs: z.number().min(0).describe('half of it in each direction'),
});
export type DistancePlan = z.infer<typeof distancePlanSchema>;

/** What it writes, a line each: where on 127.0.0.1 it listens, and its use so far for each line on its standard input. */
export const distanceUseSchema = z.object({
  open: z.number().describe('connections'),
  messages: z.number().describe('pieces that were passed on'),
  bytes: z.number(),
  cpuUs: z.number().describe('of the proxy'),
  lateUs: z
    .object({ p50: z.number(), p99: z.number(), sum: z.number().describe('of all pieces') })
    .nullable()
    .describe('after the time at which a piece was due; null without a delay'),
});
export type DistanceUse = z.infer<typeof distanceUseSchema>;

export const distanceLineSchema = z.union([
  z.object({ listening: z.number().int().min(1).max(65_535) }),
  z.object({ use: distanceUseSchema }),
]);
