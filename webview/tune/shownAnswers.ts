import type { Trial } from '../../src/model/domain/run.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';

/** Predicted requests/s by trial, where the operational laws say anything. */
export function predictedOf(answers: readonly TuningAnswer[]): Map<string, number> {
  const known = answers.flatMap((answer) => answer.settings);
  return new Map(known.flatMap((setting) => (setting.predicted === null ? [] : [[setting.trialKey, setting.predicted]])));
}

/** The trials with their figure of the open loop, which only the answers contain while a search runs. */
export function withOpenLoop(trials: readonly Trial[], answers: readonly TuningAnswer[]): Trial[] {
  const known = new Map(answers.flatMap((answer) => answer.settings).map((setting) => [setting.trialKey, setting.openLoop]));
  return trials.map((trial) => (trial.openLoop ? trial : { ...trial, openLoop: known.get(trial.key) ?? null }));
}

/** Whether an answer is of two settings and so makes a grid. */
export function isGrid(answer: TuningAnswer): boolean {
  return answer.settingNames.length > 1;
}
