import { errorShare } from '../../model/domain/judgeSlo.ts';
import type { ComparedMetric } from '../../model/domain/comparison.ts';
import type { Trial } from '../../model/domain/run.ts';
import type { MeasuredFacts, VersionMetric } from '../../model/domain/versionDiff.ts';
import { studentTQuantile } from '../statistics/studentT.ts';
import type { ComparedPair } from './metrics.ts';

/** Many figures scatter: equal versions are reported as different in this share of cases. */
const level = 0.05;
/** Fewer failed requests may be a mishap of a moment, as may be those of which base has a tenth as many. */
const [leastFailed, leastFailedShare, timesBase] = [20, 0.01, 10];
const mostReasons = 3;

/** What the words of a comparison are made from where its figures do not say it. */
export function factsOf(pair: ComparedPair, metrics: readonly VersionMetric[], headName: string): MeasuredFacts {
  const { a: base, b: head } = pair;
  const sides = [
    { side: 'base', trial: base },
    { side: 'head', trial: head },
  ] as const;
  const invalid = sides.find(({ trial }) => !trial.valid);
  return {
    code: 'measured',
    headName,
    moreS: moreTimeS(pair, metrics),
    invalid:
      invalid === undefined
        ? null
        : { side: invalid.side, because: invalid.trial.reasons.slice(0, mostReasons), failedShare: failedByHead(base, head) },
    unmeasured: sides.flatMap(({ side, trial }) => (trial.blocks.some(({ valid }) => valid) ? [] : [side])),
    objective: base.slo == null || head.slo == null ? null : { base: base.slo, head: head.slo },
  };
}

/** The share of its requests that head fails where base answers them, which is certain though it was not measured as asked; null where that is not so. */
function failedByHead(base: Trial, head: Trial): number | null {
  if (!base.valid || head.valid) return null;
  const [before, now] = [errorShare(base) ?? 0, errorShare(head) ?? 0];
  return head.errors.total < leastFailed || now < leastFailedShare || now < timesBase * before ? null : now;
}

/** The time of the additional rounds that would decide, at the speed of the rounds so far. */
function moreTimeS({ a, b, throughput }: ComparedPair, metrics: readonly VersionMetric[]): number | null {
  const blocks = [...a.blocks, ...b.blocks];
  const done = new Set(blocks.map(({ round }) => round)).size;
  const rounds = throughput === null ? null : (throughput.moreRounds ?? roundsBeyondChance(throughput, metrics, done));
  if (rounds === null) return null;
  const spanMs = Math.max(...blocks.map(({ startMs, windowMs }) => startMs + windowMs)) - Math.min(...blocks.map(({ startMs }) => startMs));
  return (rounds * spanMs) / done / 1000;
}

/** Where throughput alone differs, and only looking at several figures may explain it: the rounds after which that could not, if it stays where it is. */
function roundsBeyondChance({ ratio, verdict }: ComparedMetric, metrics: readonly VersionMetric[], done: number): number | null {
  if ((verdict !== 'worse' && verdict !== 'better') || ratio.ciLow === null || ratio.ciHigh === null || done < 2) return null;
  const figures = metrics.filter(({ counts, exact, ratio: known }) => counts === true && !exact && known !== null).length;
  const [one, several] = [1, Math.max(1, figures)].map((count) => studentTQuantile(1 - level / (2 * count), done - 1)) as [number, number];
  const half = Math.log(ratio.ciHigh / ratio.ciLow) / 2;
  const wider = ((several / one) * half) / Math.abs(Math.log(ratio.mean));
  return Math.max(1, Math.ceil(done * (wider ** 2 - 1)));
}
