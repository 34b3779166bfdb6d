import type { RunRecord, Trial } from '../model/domain/run.ts';
import type { Slo } from '../model/domain/slo.ts';
import { judgeObjective } from './objective.ts';
import { judgeFailures } from './runFailures.ts';
import type { RunFailure } from './runFailures.ts';

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
