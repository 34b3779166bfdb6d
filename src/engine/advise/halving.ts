import type { Tried } from '../../model/domain/advice.ts';
import { adviceGroups } from '../../model/domain/adviceRecord.ts';
import { grouped } from '../../model/domain/grouped.ts';

/** Of what was screened so many are measured surely. */
export const mostMeasured = 4;
/** Of several values of one thing no more than these. */
const mostOfOne = 2;
/** A side that is not ahead by so much in the screening would have to be ahead by chance to be found useful. */
const leastAhead = 1.01;

type Subject = Pick<Tried, 'index' | 'settings' | 'statement'>;
type Screened = Pick<Tried, 'verdict' | 'ratio' | 'answersDiffer' | 'statementMs' | 'costs'> & Subject;

/** A statement that takes so much less is evidence of its own, which other programs disturb less than throughput. */
const leastShorter = 0.5;

/** What of two changes cannot both be had, or would not pay: other values of one setting, other indexes of a table for one statement. */
export function subjectOf({ settings, index, statement }: Subject): string {
  return index === null ? Object.keys(settings).sort().join(',') : `index of ${index.table} for ${statement ?? ''}`;
}

/**
 * Successive halving: the changes that go on from a short comparison of all to a long one of few. Left out are those known to be slower or the same, and those that
 * are not ahead. The best of each subject precedes second values of one. Places that are left go to what may be the same for less. It claims nothing: what goes on is compared again, so that a change chosen by chance
 * does not look better than it is.
 */
export function goesOn<T extends Screened>(screened: readonly T[], most = mostMeasured): T[] {
  const ahead = byEffect(screened).filter(
    (one) =>
      one.ratio !== null &&
      (one.ratio.mean >= leastAhead || isShorter(one)) &&
      one.verdict !== 'worse' &&
      one.verdict !== 'same' &&
      !one.answersDiffer,
  );
  // What is only ahead in its mean may be so by chance: what is proven to be, or has evidence, goes before it.
  const rank = (one: Screened): number => (one.verdict === 'better' ? 0 : isShorter(one) ? 1 : 2);
  const ranked = inTurns(
    [...ahead].sort((a, b) => rank(a) - rank(b)),
    mostOfOne,
  );
  const cheaper = inTurns(byEffect(screened.filter((one) => maySave(one) && !ranked.includes(one)))).slice(0, mostCheaper);
  return [...ranked, ...cheaper].slice(0, Math.min(most, mostMeasured));
}

/** So many that may only be cheaper are measured surely: they share the time of those that are ahead. */
const mostCheaper = 2;
/** Memory of one start has no interval. What has less than this share of it is measured with several; that it has less is claimed of none. */
const leastMemory = 0.9;

/** Whether its throughput can be the same and it can need less. */
function maySave({ verdict, ratio, answersDiffer, costs, index }: Screened): boolean {
  const canBeSame = verdict === 'same' || (verdict === 'unknown' && ratio !== null && (ratio.ciHigh ?? 1) >= 1);
  const isLess = costs.some(({ id, base, other, verdict: found }) => {
    if (id === 'memory') return other < leastMemory * base;
    return (id === 'cpu' || id === 'connections') && found === 'better';
  });
  return canBeSame && isLess && index === null && !answersDiffer && !costs.some((cost) => cost.verdict === 'worse');
}

function isShorter({ statementMs }: Pick<Screened, 'statementMs'>): boolean {
  return statementMs !== null && statementMs[1] < leastShorter * statementMs[0];
}

/** The first of each subject, then the second of each, and so on, up to `most` of one. */
export function inTurns<T extends Subject>(all: readonly T[], most = Number.POSITIVE_INFINITY): T[] {
  const seen = new Map<string, number>();
  const placed = all.map((one) => {
    const turn = seen.get(subjectOf(one)) ?? 0;
    seen.set(subjectOf(one), turn + 1);
    return { one, turn };
  });
  return placed
    .filter(({ turn }) => turn < most)
    .sort((a, b) => a.turn - b.turn)
    .map(({ one }) => one);
}

/** The largest effect first; what could not be measured last. */
export function byEffect<T extends Pick<Tried, 'ratio'>>(tried: readonly T[]): T[] {
  return [...tried].sort((a, b) => (b.ratio?.mean ?? 0) - (a.ratio?.mean ?? 0));
}

export function bestOfEach<T extends Pick<Tried, 'ratio'> & Subject>(useful: readonly T[]): T[] {
  return [...grouped(byEffect(useful), subjectOf).values()].map(([best]) => best);
}

/** Cut into as few groups of alike size as hold no more than `most` each. */
export function groupsOf<T>(all: readonly T[], most: number): T[][] {
  const count = Math.ceil(all.length / Math.max(1, most));
  return Array.from({ length: count }, (_, index) => all.filter((_one, place) => place % count === index));
}

/** What is useful first, then what is cheaper, then the rest, each by its effect. */
export function inOrder(tried: readonly Tried[]): Tried[] {
  const { helps, cheaper, slower, nothing } = adviceGroups({ tried: [...tried] });
  return [...byEffect(helps), ...byEffect(cheaper), ...byEffect([...slower, ...nothing])];
}
