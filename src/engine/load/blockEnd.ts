import { performance } from 'node:perf_hooks';
import type { WindowTotals } from './blockMeter.ts';

const lookEveryMs = 5;
/** How long the answers under way at a block's end are waited for where nothing was answered that would say how long they take. */
const unknownGraceMs = 500;
const beyondSlowestMs = 100;
/** They may take longer than those before them where others take the CPU meanwhile. */
const timesSlowest = 2;
/** No block takes longer than this from the close of its window to its end, but for closing its connections. */
export const longestGraceMs = 5000;

/**
 * How long the answers under way at a block's end are waited for: they take about as long as those before them took, and so long empties the queue before a limit, too
 * (Little's law, with nobody joining it). What takes twice as long is stuck.
 */
export function graceMs(totals: WindowTotals | null): number {
  if (totals === null || totals.histogram.totalCount === 0) return unknownGraceMs;
  return Math.min(longestGraceMs, beyondSlowestMs + (timesSlowest * totals.histogram.maxValue) / 1000);
}

/** Resolves when `isOver` says so. */
export function waitUntil(isOver: (now: number) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isOver(performance.now())) resolve();
      else setTimeout(look, lookEveryMs);
    };
    look();
  });
}
