import type { Diagnosis } from '../../src/model/domain/diagnosis.ts';
import { isLimit } from '../../src/model/domain/diagnosisKind.ts';
import type { Trial } from '../../src/model/domain/run.ts';

/** A trial of which is known what limits it. */
export type DiagnosedTrial = Trial & { diagnosis: Diagnosis };

export function isDiagnosed(trial: Trial): trial is DiagnosedTrial {
  return trial.diagnosis !== null;
}

/**
 * Chooses for each target the verdict that a person should read: that on the recommended trial; where none is recommended, or nothing is known of
 * it, that on the worst one (a sure limit before a doubtful one, before a healthy one, before one that is not valid; of those the slowest). The
 * others are in the order of the trials.
 */
export function chooseVerdicts(
  trials: readonly Trial[],
  recommendedKeys: ReadonlySet<string>,
): Record<'first' | 'others', DiagnosedTrial[]> {
  const known = trials.filter(isDiagnosed);
  const first = [...new Set(known.map((trial) => trial.target))].flatMap((target) => {
    const own = known.filter((trial) => trial.target === target);
    const recommended = own.find((trial) => recommendedKeys.has(trial.key));
    const worst = [...own].sort((a, b) => rank(a) - rank(b) || (b.latencyMs?.p99 ?? 0) - (a.latencyMs?.p99 ?? 0))[0];
    const chosen = recommended ?? worst;
    return chosen ? [chosen] : [];
  });
  return { first, others: known.filter((trial) => !first.includes(trial)) };
}

function rank({ diagnosis, valid }: DiagnosedTrial): number {
  if (diagnosis.kind === 'invalid') return 3;
  if (!isLimit(diagnosis.kind)) return 2;
  return valid && diagnosis.confident ? 0 : 1;
}
