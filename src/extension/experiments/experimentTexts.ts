import { durationPhrase } from '../../model/domain/format.ts';
import type { ListedExperiment } from '../../model/domain/experiment.ts';

/** "about 1 min 50 s · agreed last time": next to an experiment's name in a list. */
export function experimentDescription(experiment: ListedExperiment): string {
  const time = `about ${durationPhrase(Math.max(1, Math.round(experiment.shortS)) * 1000)
    .replace('.0 s', ' s')
    .replace(' min 0 s', ' min')}`;
  if (experiment.lastRunId === null) return time;
  const last =
    experiment.lastAgrees === null ? 'undecided last time' : experiment.lastAgrees ? 'agreed last time' : 'did not agree last time';
  return `${time} · ${last}`;
}

/** What it asks, or what is missing for it. */
export function experimentDetail(experiment: ListedExperiment): string {
  return experiment.missing.length > 0 ? experiment.missing.map(({ message, cure }) => `${message} ${cure}`).join(' ') : experiment.asks;
}
