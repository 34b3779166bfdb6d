/** Two windows of one round. Shares of the CPU that others used meanwhile, in percent; null where they are not known. */
export interface PairWithInterference {
  takenPercent: readonly [number | null, number | null];
  /** Requests of the window that has fewer. */
  requests: number;
}

/** In percent of the CPU: others may use as much in either window, and the two may differ by half as much. */
const quietPercent = 10;
/** An interval from fewer pairs is of no use. */
const fewestPairs = 3;

/** How far a pair is from a fair comparison, on the scale of {@link quietPercent}. What is not known counts as quiet. */
function unrest({ takenPercent: [a, b] }: PairWithInterference): number {
  return Math.max(a ?? 0, b ?? 0, 2 * Math.abs((a ?? 0) - (b ?? 0)));
}

/**
 * The pairs with equal, small interference: a theft of 50 ms is a latency of 50 ms, so that the tail of a disturbed window describes the machine. Where fewer
 * than three are that quiet, or they hold fewer than `requestsNeeded` requests on either side, the quietest half, and more until there is enough. The choice
 * looks at the interference alone, never at latency, so that it cannot prefer a result. Returned in the order given.
 */
export function quietPairs<P extends PairWithInterference>(pairs: readonly P[], requestsNeeded: number): P[] {
  const ordered = [...pairs].sort((a, b) => unrest(a) - unrest(b));
  const enough = (count: number): boolean =>
    count >= fewestPairs && ordered.slice(0, count).reduce((sum, { requests }) => sum + requests, 0) >= requestsNeeded;
  let count = ordered.filter((pair) => unrest(pair) <= quietPercent).length;
  if (!enough(count)) count = Math.max(count, Math.ceil(ordered.length / 2));
  while (count < ordered.length && !enough(count)) count += 1;
  const chosen = new Set(ordered.slice(0, count));
  return pairs.filter((pair) => chosen.has(pair));
}
