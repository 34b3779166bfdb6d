import * as z from 'zod';
import { recordedEventSchema, recorderIdSchema } from '../../model/domain/recording.ts';

/** What was answered last time, step by step; kept for a workspace. Settings and load belong to a target, by its id. */
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
