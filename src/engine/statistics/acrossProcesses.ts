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
 * beforehand, and shrinks with their number.
 */
export function acrossProcesses(difference: Difference, a: readonly CountedBlock[], b: readonly CountedBlock[]): Difference {
  const starts = pairsByStart(a, b);
  const { variance, degreesOfFreedom } = betweenStarts(starts);
  const n = starts.reduce((sum, { length }) => sum + length, 0);
  // Starts of unequal length count less than their number says.
  const share = n === 0 ? 1 : starts.reduce((sum, { length }) => sum + (length / n) ** 2, 0);
  const [within, between] = [difference.standardError ** 2, variance * share];
  const freedom = (within + between) ** 2 / (within ** 2 / difference.degreesOfFreedom + between ** 2 / degreesOfFreedom);
  return differenceOf(difference.logRatio, within + between, Math.max(1, freedom));
}

/** Logarithms of the ratio in each round that both were measured in, by start. */
function pairsByStart(a: readonly CountedBlock[], b: readonly CountedBlock[]): number[][] {
  const others = new Map(b.map((block) => [block.round, block]));
  const starts = new Map<number, number[]>();
  for (const { round, start = 1, throughput } of a) {
    const other = others.get(round);
    if (other === undefined) continue;
    const log = Math.log(throughput / other.throughput);
    starts.set(start, [...(starts.get(start) ?? []), log]);
  }
  return [...starts.values()];
}

/** Variance of the difference of two processes of one program, and how well it is known. */
function betweenStarts(starts: readonly (readonly number[])[]): { variance: number; degreesOfFreedom: number } {
  const before = 2 * processes.deviation ** 2;
  const n = starts.reduce((sum, { length }) => sum + length, 0);
  if (starts.length < 2 || n <= starts.length) return { variance: before, degreesOfFreedom: processes.worthStarts };
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const all = mean(starts.flat());
  const within = starts.reduce((sum, own) => sum + own.reduce((squares, value) => squares + (value - mean(own)) ** 2, 0), 0);
  const between = starts.reduce((sum, own) => sum + own.length * (mean(own) - all) ** 2, 0);
  const further = starts.length - 1;
  const weight = n - starts.reduce((sum, { length }) => sum + length ** 2, 0) / n;
  const seen = Math.max(0, (between - (further * within) / (n - starts.length)) / weight);
  const degreesOfFreedom = processes.worthStarts + further;
  return { variance: (processes.worthStarts * before + further * seen) / degreesOfFreedom, degreesOfFreedom };
}
