import type { Recommendation, RunRecord, Trial } from '../domain/run.ts';
import { tunedAnswers } from '../domain/runResult.ts';
import type { SettingValue } from '../domain/setting.ts';

/** What is varied like a setting, though it is one of the load. */
export const connectionsName = 'connections';

export type SettingLabels = Readonly<Record<string, string>>;

/** The labels that a run knows: those of its answers. */
export function labelsOf(run: Pick<RunRecord, 'recommendations' | 'result'>): SettingLabels {
  const answered = tunedAnswers(run).map(({ settingLabels }) => settingLabels);
  return Object.assign({}, ...answered, recommendedLabels(run.recommendations)) as SettingLabels;
}

export function recommendedLabels(recommendations: readonly Recommendation[]): SettingLabels {
  return Object.fromEntries(recommendations.map(({ setting, settingLabel }) => [setting, settingLabel]));
}

/** "poolTimeoutMs" → "pool timeout (ms)": how a setting without a label is shown. */
export function humanName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.replace(/ (ms|mb|us|s)$/, (_, unit: string) => ` (${unit === 'mb' ? 'MB' : unit === 'us' ? 'µs' : unit})`);
}

/** The name of a setting for people: its label, else made from its name. */
export function settingTitle(name: string, labels: SettingLabels): string {
  const label = labels[name];
  return name === connectionsName || label === undefined || label === name ? humanName(name) : label;
}

/** The value of a setting in a trial, or the trial's connections; `null` where the trial's target does not take it. */
export function valueOf(trial: Trial, name: string): SettingValue | null {
  return trial.settings[name] ?? (name === connectionsName ? trial.connections : null);
}

/** The distinct values in use, numbers in rising order, words in order of appearance. */
export function distinctValues(trials: readonly Trial[], name: string): SettingValue[] {
  const values = [...new Set(trials.map((trial) => valueOf(trial, name)))].filter((value) => value !== null);
  return values.every((value) => typeof value === 'number') ? values.sort((a, b) => a - b) : values;
}

/** Whether a setting has several values, or of one target some trials have it and others are as they are. */
export function isVaried(trials: readonly Trial[], name: string): boolean {
  if (distinctValues(trials, name).length > 1) return true;
  const having = new Set(trials.filter((trial) => valueOf(trial, name) !== null).map(({ target }) => target));
  return trials.some((trial) => having.has(trial.target) && valueOf(trial, name) === null);
}

/** Settings that distinguish trials: those that vary (`connections` among them); if none does, the first one that the trials have. */
export function shownSettings(trials: readonly Trial[]): string[] {
  const names = settingNames(trials);
  const varied = [...names, connectionsName].filter((name) => isVaried(trials, name));
  return varied.length > 0 ? varied : names.slice(0, 1);
}

/** What is the same in all trials that have it, as text: "threads 50 (Java), connections 32". */
export function constantSettings(trials: readonly Trial[], labels: SettingLabels): string {
  const shown = new Set(shownSettings(trials));
  const all = new Set(trials.map((trial) => trial.targetLabel));
  return [...settingNames(trials), connectionsName]
    .filter((name) => !shown.has(name))
    .flatMap((name) => {
      const owners = new Set(trials.filter((trial) => valueOf(trial, name) !== null).map((trial) => trial.targetLabel));
      const value = distinctValues(trials, name)[0];
      if (value === undefined) return [];
      return [`${settingTitle(name, labels).toLowerCase()} ${value}${owners.size < all.size ? ` (${[...owners].join(', ')})` : ''}`];
    })
    .join(', ');
}

/** The label of a target with the values that distinguish this trial from the others: "Java · pool 8 · 32 connections". */
export function variedPhrase(trial: Trial, names: readonly string[]): string {
  const values = valuesPhrase(trial, names);
  return values === '' ? trial.targetLabel : `${trial.targetLabel} · ${values}`;
}

/** The values of a trial: "pool 8 · 32 connections". */
export function valuesPhrase(trial: Trial, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const value = valueOf(trial, name);
    if (value === null) return [];
    return [name === connectionsName ? `${value} connections` : `${humanName(name)} ${value}`];
  });
  return parts.join(' · ');
}

/** "Java 8", or "Java 8 × 50" where several values distinguish the trials: short enough for the start of a line. */
export function shortPhrase(trial: Trial, names: readonly string[]): string {
  const values = names.map((name) => valueOf(trial, name)).filter((value) => value !== null);
  return values.length === 0 ? variedPhrase(trial, names) : `${trial.targetLabel} ${values.join(' × ')}`;
}

/** A trial of a run as a phrase with what distinguishes it from the others: "Java · pool 8". */
export function trialPhrase({ trials }: { trials: readonly Trial[] }, trial: Trial): string {
  return variedPhrase(trial, shownSettings(trials));
}

function settingNames(trials: readonly Trial[]): string[] {
  return [...new Set(trials.flatMap((trial) => Object.keys(trial.settings)))];
}
