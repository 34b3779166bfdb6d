import * as z from 'zod';
import { generatorSchema } from './generator.ts';
import { rawRequestSchema } from './rawSample.ts';
import { trialRecordingSchema } from './recording.ts';
import { routeRequestFields } from './routeCheck.ts';
import { lookedUpNameSchema, settingValueSchema } from './setting.ts';
import { sloSchema } from './slo.ts';
import { runTopologySchema } from './topology.ts';

/** Fields of every request that puts a load profile on. */
export const loadFields = {
  load: z.string().default('steady'),
  route: z.string().optional().describe('one route, `/path` or `METHOD /path`, instead of the mix'),
};

export const connectionsSchema = z.number().int().min(1).max(10_000);

export const valuesSchema = z.record(lookedUpNameSchema, z.array(settingValueSchema).min(1));

/** Fields of every request whose measurement is kept: what is kept in addition to its figures. */
export const keptFields = {
  record: trialRecordingSchema
    .optional()
    .describe('record after everything was measured, under the same load; no events: all that cost little'),
  raw: rawRequestSchema.optional().describe('keep every request, or a share of them, as a row of its own'),
};

export const askedModeSchema = z.enum(['auto', 'live', 'process-per-setting', 'restart-per-block']);

/** Fields of requests that compare values of settings. */
export const comparingFields = {
  targets: z.array(z.string()).min(1),
  ...loadFields,
  ...routeRequestFields,
  slo: sloSchema.optional().describe('instead of the load profile’s own'),
  topology: runTopologySchema.optional().describe('what stands around the instances of each target'),
  generator: generatorSchema.optional().describe('what puts the load on in place of Benchside’s own closed loop'),
  ...keptFields,
};
