import { explanationOf, headlineOf } from '../../domain/diagnosis.ts';
import type { Diagnosis, NextAction } from '../../domain/diagnosis.ts';
import { limitNames } from '../../domain/diagnosisKind.ts';
import { figure } from '../../domain/format.ts';
import type { RunRecord } from '../../domain/run.ts';
import type { StatementUse } from '../../domain/statement.ts';
import { verdictText } from '../../domain/verdict/verdictKinds.ts';
import { trialPhrase } from '../settingWords.ts';

/** What limits a trial, as texts. Trials with the same verdict in the same words are listed together. */
export interface ReportedVerdict {
  /** The trials it is of: "Java · pool 8, Java · pool 16". */
  about: string;
  headline: string;
  explanation: string;
  doubt: string;
  /** "connections in use: 2.0 of 2 (≥ 95 %)". */
  evidence: string[];
  ruledOut: string[];
  next: string[];
}

/** The verdicts of a run in the order of its trials. */
export function reportedVerdicts(run: RunRecord): ReportedVerdict[] {
  const found = new Map<string, { about: string[]; diagnosis: Diagnosis; statements: readonly StatementUse[] }>();
  for (const trial of run.trials) {
    if (trial.diagnosis === null) continue;
    const key = JSON.stringify(trial.diagnosis);
    const known = found.get(key) ?? { about: [], diagnosis: trial.diagnosis, statements: trial.statements ?? [] };
    known.about.push(trialPhrase(run, trial));
    found.set(key, known);
  }
  return [...found.values()].map(({ about, diagnosis, statements }) => ({
    about: about.join(', '),
    headline: headlineOf(diagnosis),
    explanation: explanationOf(diagnosis),
    doubt: diagnosis.confident ? '' : 'Can’t be sure.',
    evidence: diagnosis.evidence.map(({ what, value, threshold, met, source }) => {
      const needed = threshold === null ? '' : ` (${threshold}${source === null ? '' : `, ${source}`})`;
      return `${what}: ${value}${needed}${met ? '' : ', which does not speak for it'}`;
    }),
    ruledOut: diagnosis.ruledOut.map(({ kind, because }) => `${limitNames[kind]}: ${verdictText(because)}`),
    next: diagnosis.actions.map((action) => nextStep(action, statements)),
  }));
}

/** More of a statement is for the editor. */
const shownSql = 400;

/** A page has nothing to click: it contains the statement that the panel would open. */
function nextStep(action: NextAction, [first]: readonly StatementUse[]): string {
  if (action.kind !== 'sql' || first === undefined) return action.label;
  const sql = first.sql.replaceAll(/\s+/g, ' ').trim();
  return `${action.label} (${figure(first.meanMs)} ms per call): ${sql.length > shownSql ? `${sql.slice(0, shownSql)} …` : sql}`;
}
