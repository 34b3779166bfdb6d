/** How often is looked whether they have ended. */
export const lookEveryMs = 5;
/** How long the answers in progress at a block's end are waited for where nothing was answered that would say how long they take. */
const unknownGraceMs = 500;
const beyondSlowestMs = 100;
/** They may take longer than those before them where others take the CPU meanwhile. */
const timesSlowest = 2;
/** No block takes longer than this from the close of its window to its end, except for closing its connections. */
export const longestGraceMs = 5000;

/**
 * How long the answers in progress at a block's end are awaited: they take about as long as those before them took. This time also empties the queue before a
 * limit (Little's law, without arrivals). What takes twice as long is stuck. `slowestUs`: the slowest of them, 0 where there was none.
 */
export function graceMs(slowestUs: number): number {
  return slowestUs === 0 ? unknownGraceMs : Math.min(longestGraceMs, beyondSlowestMs + (timesSlowest * slowestUs) / 1000);
}
