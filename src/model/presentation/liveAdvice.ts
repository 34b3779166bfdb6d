import { figure, wholeNumber } from '../domain/format.ts';
import type { LiveSample } from '../protocol/live.ts';

/** What the pool of a live session says, and the size to try where it says one. */
export interface PoolAdvice {
  sentence: string;
  /** Null: the size fits. */
  size: number | null;
}

/** The number of samples that are read (one for each second or so): a single one says little. */
const lookedAt = 10;
/** A pool that is busier than this share of itself is full. */
const fullShare = 0.95;
/** A pool of which less than this share is ever busy is larger than it need be. */
const emptyShare = 0.7;

/**
 * What the last samples say of the size of the pool: requests that wait for a full one, or connections that are never used. By the utilisation law the
 * connections that are busy are those that throughput and hold time ask for, whatever the size; one more is spare. Null where the pool is not seen, or
 * has no known size.
 */
export function poolAdvice(samples: readonly Pick<LiveSample, 'pool'>[], range: { min: number; max: number }): PoolAdvice | null {
  const seen = samples.slice(-lookedAt).flatMap(({ pool }) => (pool === null || pool.max === null ? [] : [{ ...pool, max: pool.max }]));
  const last = seen.at(-1);
  if (last === undefined) return null;
  const { max } = last;
  const own = seen.filter((pool) => pool.max === max);
  const mean = (value: (pool: (typeof own)[number]) => number): number => own.reduce((sum, pool) => sum + value(pool), 0) / own.length;
  const [busy, waiting, most] = [mean((pool) => pool.busy), mean((pool) => pool.pending), Math.max(...own.map((pool) => pool.busy))];
  const within = (size: number): number => Math.max(range.min, Math.min(range.max, size));
  const meanwhile = own.length === 1 ? 'In the last second' : `In the last ${own.length} s`;
  if (busy >= fullShare * max && waiting >= 1) {
    const size = within(max * 2);
    return {
      sentence: `${meanwhile} all ${wholeNumber(max)} connections were busy and ${figure(waiting)} requests waited for one.`,
      size: size > max ? size : null,
    };
  }
  const used = `${meanwhile} ${figure(busy)} of ${wholeNumber(max)} connections were busy`;
  const enough = within(Math.ceil(most) + 1);
  if (waiting < 1 && most < emptyShare * max && enough < max) return { sentence: `${used}: about ${enough} suffice.`, size: enough };
  return {
    sentence: `${used}${waiting >= 1 ? `, and ${figure(waiting)} requests waited` : ' and nobody waited'}.`,
    size: null,
  };
}
