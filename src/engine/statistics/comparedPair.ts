import type { BlockStatistics, CountedBlock } from './blockStatistics.ts';
import { bothAmple } from './mechanism.ts';
import { reachOf } from './moments.ts';

/**
 * That two are the same to within δ is claimed by the interval that is shown: a look that stops too early there calls a difference of about δ the same,
 * never a copy different.
 */
const samenessConfidence = 0.95;

interface Side {
  key: string;
  blocks: readonly (CountedBlock & { waitShare?: number | null })[];
}

/**
 * Of two values that are compared: whether it is known which is better, or that they are the same to within δ. Where nobody waits at either they are the same
 * by the mechanism, and figures that do not contradict it are enough. False of any other number of values.
 *
 * @param confidence that a difference is asked for: more than at the end, since it is looked for after each round.
 */
export function isCompared(
  [a, b, ...others]: readonly Side[],
  statistics: BlockStatistics,
  { delta, confidence }: { delta: number; confidence: number },
): boolean {
  if (a === undefined || b === undefined || others.length > 0) return false;
  const gap = statistics.difference(a.key, b.key);
  if (gap === null) return false;
  const reach = (wanted: number): number => reachOf(gap, (1 + wanted) / 2);
  const band = -Math.log(1 - delta);
  const size = Math.abs(gap.logRatio);
  const same = size + reach(samenessConfidence) < band;
  // Figures that contradict what must hold were mostly hit by a burst on one side: more of them correct it.
  if (bothAmple(a, b)) return same || size < Math.min(band, reach(samenessConfidence));
  return same || size > reach(confidence);
}
