import * as z from 'zod';
import { leakVerdictSchema } from '../../../src/model/domain/leak.ts';

/** One look at one planted service; bytes are per request. */
export const measuredSchema = z.object({
  variant: z.string(),
  repeat: z.number(),
  commit: z.string(),
  outcome: z.enum(['right', 'wrong', 'withheld', 'failed']),
  verdict: leakVerdictSchema,
  kept: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  named: z.boolean().nullable().describe('whether the answer names what keeps it; null where it need not'),
  cycles: z.number(),
  requests: z.number(),
  spentS: z.number(),
});
export type Measured = z.infer<typeof measuredSchema>;
