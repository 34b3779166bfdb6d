import { durationPhrase } from '../../model/format.ts';
import type { ListedStudy } from '../../model/study.ts';

/** "about 1 min 50 s · agreed last time": next to an experiment's name in a list. */
export function studyDescription(study: ListedStudy): string {
  const time = `about ${durationPhrase(Math.max(1, Math.round(study.shortS)) * 1000)
    .replace('.0 s', ' s')
    .replace(' min 0 s', ' min')}`;
  if (study.lastRunId === null) return time;
  const last = study.lastAgrees === null ? 'undecided last time' : study.lastAgrees ? 'agreed last time' : 'did not agree last time';
  return `${time} · ${last}`;
}

/** What it asks, or what is missing for it. */
export function studyDetail(study: ListedStudy): string {
  return study.missing.length > 0 ? study.missing.map(({ message, cure }) => `${message} ${cure}`).join(' ') : study.asks;
}
