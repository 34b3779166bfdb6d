import type { FailureCode } from '../../model/domain/failureCodes.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import { isOf } from '../../model/domain/findings.ts';
import type { Block, Trial, TrialFailure } from '../../model/domain/run.ts';
import { limits } from '../statistics/judgement.ts';

/** Failures of a start that are the program’s: it ended, was not ready in time, or answered with an error. */
const ofStart: ReadonlySet<FailureCode> = new Set(['target-exited', 'target-not-ready', 'route-fails']);

/** The part of a `TrialMeasurement` that is examined. */
interface Seen {
  blocks: readonly { ended: PlainFinding | null; postgresRestarted: boolean }[];
  problems: readonly PlainFinding[];
}

/** What failed in the program under test during a trial; null when it did what it should. A measurement that is discarded for another cause is no failure of it. */
export function trialFailure({ blocks, problems }: Seen, trial: Pick<Trial, 'valid' | 'blocks'>): TrialFailure | null {
  if (blocks.some(({ ended }) => ended !== null)) return 'ended';
  if (problems.some((problem) => problem.code === 'not-started' && ofStart.has(problem.failure))) return 'not-started';
  if (problems.some((problem) => isOf(problem, 'end'))) return 'ended';
  if (blocks.some(({ postgresRestarted }) => postgresRestarted)) return 'database-restarted';
  return !trial.valid && trial.blocks.some(hasTooManyErrors) ? 'errors' : null;
}

function hasTooManyErrors({ valid, requests, errors }: Block): boolean {
  return !valid && errors.total > limits.errorShare * (requests + errors.total);
}

/** A trial whose program failed, with where its last words are to be found at its first reason. */
export function namingLog(trial: Trial, log: { file: string; lastLine: string } | undefined): Trial {
  const [first, ...others] = trial.reasons;
  if (trial.failed === undefined || log === undefined || first === undefined) return trial;
  const isQuoted = first.code === 'ended-in-round' && first.lastLine === log.lastLine;
  return { ...trial, reasons: [{ ...first, log: { file: log.file, lastLine: isQuoted ? '' : log.lastLine } }, ...others] };
}
