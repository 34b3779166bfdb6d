import * as z from 'zod';
import { adviseRequestSchema } from '../domain/advice.ts';
import { runRequestSchema } from '../domain/run.ts';
import { experimentRequestSchema } from '../domain/experiment.ts';
import { tuneRequestSchema } from '../domain/tuning.ts';
import { diffRequestSchema } from './versionDiffRequest.ts';

/**
 * What can be asked of the engine to be measured and kept: values side by side, a search for one of them, a published experiment, two versions of the code, or
 * what would help. A live session has its own request, since it ends by hand and is kept on demand.
 */
export const measureRequestSchema = z.discriminatedUnion('kind', [
  runRequestSchema.extend({ kind: z.literal('run') }),
  tuneRequestSchema.extend({ kind: z.literal('tune') }),
  experimentRequestSchema.extend({ kind: z.literal('experiment') }),
  diffRequestSchema.extend({ kind: z.literal('diff') }),
  adviseRequestSchema.extend({ kind: z.literal('advise') }),
]);
export type MeasureRequest = z.infer<typeof measureRequestSchema>;
/** A request before its defaults are filled in. */
export type MeasureInput = z.input<typeof measureRequestSchema>;
export type MeasureKind = MeasureRequest['kind'];
export type RequestOf<K extends MeasureKind> = Extract<MeasureRequest, { kind: K }>;
/** What is asked of one kind, its defaults not filled in. */
export type AskedOf<K extends MeasureKind> = Omit<Extract<MeasureInput, { kind: K }>, 'kind'>;
