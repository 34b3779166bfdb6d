import * as z from 'zod';

/** One search for what helps one planted service. */
export const measuredSchema = z.object({
  plant: z.string(),
  repeat: z.number(),
  commit: z.string(),
  outcome: z.enum(['first', 'wrong', 'none', 'failed']).describe('whether the cure comes first among what is called useful'),
  first: z.string().nullable(),
  verdict: z.string().nullable(),
  tried: z.array(
    z.object({
      id: z.string(),
      is: z.enum(['cure', 'other', 'nothing']),
      isUseful: z.boolean(),
      stage: z.enum(['screened', 'measured']),
      mean: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      answersDiffer: z.boolean(),
    }),
  ),
  notTried: z.array(z.string()),
  spentS: z.number(),
});
export type Measured = z.infer<typeof measuredSchema>;
