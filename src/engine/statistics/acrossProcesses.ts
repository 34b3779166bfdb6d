import type { RoundPair } from './additiveModel.ts';
import { differenceOf } from './blockStatistics.ts';
import type { CountedBlock, Difference } from './blockStatistics.ts';

/**
 * What is known of the scatter between processes before any was started twice: the standard deviation of what one process of a program shares and the next does
 * not (where its memory lies, what its compiler chose), as a share of its figures, and as how many further starts that counts. One process of each cannot show it
 * (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013: repeat the level that varies).
 */
const processes = { deviation: 0.02, worthStarts: 3 } as const;

/**
 * The difference of two programs rather than of the processes that were measured: wider by what two processes of one program differ in. That is learnt from the
 * starts themselves (the analysis of variance of one random factor: Searle, Casella and McCulloch, Variance Components, 1992, §3.6) beside what is known of it
 * beforehand, and shrinks with their number. What disturbed a round is no property of a process: it is taken off first where the difference knows it.
 *
 * Both are compared under what disturbed them as a mean, and not as they would be where nobody disturbs them: for that each would need a slope of its own, by which
 * two versions of one program hardly differ, and not knowing it made an interval twice as wide beside bursts.
 */
export function acrossProcesses(difference: Difference, a: readonly CountedBlock[], b: readonly CountedBlock[]): Difference {
  const starts = byStart(difference.pairs ?? pairsOf(a, b), a);
  const { variance, degreesOfFreedom } = betweenStarts(starts);
  const all = weightOf(starts.flat());
  // Starts of unequal length count less than their number says.
  const share = all === 0 ? 1 : sumOf(starts, (own) => (weightOf(own) / all) ** 2);
  const { logRatio, standardError } = difference.measured ?? difference;
  const [within, between] = [standardError ** 2, variance * share];
  const freedom = (within + between) ** 2 / (within ** 2 / difference.degreesOfFreedom + between ** 2 / degreesOfFreedom);
  return differenceOf(logRatio, within + between, Math.max(1, freedom));
}

type Start = readonly RoundPair[];

const sumOf = <T>(values: readonly T[], of: (value: T) => number): number => values.reduce((sum, value) => sum + of(value), 0);
const weightOf = (pairs: Start): number => sumOf(pairs, ({ weight }) => weight);

/** Logarithms of the ratio in each round that both were measured in. */
function pairsOf(a: readonly CountedBlock[], b: readonly CountedBlock[]): RoundPair[] {
  const others = new Map(b.map((block) => [block.round, block]));
  return a.flatMap(({ round, throughput }) => {
    const other = others.get(round);
    return other === undefined ? [] : [{ round, logRatio: Math.log(throughput / other.throughput), weight: 1 }];
  });
}

function byStart(pairs: readonly RoundPair[], blocks: readonly CountedBlock[]): Start[] {
  const startOf = new Map(blocks.map(({ round, start = 1 }) => [round, start]));
  const starts = new Map<number, RoundPair[]>();
  for (const pair of pairs) {
    const start = startOf.get(pair.round) ?? 1;
    starts.set(start, [...(starts.get(start) ?? []), pair]);
  }
  return [...starts.values()];
}

/** Variance of the difference of two processes of one program, and how well it is known. */
function betweenStarts(starts: readonly Start[]): { variance: number; degreesOfFreedom: number } {
  const before = 2 * processes.deviation ** 2;
  const n = sumOf(starts, ({ length }) => length);
  if (starts.length < 2 || n <= starts.length) return { variance: before, degreesOfFreedom: processes.worthStarts };
  const mean = (pairs: Start): number => sumOf(pairs, ({ logRatio, weight }) => weight * logRatio) / weightOf(pairs);
  const all = mean(starts.flat());
  const within = sumOf(starts, (own) => sumOf(own, ({ logRatio, weight }) => weight * (logRatio - mean(own)) ** 2));
  const between = sumOf(starts, (own) => weightOf(own) * (mean(own) - all) ** 2);
  const further = starts.length - 1;
  const weight = weightOf(starts.flat());
  const freeWeight = weight - sumOf(starts, (own) => weightOf(own) ** 2) / weight;
  const seen = Math.max(0, (between - (further * within) / (n - starts.length)) / freeWeight);
  const degreesOfFreedom = processes.worthStarts + further;
  return { variance: (processes.worthStarts * before + further * seen) / degreesOfFreedom, degreesOfFreedom };
}
