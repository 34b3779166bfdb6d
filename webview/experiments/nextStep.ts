import { isLimit } from '../../src/model/domain/diagnosisKind.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import type { ListedExperiment, ExperimentRecord } from '../../src/model/domain/experiment.ts';

/** The step after an experiment: the one that takes away the limit that this one found. */
export interface NextStep {
  id: string;
  title: string;
  label: string;
  missing: ListedExperiment['missing'];
}

/** What to run next, if the experiment names anything. Where a limit was found, the next experiment is the same with its fix applied. */
export function nextStep(record: ExperimentRecord, listed: readonly ListedExperiment[]): NextStep | null {
  const { then } = record.experiment;
  if (then === undefined) return null;
  const known = listed.find((one) => one.id === then);
  const limited = record.points.some(
    (point) => point.valid && point.limit !== null && isLimit(point.limit) && point.limit !== 'client-limited',
  );
  return {
    id: then,
    title: known?.title ?? '',
    label: limited ? `Apply the fix and run ${then}` : `Run ${then} next`,
    missing: known?.missing ?? [],
  };
}

/** The trials whose verdicts an experiment’s page shows: those of its points where there are any, and of each target the one under the highest load first. */
export function verdictTrials(record: ExperimentRecord, trials: readonly Trial[]): { trials: Trial[]; preferred: ReadonlySet<string> } {
  const keys = new Set(record.points.map((point) => point.trialKey));
  const own = trials.filter((trial) => keys.has(trial.key));
  const shown = own.length > 0 ? own : [...trials];
  const highest = new Map<string, string>();
  for (const point of [...record.points].sort((a, b) => a.level - b.level)) {
    const trial = shown.find((one) => one.key === point.trialKey);
    if (trial?.diagnosis && trial.diagnosis.kind !== 'invalid') highest.set(trial.target, trial.key);
  }
  return { trials: shown, preferred: new Set(highest.values()) };
}
