import * as z from 'zod';
import { measuredServiceSchema } from '../../../src/model/domain/prediction/measuredService.ts';
import { type Prediction, predict, surroundingsSchema } from '../../../src/model/domain/prediction/predict.ts';

/** What a prediction was made from and for, and what was measured there, in requests/s. */
const resultSchema = z.object({
  to: z.string().describe('part of the key of the trial that is predicted'),
  service: measuredServiceSchema,
  surroundings: surroundingsSchema,
  measured: z.number(),
});
export type Result = z.infer<typeof resultSchema>;

/** A cell that was measured; without results where it failed. */
export const measuredCellSchema = z.object({
  cell: z.string(),
  kind: z.enum(['rtt', 'instances', 'cores']),
  commit: z.string(),
  spentS: z.number(),
  failed: z.string().nullable(),
  results: z.array(resultSchema),
});
export type MeasuredCell = z.infer<typeof measuredCellSchema>;

/** A result with what this version predicts. */
export type Judged = Result & Pick<Prediction, 'throughput' | 'full'> & { isIn: boolean };

export function judged(result: Result): Judged {
  const { throughput, full } = predict(result.service, result.surroundings);
  return { ...result, throughput, full, isIn: result.measured >= throughput.low && result.measured <= throughput.high };
}
