import * as z from 'zod';
import { experimentRecordSchema } from './experiment.ts';
import { type TuningAnswer, tuningRecordSchema } from './tuning.ts';
import { versionDiffSchema } from './versionDiff.ts';

/** What a measurement found in addition to its trials, by its kind. `live`: the user changed settings under a load that went on. */
export const runResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run') }),
  tuningRecordSchema,
  experimentRecordSchema,
  versionDiffSchema,
  z.object({ kind: z.literal('live') }),
]);
export type RunResult = z.infer<typeof runResultSchema>;

/** The answers of a tuning; none of any other measurement. */
export function tunedAnswers({ result }: { result: RunResult }): readonly TuningAnswer[] {
  return result.kind === 'tune' ? result.answers : [];
}
