import * as z from 'zod';

/**
 * CPU that the programs under test did not get while they were measured, as shares of the CPU that they may use: the whole machine, or what a
 * container’s limit leaves of it (a limit is a size, not interference). Read at the edges of the measured window.
 */
export const interferenceSchema = z.object({
  takenPercent: z.number().min(0).max(100).describe('all of it together'),
  stealPercent: z.number().min(0).describe('time that the hypervisor gave to other machines'),
  otherPercent: z.number().min(0).describe('CPU that other programs used'),
});
export type Interference = z.infer<typeof interferenceSchema>;

/** Interference below this is not shown: a machine at rest loses as much to its own housekeeping. */
export const noticeablePercent = 5;

/** Whether the lost share of the CPU is large enough to be shown with a figure. */
export function isNoticeable(interference: Interference | null): boolean {
  return interference !== null && interference.takenPercent >= noticeablePercent;
}

/** The mean of several windows, weighted by how long each was; null when nothing is known of any. */
export function meanInterference(windows: readonly { interference: Interference | null; windowMs: number }[]): Interference | null {
  const known = windows.flatMap(({ interference, windowMs }) => (interference === null ? [] : [{ interference, windowMs }]));
  const total = known.reduce((sum, { windowMs }) => sum + windowMs, 0);
  if (total === 0) return null;
  const mean = (of: (one: Interference) => number): number =>
    known.reduce((sum, { interference, windowMs }) => sum + of(interference) * windowMs, 0) / total;
  return {
    takenPercent: mean(({ takenPercent }) => takenPercent),
    stealPercent: mean(({ stealPercent }) => stealPercent),
    otherPercent: mean(({ otherPercent }) => otherPercent),
  };
}
