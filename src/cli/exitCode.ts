import type { RunRecord, Trial } from '../model/domain/run.ts';
import type { Slo, SloResult } from '../model/domain/slo.ts';
import { sloPhrase } from '../model/domain/sloText.ts';
import { judgeSlo, missedPhrase } from '../model/domain/judgeSlo.ts';
import { trialPhrase } from '../model/presentation/settingWords.ts';
import { type RunFailure, judgeFailures } from './runFailures.ts';

/** How a measurement ended. */
export interface Ended {
  outcome: 'complete' | 'cancelled';
  failures: readonly RunFailure[];
  slo: Slo | undefined;
  /** The trials that the objective is judged by. */
  judged: () => readonly Trial[];
}

/** The exit code of what measures: 3 when an objective was missed, 1 when it was cancelled or a program failed, else 0. The reasons are printed. */
export function exitCode(record: RunRecord, { outcome, failures, slo, judged }: Ended, tell: (text: string) => void): number {
  const failed = judgeFailures(failures, tell);
  const verdict = slo === undefined ? 0 : judgeObjective(slo, record, judged(), tell);
  if (verdict === 3) return 3;
  return outcome === 'complete' ? Math.max(verdict, failed) : 1;
}

/** Exit codes by what an objective says; `failed` also where no trial could be judged, since then nothing was shown to hold. */
const exitCodes = { held: 0, failed: 1, missed: 3 } as const;

/**
 * Says on standard error how trials did against an objective, and gives the exit code: 3 when one missed it, 1 when not one of them could be judged
 * (none is valid), else 0.
 */
export function judgeObjective(slo: Slo, record: RunRecord, trials: readonly Trial[], tell: (text: string) => void): number {
  const results = trials.map((trial): [Trial, SloResult] => [trial, judgeSlo(slo, trial)]);
  const missed = results.filter(([, result]) => result.passed === false);
  const held = results.filter(([, result]) => result.passed === true);
  for (const [trial, result] of missed) tell(`Objective missed by ${trialPhrase(record, trial)}: ${missedPhrase(result)}.`);
  for (const [trial, result] of results) {
    if (result.passed === null) tell(`Objective not judged for ${trialPhrase(record, trial)}: its figures are missing or discarded.`);
  }
  if (missed.length > 0) return exitCodes.missed;
  if (held.length === 0) {
    tell(`It was not shown that the objective holds: ${sloPhrase(slo)}.`);
    return exitCodes.failed;
  }
  tell(`Objective met${held.length < results.length ? ` by ${held.length} of ${results.length} trials` : ''}: ${sloPhrase(slo)}.`);
  return exitCodes.held;
}
