import type { Block } from '../../model/run.ts';

export type WarmingBlock = Pick<Block, 'round' | 'start' | 'valid' | 'appCpuUsPerRequest'>;

/** So far above what it settles at, as a logarithm, the CPU time of a request is that of a process that is not warm. Warm rounds rest within ±3 %. */
const tolerance = 0.05;
/** A start of so many rounds shows what it settles at: the middle of their later half, of two the lower one. In a short start one of these may still be cold. */
const leastRounds = 4;

/**
 * The rounds at the beginning of a start in which the CPU time of a request, as the mean of both programs, still falls: a compiler that others keep waiting is done in each process at a time of
 * its own, and until then two copies differ by up to 30 %. That others take the CPU is hardly seen in it, other than in throughput. By the mean of both, so that what is left out cannot
 * hang on which of them is slower. A start that is too short to show what it settles at is told by the others. At most half of all rounds: what falls for longer is no beginning.
 */
export function coldRounds(a: readonly WarmingBlock[], b: readonly WarmingBlock[]): ReadonlySet<number> {
  const starts = levelsByStart(a, b);
  const settled = starts.map((levels) =>
    levels.length < leastRounds ? null : lowerMiddle(levels.slice(levels.length >> 1).map(({ level }) => level)),
  );
  const known = settled.filter((level) => level !== null);
  if (known.length === 0) return new Set();
  const least = Math.min(...known);
  const cold = starts.flatMap((levels, index) => {
    const rest = settled[index] ?? least;
    const warm = levels.findIndex(({ level }) => level <= rest + tolerance);
    return levels.slice(0, warm === -1 ? levels.length : warm).map(({ round, level }) => ({ round, above: level - rest }));
  });
  const rounds = starts.reduce((sum, { length }) => sum + length, 0);
  return new Set(
    cold
      .sort((x, y) => y.above - x.above)
      .slice(0, rounds >> 1)
      .map(({ round }) => round),
  );
}

function lowerMiddle(levels: readonly number[]): number {
  const sorted = [...levels].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}

interface Level {
  round: number;
  /** Mean of both, of the logarithms. */
  level: number;
}

function levelsByStart(a: readonly WarmingBlock[], b: readonly WarmingBlock[]): Level[][] {
  const others = new Map(b.map((block) => [block.round, block]));
  const starts = new Map<number, Level[]>();
  for (const { round, start = 1, valid, appCpuUsPerRequest } of a) {
    const other = others.get(round);
    if (!valid || other?.valid !== true || !appCpuUsPerRequest || !other.appCpuUsPerRequest) continue;
    const level = Math.log(appCpuUsPerRequest * other.appCpuUsPerRequest) / 2;
    starts.set(start, [...(starts.get(start) ?? []), { round, level }]);
  }
  return [...starts.values()].map((levels) => levels.sort((x, y) => x.round - y.round));
}
