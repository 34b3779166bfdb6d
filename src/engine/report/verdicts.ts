import type { Diagnosis } from '../../model/diagnosis.ts';
import { asideSentence, limitNames } from '../../model/diagnosisWords.ts';
import type { RunRecord } from '../../model/run.ts';
import { trialPhrase } from './table.ts';

/** What limits a trial, as texts. Trials with the same verdict in the same words stand together. */
export interface ReportedVerdict {
  /** The trials it is of: "Java · pool 8, Java · pool 16". */
  about: string;
  headline: string;
  explanation: string;
  doubt: string;
  /** What it would have been, were it not void; else empty. */
  aside: string;
  /** "connections in use: 2.0 of 2 (≥ 95 %)". */
  evidence: string[];
  ruledOut: string[];
  next: string[];
}

/** The verdicts of a run in the order of its trials. */
export function reportedVerdicts(run: RunRecord): ReportedVerdict[] {
  const found = new Map<string, { about: string[]; diagnosis: Diagnosis }>();
  for (const trial of run.trials) {
    if (trial.diagnosis === null) continue;
    const key = JSON.stringify(trial.diagnosis);
    const known = found.get(key) ?? { about: [], diagnosis: trial.diagnosis };
    known.about.push(trialPhrase(run, trial));
    found.set(key, known);
  }
  return [...found.values()].map(({ about, diagnosis }) => ({
    about: about.join(', '),
    headline: diagnosis.headline,
    explanation: diagnosis.explanation,
    doubt: diagnosis.confident ? '' : 'Can’t be sure.',
    aside: asideSentence(diagnosis),
    evidence: diagnosis.evidence.map(({ what, value, threshold, met, source }) => {
      const needed = threshold === null ? '' : ` (${threshold}${source === null ? '' : `, ${source}`})`;
      return `${what}: ${value}${needed}${met ? '' : ', which does not speak for it'}`;
    }),
    ruledOut: diagnosis.ruledOut.map(({ kind, because }) => `${limitNames[kind]}: ${because}`),
    next: diagnosis.actions.map(({ label }) => label),
  }));
}
