import { runInterference } from '../../model/presentation/interferenceWords.ts';
import { wholeNumber } from '../../model/domain/format.ts';
import { failedRequestsPhrase } from '../../model/domain/requestErrors.ts';
import { summarizeRecording } from '../../model/domain/recording.ts';
import type { RunMarks, RunRecord, RunSummary, Trial } from '../../model/domain/run.ts';
import { diffHeadline } from '../../model/presentation/diffWords.ts';
import { humanName } from '../../model/presentation/settingWords.ts';
import { noMarks } from './runMarks.ts';

/** The row of the list of runs for one record. A comparison with a baseline needs the other rows. */
export function summarizeRun(run: RunRecord, marks: RunMarks = noMarks): RunSummary {
  const { result } = run;
  return {
    kind: 'run',
    id: run.id,
    title: run.title,
    startedAt: run.startedAt,
    state: run.state,
    valid: run.valid,
    reasons: run.reasons,
    headline: result.kind === 'diff' ? diffHeadline(result) : headline(run),
    targets: [...new Set(run.trials.map((trial) => trial.target))],
    recordings: run.recordings.map((recording) => summarizeRecording(recording, run.id)),
    marks,
    againstBaseline: null,
    tuned: result.kind === 'tune',
    experimentId: result.kind === 'experiment' ? result.experiment.id : null,
    takenPercent: runInterference(run.trials)?.takenPercent ?? null,
  };
}

/** The trial a run is remembered by: the recommended one with the most throughput, else the best valid one. */
export function headlineTrial(run: RunRecord): Trial | undefined {
  const valid = run.trials.filter((trial) => trial.valid && trial.requests > 0);
  const recommended = new Set(run.recommendations.map((recommendation) => recommendation.trialKey));
  const candidates = valid.some((trial) => recommended.has(trial.key)) ? valid.filter((trial) => recommended.has(trial.key)) : valid;
  return candidates.reduce<Trial | undefined>(
    (best, trial) => (best === undefined || trial.throughput.mean > best.throughput.mean ? trial : best),
    undefined,
  );
}

/** Names of the settings that distinguish the run's trials; where none does, those that were asked for. */
export function distinctiveSettings(run: RunRecord): string[] {
  const names = [...new Set(run.trials.flatMap((trial) => Object.keys(trial.settings)))];
  const varying = names.filter((name) => new Set(run.trials.map((trial) => trial.settings[name])).size > 1);
  return varying.length > 0 ? varying : names.filter((name) => run.request.settings[name] !== undefined);
}

function headline(run: RunRecord): string {
  const trial = headlineTrial(run);
  if (trial === undefined)
    return (
      run.failure?.message ??
      (run.state === 'cancelled'
        ? 'cancelled before anything was measured'
        : run.result.kind === 'live' // None of its trials is for comparing, and that is no failure.
          ? run.title
          : `${run.title}: ${failedRequestsPhrase(run.trials) || 'nothing that counts was measured'}`)
    );
  const settings = distinctiveSettings(run).flatMap((name) => {
    const value = trial.settings[name];
    return value === undefined ? [] : [`${humanName(name)} ${value}`];
  });
  return [trial.targetLabel, ...settings, `${wholeNumber(trial.throughput.mean)} req/s`].join(' · ');
}
