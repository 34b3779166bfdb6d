import { isCancellation, toFailure } from '../../model/domain/failure.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { RunContext } from './runContext.ts';

/** The outcome of a run. A cancelled one is stored when at least one whole round was measured; `run` is its record, null where nothing was stored. */
export interface RunOutcome {
  runId: string;
  outcome: 'complete' | 'cancelled';
  stored: boolean;
  run: RunRecord | null;
}

/** Does the work of a run and reports how it ended, in every case. What was cancelled is an outcome; everything else that fails rejects. */
export async function reportOutcome(
  runId: string,
  { emit, signal }: Pick<RunContext, 'emit' | 'signal'>,
  work: () => Promise<RunOutcome>,
): Promise<RunOutcome> {
  try {
    const outcome = await work();
    emit({ type: 'finished', runId, outcome: outcome.outcome, stored: outcome.stored, failure: null });
    return outcome;
  } catch (error) {
    const cancelled = isCancellation(error) && signal.aborted;
    emit({
      type: 'finished',
      runId,
      outcome: cancelled ? 'cancelled' : 'failed',
      stored: false,
      failure: cancelled ? null : toFailure(error),
    });
    if (cancelled) return { runId, outcome: 'cancelled', stored: false, run: null };
    throw error;
  }
}
