import { liveEndSchema } from '../domain/progress/liveEndKinds.ts';
import * as z from 'zod';
import { failureSchema } from '../domain/failure.ts';
import { loadFigures } from '../domain/latency.ts';
import { liveRefusalSchema } from '../domain/liveRefusal.ts';
import { connectionsSchema, loadFields } from '../domain/requestFields.ts';
import { stepSchema } from '../domain/progress/stepKinds.ts';
import { runNoteSchema } from '../domain/runNoteKinds.ts';
import { settingValueSchema, settingValuesSchema } from '../domain/setting.ts';

/** Load that keeps running on one target while its settings are moved. */
export const liveRequestSchema = z.strictObject({
  target: z.string(),
  settings: settingValuesSchema.default({}).describe('to start with'),
  ...loadFields,
  connections: connectionsSchema.optional(),
  maxS: z.number().min(5).max(7_200).default(1_800).describe('it ends by itself then: every load is bounded'),
});
export type LiveRequest = z.infer<typeof liveRequestSchema>;

/** A setting that can be moved. `problem` says why it cannot. */
export const liveControlSchema = z.object({
  setting: z.string(),
  label: z.string(),
  unit: z.string().nullable(),
  min: z.number(),
  max: z.number(),
  value: z.number(),
  problem: liveRefusalSchema.nullable(),
});
export type LiveControl = z.infer<typeof liveControlSchema>;

/** About once a second. Times on the session's own axis. Null where nothing is known. */
export const liveSampleSchema = z.object({
  timeMs: z.number(),
  ...loadFigures,
  appCpuPercent: z.number().nullable(),
  postgresCpuPercent: z.number().nullable(),
  generatorCpuPercent: z.number().nullable(),
  pool: z.object({ busy: z.number(), pending: z.number(), total: z.number(), max: z.number().nullable() }).nullable(),
  threads: z.object({ busy: z.number(), queue: z.number(), max: z.number().nullable() }).nullable(),
  eventLoopUtilisation: z.number().nullable(),
});
export type LiveSample = z.infer<typeof liveSampleSchema>;

/** A setting was moved. `effectiveMs`: until the new size was verified. */
export const liveChangeSchema = z.object({
  timeMs: z.number(),
  setting: z.string(),
  from: settingValueSchema,
  to: settingValueSchema,
  ok: z.boolean(),
  effectiveMs: z.number(),
  message: liveRefusalSchema.nullable(),
});
export type LiveChange = z.infer<typeof liveChangeSchema>;

/** What was measured between two changes; `keep` turns it into a trial. */
export const liveSegmentSchema = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  settings: settingValuesSchema,
  ...loadFigures,
  requests: z.number(),
});
export type LiveSegment = z.infer<typeof liveSegmentSchema>;

export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('starting'), target: z.string(), targetLabel: z.string(), doing: stepSchema }),
  z.object({
    type: z.literal('running'),
    target: z.string(),
    targetLabel: z.string(),
    controls: z.array(liveControlSchema),
    connections: z.number(),
    routes: z.array(z.string()),
    notes: z.array(runNoteSchema),
  }),
  z.object({ type: z.literal('sample'), sample: liveSampleSchema }),
  z.object({ type: z.literal('change'), change: liveChangeSchema }),
  z.object({ type: z.literal('segment'), segment: liveSegmentSchema }),
  z.object({
    type: z.literal('ended'),
    reason: liveEndSchema,
    failure: failureSchema.nullable(),
    runId: z.string().nullable().describe('where it was kept, if it was'),
  }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;
