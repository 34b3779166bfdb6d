import type { ComparedMetric } from './comparison.ts';
import { isWide } from './intervalWidth.ts';
import type { Recommendation, Trial } from './run.ts';
import type { ExperimentRecord } from './experiment.ts';
import type { EvidenceItem } from './answerEvidence.ts';
import type { VersionDiff } from './versionDiff.ts';

/** How sure an answer is. Every page, report and terminal says it with the same three words. */
export type Tier = 'proven' | 'likely' | 'seen';

export const tierWords: Readonly<Record<Tier, string>> = { proven: 'Proven', likely: 'Likely', seen: 'Only seen' };

const ofStatus: Readonly<Record<Recommendation['status'], Tier>> = { confirmed: 'proven', plausible: 'likely', undecided: 'seen' };

export function tierOf({ status }: Pick<Recommendation, 'status'>): Tier {
  return ofStatus[status];
}

/** "Proven · two kinds of evidence"; a tier that nothing speaks for says no more than its word. */
export function tierPhrase(tier: Tier, evidence: readonly Pick<EvidenceItem, 'says'>[]): string {
  const speaking = evidence.filter(({ says }) => says === 'for').length;
  if (speaking === 0 || tier === 'seen') return tierWords[tier];
  return `${tierWords[tier]} · ${speaking === 1 ? 'one kind' : 'two kinds'} of evidence`;
}

/** The tier of a single figure: its interval is the only evidence, and an interval wider than ±δ is none. */
export function tierOfMetric({ valid, throughput }: Pick<Trial, 'valid' | 'throughput'>, delta: number): Tier {
  return valid && !isWide(throughput, delta) ? 'likely' : 'seen';
}

/** Beyond this half width, as a share of the figure, an interval says nothing of a shape. */
const uselessHalfWidth = 0.25;

/**
 * The tier of what a repeated experiment found. It is proven where every rule was decided over figures with intervals within ±δ. It is only seen where a
 * rule is open or a figure that counts has an interval of more than a quarter of its mean.
 */
export function tierOfExperiment({ agrees, points }: Pick<ExperimentRecord, 'agrees' | 'points'>, delta: number): Tier {
  const known = points.flatMap(({ valid, throughput }) => (valid && throughput !== null && throughput.mean > 0 ? [throughput] : []));
  if (agrees === null || known.some((one) => isWide(one, uselessHalfWidth))) return 'seen';
  return known.some((one) => isWide(one, delta)) ? 'likely' : 'proven';
}

/**
 * The tier of a difference. Sides that were measured in the same rounds met the same interference; others have one kind of evidence less. So are those that are the
 * same by the mechanism alone, while their figures are still open.
 */
export function tierOfComparison(figures: readonly Pick<ComparedMetric, 'verdict' | 'byMechanism'>[], sameRun: boolean): Tier {
  if (figures.every(({ verdict }) => verdict === 'unknown')) return 'seen';
  return sameRun && figures.every(({ verdict, byMechanism }) => verdict !== 'unknown' && byMechanism === undefined) ? 'proven' : 'likely';
}

/**
 * The tier of what two versions of the code differ in. They met the same interference; a difference has a second kind of evidence where another figure that is no part of
 * the same clock (a count, CPU per request), or a function on changed lines, says the same.
 */
export function tierOfVersions({ verdict, metrics, why, sameCode }: Pick<VersionDiff, 'verdict' | 'metrics' | 'why' | 'sameCode'>): Tier {
  if (sameCode) return 'proven';
  if (verdict === 'unknown') return 'seen';
  if (verdict === 'same') return 'likely';
  const speaking = metrics.filter((metric) => metric.verdict === verdict);
  const clocks = new Set(['throughput', 'p99']);
  const figures = speaking.some(({ id, name }) => clocks.has(id ?? name));
  const others = speaking.some(({ id, name }) => !clocks.has(id ?? name));
  const touched = why?.functions.some((one) => one.touched && one.change > 0 === (verdict === 'worse')) ?? false;
  return figures && (others || touched) ? 'proven' : 'likely';
}
