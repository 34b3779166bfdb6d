import { meanOf, reachOf } from './moments.ts';

/**
 * The second kind of evidence: what a request waits for bounds what more of it can gain. In a closed loop a larger pool can only take away the time that is
 * spent waiting for the pool, so that the gain is at most w/(1 − w) with w that share of a request's time (response-time law: Denning & Buzen,
 * Computing Surveys 10, 1978). Theft slows the wait and the rest alike, so that the share hardly moves. It assumes that a larger pool makes nothing
 * else faster, which group commit alone is known to break.
 */

/** What was seen of a request's way through one resource in one block; times in ms. */
export interface WaitSeen {
  /** Mean wait for one connection (or thread), and how many of them a request takes. */
  waitMs: number | null;
  perRequest: number | null;
  /** Mean number of those that waited. */
  pending: number | null;
  /** Mean latency of a request, and how many are in progress. */
  latencyMs: number | null;
  connections: number;
}

/** The share of a request's time that is spent waiting, 0 … 1; `null` where it is not seen. Little's law where only the queue is known: w = Q/C. */
export function waitShareOf({ waitMs, perRequest, pending, latencyMs, connections }: WaitSeen): number | null {
  if (waitMs !== null && latencyMs !== null && latencyMs > 0) return Math.min(1, (waitMs * (perRequest ?? 1)) / latencyMs);
  if (pending !== null && connections > 0) return Math.min(1, pending / connections);
  return null;
}

/** The largest share of waiting that is not worth curing: with w ≤ δ/(1 + δ) no larger size gains more than δ. */
export function enoughShare(delta: number): number {
  return delta / (1 + delta);
}

/** How much a larger size can gain at most by what is waited for, as a share of throughput. */
export function largestGain(share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : share / (1 - share);
}

/** The number in use at once is not exceeded in this share of moments. */
const usedQuantile = 0.999;

/**
 * How many connections (or threads) are in use at once in all but one moment of 1,000, from their mean: the quantile of a Poisson distribution, which is
 * what requests that come independently of each other leave (M/G/∞: Kleinrock, Queueing Systems 1, 1975); never fewer than were `seen` at once.
 */
export function usedAtOnce(mean: number, seen = 0): number {
  let [count, term] = [0, Math.exp(-mean)];
  for (let sum = term; sum < usedQuantile && term > 0; sum += term) {
    count += 1;
    term *= mean / count;
  }
  // Beyond some 700 the first term is none: there the distribution is a normal one.
  const normal = mean > 500 ? Math.ceil(mean + 3.1 * Math.sqrt(mean)) : count;
  return Math.max(normal, Math.ceil(seen));
}

/** Taking a connection or a thread takes a little of a request's time even where it is free: up to this share, nobody waits. */
const freeShare = 0.005;

/** Blocks of a size with the share of a request's time that was spent waiting in each. */
interface Waited {
  blocks: readonly { waitShare?: number | null | undefined }[];
}

/**
 * Whether nobody waits at either of two sizes: both then serve the same requests with as many
 * connections (or threads) as are asked for, and what the larger has more of is idle. Throughput can differ by no more than that share, whatever the noise. It
 * assumes that what is idle costs nothing.
 */
export function bothAmple(a: Waited, b: Waited): boolean {
  return [a, b].every((one) => (waitLimits(one)?.high ?? 1) <= freeShare);
}

/** The mean of the blocks' shares with its upper and lower one-sided 95 % limits; `null` without two blocks that know. */
export function waitLimits({ blocks }: Waited): { mean: number; low: number; high: number } | null {
  const found = meanOf(blocks.flatMap(({ waitShare }) => waitShare ?? []));
  if (found === null) return null;
  const reach = reachOf(found, 0.95);
  return { mean: found.mean, low: Math.max(0, found.mean - reach), high: Math.min(1, found.mean + reach) };
}
