/** The pools that a ladder asks about. */
export const ladderSizes = [2, 4, 8, 16, 32, 64] as const;
export const ladderDelta = 0.05;

/** Whether a pool is enough by the law X = min(pool, connections) ÷ hold time; `knee` is the number of connections. */
export function isEnough(pool: number, knee: number): boolean {
  return Math.min(pool, knee) >= (1 - ladderDelta) * knee;
}

/**
 * Steps between a pool and the smallest that is enough. 0 is that rung, or a value between rungs that is enough where the rung below it is not; any
 * other value between two rungs is a rung of its own.
 */
export function stepsOff(pool: number, knee: number): number {
  const below = Math.max(0, ...ladderSizes.filter((size) => size < pool));
  if (isEnough(pool, knee) && !isEnough(below, knee)) return 0;
  const rungs = [...new Set([...ladderSizes, pool])].sort((a, b) => a - b);
  return Math.abs(rungs.indexOf(pool) - rungs.findIndex((size) => isEnough(size, knee)));
}
