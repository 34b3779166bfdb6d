import { fromSource } from '../../model/domain/verdict/thresholdSources.ts';
import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import { processorLimits } from '../../model/domain/diagnosisKind.ts';
import type { Trial } from '../../model/domain/run.ts';
import type { Evidence } from '../../model/domain/verdict/evidence.ts';
import type { Difference } from '../statistics/blockStatistics.ts';
import { clearly, clearlyMore, differInOne, isDiscarded, isPoolFull, useOf, wantedGain } from './likeTrials.ts';

/** The share of the gain that a pool which is the only limit would bring: with half of it, the pool is what to change. */
const mostlyThePool = 0.5;

interface Beaten {
  larger: Trial;
  difference: Difference;
}

/**
 * For a trial whose verdict is a full processor while requests queue for its pool: where a larger pool brought clearly more in this run, on the same processor,
 * the processor was not full, or not with all that it could do. Where the gain is a good part of what a pool that alone limits would bring, the pool is the
 * verdict; else the verdict stays and is no longer sure. Null where nothing in the run speaks against the verdict.
 */
export function beatenByLarger(trial: Trial, trials: readonly Trial[]): Diagnosis | null {
  const { diagnosis, pool } = trial;
  if (diagnosis === null || !processorLimits.has(diagnosis.kind) || pool?.max == null || !isPoolFull(trial)) return null;
  const beaten = trials.flatMap((larger) => largerOf(trial, larger));
  const [most] = beaten.sort((a, b) => b.difference.ratio - a.difference.ratio);
  if (most?.larger.pool?.max == null) return null;
  const many = most.larger.pool.max;
  const { max, busy, pending } = pool;
  const { ratio } = most.difference;
  const evidence: Evidence = {
    what: { code: 'gain-of-larger', few: max, many },
    value: ratio,
    unit: 'share',
    threshold: { is: '≥', limit: clearly },
    met: true,
    source: fromSource('rounds-of-run'),
  };
  const isPool = ratio - 1 >= mostlyThePool * (wantedGain(trial, max, many) - 1);
  if (!isPool)
    return {
      ...diagnosis,
      confident: false,
      why: [...diagnosis.why, { code: 'pool-too', busy, max, pending, many, ratio }],
      evidence: [...diagnosis.evidence, evidence],
    };
  return {
    ...diagnosis,
    kind: 'pool-limited',
    confident: false,
    said: { code: 'pool-by-larger', few: max, many, ratio },
    why: [{ code: 'room-by-larger', busy, max, pending, alone: diagnosis.said }],
    evidence: [evidence, ...diagnosis.evidence],
    ruledOut: [
      { kind: diagnosis.kind, because: { code: 'larger-brought-more', many, ratio } },
      ...diagnosis.ruledOut.filter(({ kind }) => kind !== 'pool-limited'),
    ],
    actions: [...useOf(trial, most.larger), ...diagnosis.actions.filter(({ kind }) => kind === 'record')],
  };
}

function largerOf(trial: Trial, larger: Trial): Beaten[] {
  const [few, many] = [trial.pool?.max, larger.pool?.max];
  if (few == null || many == null || many <= few || isDiscarded(larger) || !differInOne(trial, larger)) return [];
  const difference = clearlyMore(trial, larger);
  return difference === null ? [] : [{ larger, difference }];
}
