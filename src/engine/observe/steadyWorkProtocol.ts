import * as z from 'zod';

/** What `steadyWork` is asked for. */
export const steadyWorkPlanSchema = z.object({
  threads: z.number().int().positive(),
  windowMs: z.number().positive(),
  windows: z.number().int().positive(),
  /** Before the first window, until the work is compiled. */
  warmUpMs: z.number().nonnegative(),
});
export type SteadyWorkPlan = z.infer<typeof steadyWorkPlanSchema>;

/** One edge of a window. */
export const workReadingSchema = z.object({
  index: z.number().int().nonnegative(),
  /** By the clock of that process. */
  atMs: z.number(),
  /** Work done so far on all threads. */
  units: z.number().nonnegative(),
});
export type WorkReading = z.infer<typeof workReadingSchema>;
