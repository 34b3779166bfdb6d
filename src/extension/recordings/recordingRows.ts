import { durationPhrase } from '../../model/domain/format.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import { eventName } from '../../model/presentation/eventNames.ts';
import { escapeMarkdown, whenPhrase, type Row } from '../kit/row.ts';

/** Names of recorders for people. */
export const recorderNames: Record<RecordingSummary['recorder'], string> = {
  'async-profiler': 'async-profiler',
  jfr: 'JDK Flight Recorder',
  v8: 'V8 profiler',
  'clinic-doctor': 'clinic doctor',
  'clinic-flame': 'clinic flame',
  'clinic-heap': 'clinic heap profiler',
  'clinic-bubbleprof': 'clinic bubbleprof',
};

/** The row of a recording: "java · pool 2 · wall, CPU", and when in the description. */
export function recordingRow(recording: RecordingSummary, now: Date): Row {
  const when = whenPhrase(recording.startedAt, now);
  const events = recording.events.map(eventName).join(', ');
  const label = [recording.title, events].filter((part) => part !== '').join(' · ');
  const made = `${recorderNames[recording.recorder]}, ${durationPhrase(recording.durationMs)}`;
  return {
    label,
    description: when,
    icon: 'flame',
    spoken: `Recording ${label}, ${when}`,
    tooltip: [`**${escapeMarkdown(recording.title)}**`, escapeMarkdown(`${events === '' ? '' : `${events} · `}${made} · ${when}`)].join(
      '\n\n',
    ),
  };
}

/** The short name of a recording for a tab: "java · pool 2 · 14:02". It is the same every time, whatever day it is. */
export function recordingTitle(recording: Pick<RecordingSummary, 'title' | 'startedAt'>): string {
  const date = new Date(recording.startedAt);
  const title = recording.title.replace(/[/\\]/g, ' ').slice(0, 80);
  if (Number.isNaN(date.getTime())) return title;
  return `${title} · ${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
