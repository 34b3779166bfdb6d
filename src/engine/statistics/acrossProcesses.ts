import { grouped } from '../../model/domain/grouped.ts';
import { type CountedBlock, type Difference, differenceOf } from './blockStatistics.ts';
import { momentsOf } from './moments.ts';
import type { RoundRatio } from './sliceSeries.ts';
import { trimmedMean } from './trimmedMean.ts';

/**
 * What is known of the scatter between processes before any was started twice: the standard deviation of what one process of a program shares and the next does
 * not (where its memory lies, what its compiler chose), as a share of its figures, and as how many additional starts that counts. Six processes each of an
 * Express, a Jetty and a Fastify service differed by 1.0, 1.2 and 2.6 % in CPU per request: a scaled inverse χ² with the mean and the variance of 1/σ² of these
 * three has 1.3 % and four degrees of freedom. A little more is assumed. Of JVMs that still compiled, four starts of two copies differed by 12 %, which is 8 %
 * for each: that is assumed until a second start shows how much it is.
 */
const processes = { deviation: 0.015, deviationCold: 0.08, worthStarts: 4 } as const;

/**
 * The difference of two programs rather than of the processes that were measured: the mean of the trimmed means of each start, wider by what two processes of
 * one program differ in. One process of each cannot show that (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013: repeat the level that
 * varies). It is learnt from the starts and from what is known of it beforehand (one random factor: Searle, Casella and McCulloch, Variance Components, 1992,
 * §3.6). `blocks` of either say which start a round belongs to; `isWarm` whether compilers of neither were still at work.
 */
export function acrossProcesses(
  difference: Difference,
  blocks: readonly Pick<CountedBlock, 'round' | 'start'>[],
  { isWarm = true } = {},
): Difference {
  const { starts, whole, mean, within, between, freedom, withinFreedom } = components(difference, blocks, isWarm);
  const [ofMean, ofProcesses] = [within / starts, between / starts];
  const variance = ofMean + ofProcesses;
  // Satterthwaite, Biometrics Bulletin 2, 1946.
  const degreesOfFreedom = variance ** 2 / (ofMean ** 2 / withinFreedom + ofProcesses ** 2 / freedom);
  const found = differenceOf(whole ? difference.logRatio : mean, variance, Math.max(1, degreesOfFreedom));
  return { ...found, ...(difference.cpuWeight === undefined ? {} : { cpuWeight: difference.cpuWeight }) };
}

/**
 * Rounds in each start for which the error shrinks fastest with time: √(cost of a start ÷ cost of a round × variance of a round ÷ variance of a start). Source:
 * Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013, §5.1. Costs in any one unit.
 */
export function bestRounds(
  difference: Difference,
  blocks: readonly Pick<CountedBlock, 'round' | 'start'>[],
  cost: { start: number; round: number },
): number {
  const { starts, within, between } = components(difference, blocks, true);
  const ofRound = (within * new Set(blocks.map(({ round }) => round)).size) / starts;
  return Math.sqrt(((cost.start / cost.round) * ofRound) / between);
}

/** The variance of the mean of one start, and that of what starts differ in, with their degrees of freedom. */
function components(difference: Difference, blocks: readonly Pick<CountedBlock, 'round' | 'start'>[], isWarm: boolean) {
  const { standardError, cpuWeight } = difference;
  const starts = byStart(difference.pairs ?? [], blocks);
  const k = Math.max(1, starts.length);
  const deviation = isWarm || k > 1 ? processes.deviation : processes.deviationCold;
  const estimates = cpuWeight === undefined ? [] : starts.flatMap((own) => trimmedMean(own) ?? []);
  // Blocks of a start are too few to be trimmed: all starts together say what the mean is, and each by its own mean how they differ.
  const whole = estimates.length < 2;
  const means = momentsOf(whole ? starts.map((own) => momentsOf(own).mean) : estimates.map((one) => one.mean));
  const within = whole ? k * standardError ** 2 : momentsOf(estimates.map((one) => one.standardError ** 2)).mean;
  const seen = k < 2 ? 0 : Math.max(0, means.variance - within);
  const freedom = processes.worthStarts + k - 1;
  const between = (processes.worthStarts * 2 * deviation ** 2 + (k - 1) * seen) / freedom;
  const ofStarts = estimates.reduce((sum, one) => sum + one.degreesOfFreedom, 0);
  const withinFreedom = whole ? difference.degreesOfFreedom : Math.max(1, ofStarts);
  return { starts: k, whole, mean: means.mean, within, between, freedom, withinFreedom };
}

/** What the pairs of each start differ in. */
function byStart(pairs: readonly RoundRatio[], blocks: readonly Pick<CountedBlock, 'round' | 'start'>[]): number[][] {
  const startOf = new Map(blocks.map(({ round, start = 1 }) => [round, start]));
  return [...grouped(pairs, ({ round }) => startOf.get(round) ?? 1).values()].map((own) => own.map(({ logRatio }) => logRatio));
}
