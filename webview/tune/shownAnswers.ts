import type { Recommendation, Trial } from '../../src/model/run.ts';
import type { SettingValues } from '../../src/model/setting.ts';
import type { TunedSetting, TuningAnswer } from '../../src/model/tuning.ts';

/** What of an answer marks a trial in charts and tables: the recommended one of each target. */
export function recommendationsOf(answers: readonly TuningAnswer[]): Recommendation[] {
  return answers.map((answer) => {
    const setting = answer.settingNames[0] ?? '';
    const { target, targetLabel, status, plausible, headline, why } = answer;
    const best = answer.best?.values[setting];
    return {
      target,
      targetLabel,
      setting,
      settingLabel: answer.settingLabels[setting] ?? setting,
      status,
      value: answer.values?.[setting] ?? null,
      plausible,
      best: answer.best && best !== undefined ? { value: best, throughput: answer.best.throughput } : null,
      headline,
      why,
      trialKey: recommendedSetting(answer)?.trialKey ?? null,
      witnesses: answer.witnesses,
      moreSeconds: answer.moreSeconds,
    };
  });
}

/** The measured combination that an answer recommends. */
export function recommendedSetting(answer: TuningAnswer): TunedSetting | null {
  const { values } = answer;
  return values === null ? null : (answer.settings.find((setting) => sameValues(setting.values, values, answer.settingNames)) ?? null);
}

/** Predicted requests/s by trial, where the operational laws say anything. */
export function predictedOf(answers: readonly TuningAnswer[]): Map<string, number> {
  const known = answers.flatMap((answer) => answer.settings);
  return new Map(known.flatMap((setting) => (setting.predicted === null ? [] : [[setting.trialKey, setting.predicted]])));
}

/** The trials with their figure of the open loop, which while a search runs is told with the answers only. */
export function withOpenLoop(trials: readonly Trial[], answers: readonly TuningAnswer[]): Trial[] {
  const known = new Map(answers.flatMap((answer) => answer.settings).map((setting) => [setting.trialKey, setting.openLoop]));
  return trials.map((trial) => (trial.openLoop ? trial : { ...trial, openLoop: known.get(trial.key) ?? null }));
}

/** Whether an answer is of two settings and so makes a grid. */
export function isGrid(answer: TuningAnswer): boolean {
  return answer.settingNames.length > 1;
}

function sameValues(one: SettingValues, other: SettingValues, names: readonly string[]): boolean {
  return names.every((name) => one[name] === other[name]);
}
