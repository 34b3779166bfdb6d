import type { TunedCandidate } from '../../src/engine/statistics/tuningSearch.ts';
import type { DisturbedApp } from './disturbedSearch.ts';

const ladder = [2, 4, 8, 16, 32, 64];
/** Where requests mostly wait, theft costs little; see the measured medians by share of theft: 0.96 of the law undisturbed, 0.79 at 20–40 %. */
const waiting = 0.3;
/** Milliseconds that a request holds its connection. */
const holdMs = 20.6;

function poolCandidate(pool: number): TunedCandidate {
  return { key: `pool=${pool}`, values: { pool }, cost: pool };
}

function sizeOf({ values }: TunedCandidate): number {
  return Number(values['pool']);
}

/** In a closed loop of so many connections, those that do not hold one of the pool's wait for it. */
function waitsAmong(connections: number): DisturbedApp['waitShare'] {
  return (candidate) => Math.max(0, 1 - sizeOf(candidate) / connections);
}

/** min(pool, knee) ÷ hold time, all of it waiting. */
function waits(pools: readonly number[], knee: number): DisturbedApp {
  return {
    candidates: pools.map(poolCandidate),
    truth: (candidate) => (1000 * Math.min(sizeOf(candidate), knee)) / holdMs,
    sensitivity: () => waiting,
    waitShare: waitsAmong(knee),
  };
}

/** Limited by the CPU at the top: the nearer to it, the more theft costs, and each setting reacts a little differently (1.0 … 1.2). */
function computes(pools: readonly number[], share: (pool: number) => number): DisturbedApp {
  return {
    candidates: pools.map(poolCandidate),
    truth: (candidate) => 2000 * share(sizeOf(candidate)),
    sensitivity: (candidate, luck) => waiting + (1 + 0.2 * luck - waiting) * share(sizeOf(candidate)),
    waitShare: waitsAmong(64),
  };
}

/** Shares of the best at pools of 2, 4 … 64; straight lines over log₂ in between. */
function through(shares: readonly number[]): (pool: number) => number {
  return (pool) => {
    const place = Math.log2(pool) - 1;
    const low = Math.floor(place);
    const from = shares[low] ?? 1;
    return from + (place - low) * ((shares[low + 1] ?? from) - from);
  };
}

/** Two settings of which the second does `ratio` of the first, both limited by the CPU. */
function pair(ratio: number, sensitivity: readonly [number, number]): DisturbedApp {
  const isFirst = (candidate: TunedCandidate): boolean => sizeOf(candidate) === 40;
  return {
    candidates: [40, 48].map(poolCandidate),
    truth: (candidate) => 2000 * (isFirst(candidate) ? 1 : ratio),
    sensitivity: (candidate) => (isFirst(candidate) ? sensitivity[0] : sensitivity[1]),
    // Where a larger pool does more, requests must have waited for it.
    waitShare: ratio === 1 ? waitsAmong(32) : waitsAmong(64),
  };
}

/** What is simulated, by name. */
export const disturbedApps: Readonly<Record<string, DisturbedApp>> = {
  'copies, both waiting': pair(1, [waiting, waiting]),
  'copies, both CPU-bound': pair(1, [1.1, 1.1]),
  'copies that react differently': pair(1, [1, 1.2]),
  '10 % apart, both waiting': { ...waits([10, 11], 16), comparing: true },
  '10 % apart, both CPU-bound': { ...pair(1.1, [1.1, 1.1]), comparing: true },
  'waits, knee at 8': waits(ladder, 8),
  'waits, knee at 16': waits(ladder, 16),
  'waits, knee at 24': waits(ladder, 24),
  'CPU-bound from 8': computes(ladder, (pool) => Math.min(pool / 8, 1)),
  gentle: computes(ladder, through([0.4, 0.72, 0.925, 0.99, 1, 1])),
  borderline: computes(ladder, through([0.75, 0.9, 0.96, 0.985, 1, 1])),
  'just below': computes(ladder, through([0.6, 0.94, 1, 1, 1, 1])),
  'late knee': computes(ladder, through([0.45, 0.6, 0.72, 0.84, 0.93, 1])),
  'peak and decline': computes(ladder, through([0.55, 0.85, 1, 0.97, 0.88, 0.75])),
};

/** Those in which a value lies so close to the margin that no short measurement can tell: they show what is claimed then, not what can be decided. */
export const nearTheMargin: ReadonlySet<string> = new Set(['gentle', 'borderline', 'just below', 'late knee']);
