import type { AdviceChange, Tried } from '../../model/domain/advice.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { sidesCompared } from '../sides/sidesSaid.ts';
import { perRequest } from '../versions/metrics.ts';
import type { ComparisonStage } from './pace.ts';

/** What was measured, with where it was. */
export type Effect = Omit<Tried, keyof AdviceChange>;

/** What each side brought against the first; null of one that could not be measured. */
export function effectsOf(run: RunRecord, stage: ComparisonStage): (Effect | null)[] {
  const [base] = run.trials;
  return sidesCompared(run).map(({ trial, answers, note }) => {
    if (base === undefined || note.change === null) return null;
    const [before, after] = [base, trial].map((side) => perRequest(side, ({ walBytes }) => walBytes));
    const { mean, low, high } = note.change;
    return {
      stage: stage === 'screen' ? 'screened' : 'measured',
      verdict: note.verdict,
      ratio: { mean, ciLow: low, ciHigh: high },
      costs: note.costs,
      statementMs: null,
      walBytes: before == null || after == null || Math.max(before, after) < 1 ? null : [before, after],
      answersDiffer: answers.length > 0,
      run: run.id,
    };
  });
}

/** Time of a call of a statement on both sides; null where one side has none. */
export function timesOf(statement: string, base: Trial | undefined, side: Trial | undefined): [number, number] | null {
  const [before, after] = [base, side].map((trial) => trial?.statements?.find(({ sql }) => sql === statement)?.meanMs);
  return before === undefined || after === undefined ? null : [before, after];
}
