import * as z from 'zod';

/** What must hold of every trial, e.g. “p99 ≤ 50 ms and errors < 0.1 %”. */
export const sloSchema = z
  .strictObject({
    p50Ms: z.number().positive().optional(),
    p95Ms: z.number().positive().optional(),
    p99Ms: z.number().positive().optional(),
    p999Ms: z.number().positive().optional(),
    errorShare: z.number().min(0).max(1).optional().describe('errors over all requests: 0.001 is 0.1 %'),
    throughput: z.number().positive().optional().describe('at least so many requests/s'),
  })
  .refine((slo) => Object.values(slo).some((limit) => limit !== undefined), 'an objective needs at least one limit');
export type Slo = z.infer<typeof sloSchema>;

/** How a trial did. `passed` is null where the figure is missing or the trial is not valid. */
export const sloResultSchema = z.object({
  passed: z.boolean().nullable(),
  rows: z.array(
    z.object({
      what: z.string().describe('e.g. p99'),
      limit: z.string().describe('e.g. "≤ 50 ms"'),
      value: z.string(),
      passed: z.boolean().nullable(),
    }),
  ),
});
export type SloResult = z.infer<typeof sloResultSchema>;
