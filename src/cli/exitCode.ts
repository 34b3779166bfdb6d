import { findingText, quotesLine } from '../model/domain/findings.ts';
import { judgeSlo, missedPhrase } from '../model/domain/judgeSlo.ts';
import type { RunRecord, Trial, TrialFailure } from '../model/domain/run.ts';
import type { Slo, SloResult } from '../model/domain/slo.ts';
import { sloPhrase } from '../model/domain/sloText.ts';
import { trialPhrase } from '../model/presentation/settingWords.ts';

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

/** A trial whose program failed. */
export interface RunFailure {
  trialKey: string;
  kind: TrialFailure;
  sentence: string;
  /** The last line that it printed; null of one that printed nothing, or is not known to. */
  lastLine: string | null;
  /** Whether the sentence has that line. */
  isQuoted: boolean;
  /** Its log, from the workspace's folder. */
  log: string | null;
}

const what: Readonly<Record<TrialFailure, string>> = {
  errors: 'more requests failed than may',
  ended: 'it ended on its own',
  'not-started': 'it could not be started',
  'database-restarted': 'PostgreSQL was restarted or died',
};

/**
 * What makes a run end with exit status 1: a program that failed while it was measured. Not what the machine did to it, nor an answer that is still open;
 * nor a point of an experiment whose errors are what it measures. A value that cannot be started is no candidate, and in a search one whose requests
 * fail is none either: where the others gave an answer, that was found out, and nothing has failed.
 */
export function runFailures(record: RunRecord): RunFailure[] {
  return record.trials.flatMap((trial) => {
    const { failed } = trial;
    if (failed === undefined || isFinding(failed, trial, record)) return [];
    const [first] = trial.reasons;
    const log = record.plan.commands[trial.key]?.log;
    const file = log === undefined ? null : `.benchside/runs/${record.id}/${log.file}`;
    return [
      {
        trialKey: trial.key,
        kind: failed,
        sentence: `${trialPhrase(record, trial)}: ${what[failed]}.${first === undefined ? '' : ` ${findingText(first)}`}`,
        lastLine: log === undefined || log.lastLine === '' ? null : log.lastLine,
        isQuoted: log !== undefined && first !== undefined && quotesLine(first, log.lastLine),
        log: file,
      },
    ];
  });
}

function isFinding(failed: TrialFailure, trial: Trial, { result, recommendations }: RunRecord): boolean {
  switch (result.kind) {
    case 'experiment':
      return result.points.some((point) => point.valid && point.trialKey === trial.key);
    case 'tune': {
      const answered = result.answers.some((answer) => answer.target === trial.target && answer.values !== null);
      return answered && (failed === 'errors' || failed === 'not-started');
    }
    case 'run':
    case 'diff':
    case 'live':
      return failed === 'not-started' && recommendations.some((one) => one.target === trial.target && one.value !== null);
  }
}

/** Says on standard error what failed, and gives the exit code. */
export function judgeFailures(failures: readonly RunFailure[], tell: (text: string) => void): 0 | 1 {
  for (const { sentence, log, lastLine, isQuoted } of failures) {
    tell(sentence);
    if (lastLine !== null && !isQuoted) tell(`  Its last line: ${lastLine}`);
    if (log !== null) tell(`  Its log: ${log}`);
  }
  return failures.length > 0 ? 1 : 0;
}

/** What `--json` has of failures; nothing where there are none. */
export function failuresField(failures: readonly RunFailure[]): { failures?: object[] } {
  return failures.length === 0 ? {} : { failures: failures.map(({ isQuoted: _isQuoted, ...failure }) => failure) };
}
