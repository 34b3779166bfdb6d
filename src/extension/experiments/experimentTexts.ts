import type { ListedExperiment } from '../../model/domain/experiment.ts';
import { wholeSecondsPhrase } from '../sessions/progressText.ts';

/** "about 1 min 50 s · agreed last time": next to an experiment's name in a list. */
export function experimentDescription(experiment: ListedExperiment): string {
  const time = `about ${wholeSecondsPhrase(experiment.shortS * 1000)}`;
  if (experiment.lastRunId === null) return time;
  const last =
    experiment.lastAgrees === null ? 'undecided last time' : experiment.lastAgrees ? 'agreed last time' : 'did not agree last time';
  return `${time} · ${last}`;
}

/** What it asks, or what is missing for it. */
export function experimentDetail(experiment: ListedExperiment): string {
  return experiment.missing.length > 0 ? experiment.missing.map(({ message, cure }) => `${message} ${cure}`).join(' ') : experiment.asks;
}
