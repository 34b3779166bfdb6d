import * as z from 'zod';
import { recordedEventSchema, recorderIdSchema } from '../../model/domain/recording.ts';
import { budgetRangeS } from '../../model/domain/runOptions.ts';
import { sloSchema } from '../../model/domain/slo.ts';
import { p99Kinds, versionMetricIds } from '../../model/domain/versionDiff.ts';

/** How a target’s versions are compared, as far as it was chosen; what is absent is as the load profile and the command have it. */
export const compareOptionsSchema = z.object({
  load: z.string().optional(),
  route: z.string().optional().describe('METHOD /path; absent: the mix'),
  connections: z.number().int().min(1).max(10_000).optional(),
  budgetS: z.number().min(budgetRangeS.min).max(budgetRangeS.max).optional(),
  delta: z.number().min(0.005).max(0.5).optional(),
  judgeBy: z.array(z.enum(versionMetricIds)).min(1).optional(),
  p99: z.enum(p99Kinds).optional(),
  slo: sloSchema.optional(),
});
export type CompareOptions = z.infer<typeof compareOptionsSchema>;

/** What was answered when versions were compared last; kept for a workspace. Options belong to a target, by its id. */
export const compareMemorySchema = z.object({
  sides: z.enum(['working', 'base', 'merge', 'both']).default('working'),
  /** Names as they were typed, by what was asked for. */
  names: z.record(z.string(), z.string()).default({}),
  targetId: z.string().nullable().default(null),
  options: z.record(z.string(), compareOptionsSchema).default({}),
});
export type CompareMemory = z.infer<typeof compareMemorySchema>;

export const firstCompareMemory: CompareMemory = compareMemorySchema.parse({});

/** What was answered when something was recorded last, step by step; kept for a workspace. Settings and load belong to a target, by its id. */
export const recordMemorySchema = z.object({
  targetId: z.string().nullable(),
  settings: z.record(z.string(), z.string()),
  loads: z.record(z.string(), z.string().nullable()),
  what: z.object({ recorder: recorderIdSchema.nullable(), events: z.array(recordedEventSchema) }),
  seconds: z.number(),
});
export type RecordMemory = z.infer<typeof recordMemorySchema>;

export const firstRecordMemory: RecordMemory = {
  targetId: null,
  settings: {},
  loads: {},
  what: { recorder: null, events: [] },
  seconds: 10,
};
