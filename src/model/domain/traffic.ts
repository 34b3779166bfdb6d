import * as z from 'zod';

/** Why requests of a route are not in a profile that was made from traffic. */
export const trafficLeftSchema = z.enum(['writes', 'fails', 'no-body', 'not-asked', 'rare']);
export type TrafficLeft = z.infer<typeof trafficLeftSchema>;

/** What a person should know of traffic that was read, as codes with figures. */
export const trafficNoteSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('not-understood'), entries: z.number() }),
  z.object({ code: z.literal('beyond-limits'), requests: z.number() }),
  z.object({ code: z.literal('unknown-cookies'), requests: z.number() }),
  z.object({ code: z.literal('sampled-sessions'), sessions: z.number(), roles: z.number() }),
  z.object({ code: z.literal('no-ids'), route: z.string(), parameter: z.string(), values: z.number() }),
  z.object({ code: z.literal('no-database') }),
]);
export type TrafficNote = z.infer<typeof trafficNoteSchema>;

/** A parameter of a route, and where its values in the load profile come from. */
export const trafficIdsSchema = z.object({
  route: z.string(),
  parameter: z.string(),
  values: z.number().describe('different ones in the traffic'),
  column: z.string().nullable().describe('“schema.table.column” in which they are keys; null: as they were recorded'),
  existing: z.number().describe('of those in the profile, how many are in that column'),
  moved: z.number().describe('of those in the profile, how many stand in for one that the local data do not have'),
  written: z.number().describe('different ones in the profile'),
});
export type TrafficIds = z.infer<typeof trafficIdsSchema>;

/** What traffic says, and the load profile that was made from it. */
export const trafficSchema = z.object({
  source: z.string().describe('the form of the file, as people call it'),
  requests: z.number(),
  sessions: z.number(),
  spanS: z.number().nullable().describe('from the first request to the last; null without times'),
  ratePerS: z.number().nullable().describe('requests a second, over all of it'),
  peakPerS: z.number().nullable().describe('requests a second in the busiest minute'),
  concurrent: z.number().nullable().describe('sessions at the same time, on average'),
  routes: z.array(
    z.object({
      route: z.string(),
      requests: z.number(),
      share: z.number().describe('of all requests, 0 to 1'),
      left: trafficLeftSchema.nullable().describe('null: it is in the profile'),
    }),
  ),
  ids: z.array(trafficIdsSchema),
  secrets: z
    .array(
      z.object({
        name: z.string(),
        field: z.string().describe('the field, header or parameter that held it'),
        route: z.string().describe('that was sent it first'),
      }),
    )
    .describe('variables of the environment from which secrets are taken when the load is put on'),
  notes: z.array(trafficNoteSchema),
  name: z.string().describe('of the load profile'),
  text: z.string().describe('the load profile as a file'),
});
export type Traffic = z.infer<typeof trafficSchema>;
