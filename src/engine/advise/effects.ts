import type { AdviceChange, Tried } from '../../model/domain/advice.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { answeredRequests } from '../../model/domain/statement.ts';
import { sidesCompared } from '../sides/sidesSaid.ts';
import type { ComparisonStage } from './pace.ts';

/** What was measured, with where it was. */
export type Effect = Omit<Tried, keyof AdviceChange>;

/** What each side brought against the first; null of one that could not be measured. */
export function effectsOf(run: RunRecord, stage: ComparisonStage): (Effect | null)[] {
  const [base] = run.trials;
  return sidesCompared(run).map(({ trial, answers, note }) => {
    if (base === undefined || note.change === null) return null;
    const wal = [walOf(base), walOf(trial)] as const;
    const { mean, low, high } = note.change;
    return {
      stage: stage === 'screen' ? 'screened' : 'measured',
      verdict: note.verdict,
      ratio: { mean, ciLow: low, ciHigh: high },
      costs: note.costs,
      statementMs: null,
      walBytes: wal[0] === null || wal[1] === null || Math.max(wal[0], wal[1]) < 1 ? null : [wal[0], wal[1]],
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

/** Bytes that PostgreSQL wrote ahead for a request. */
function walOf(trial: Trial): number | null {
  const requests = answeredRequests(trial);
  if (trial.statements === undefined || requests === 0) return null;
  return trial.statements.reduce((sum, { walBytes }) => sum + walBytes, 0) / requests;
}
