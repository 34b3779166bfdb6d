import { stepText } from '../../model/domain/progress/stepKinds.ts';
import { durationPhrase, settingsPhrase, wholeNumber } from '../../model/domain/format.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import type { LiveSample } from '../../model/protocol/live.ts';
import type { RunEvent } from '../../model/protocol/runEvent.ts';
import { timeLeft, timeLeftPhrase } from '../../model/presentation/timeLeft.ts';

type PhaseEvent = Extract<RunEvent, { type: 'phase' }>;
type TuningEvent = Extract<RunEvent, { type: 'tuning' }>;

/** Short enough for the status bar, where "$(" would begin an icon. */
export function statusText(phrase: string): string {
  const short = phrase.replaceAll('$(', '(');
  return short.length > 60 ? `${short.slice(0, 59)}…` : short;
}

/** What the status bar says of a live session: "java · pool 8 · 7,940 req/s". Without a sample yet, what is being done. */
export function liveStatusText(target: string, values: SettingValues, latest: LiveSample | null, doing: string): string {
  const rate = latest === null ? doing : `${wholeNumber(latest.throughput)} req/s`;
  return statusText([target, settingsPhrase(values), rate].filter((part) => part !== '').join(' · '));
}

/** What the progress notification says: the phase, the time gone and the time left. `sinceMs` is how long ago the phase event came. */
export function progressText(phase: PhaseEvent, sinceMs: number): string {
  const elapsed = wholeSecondsPhrase(phase.elapsedMs + sinceMs);
  const left = timeLeft(phase, sinceMs);
  if (left === null) return `${stepText(phase.doing)} · ${elapsed}`;
  return `${stepText(phase.doing)} · ${elapsed}, ${timeLeftPhrase(left)}`;
}

/**
 * What the progress notification says of a tuning: what is decided now, and how much of the budget is spent. `sinceMs` is how long ago the event
 * came; between two events the time goes on, but not beyond the budget.
 */
export function tuningText({ doing, spentS, budgetS }: TuningEvent, sinceMs: number): string {
  const spent = Math.max(spentS, Math.min(budgetS, spentS + sinceMs / 1000));
  return `${stepText(doing)} · ${wholeSecondsPhrase(spent * 1000)} of ${wholeSecondsPhrase(budgetS * 1000)}. Cancel keeps what was measured.`;
}

/** How much of a tuning's budget is spent, 0 to 100. */
export function percentSpent({ spentS, budgetS }: TuningEvent, sinceMs: number): number {
  return Math.min(100, Math.max(0, ((spentS + sinceMs / 1000) / Math.max(1, budgetS)) * 100));
}

/** How much of the run is done, 0 to 100, by time where the engine reports it and by steps where it does not. */
export function percentDone(phase: PhaseEvent, sinceMs: number): number {
  const elapsedMs = phase.elapsedMs + sinceMs;
  const share =
    phase.remainingMs === null
      ? phase.step / Math.max(1, phase.steps)
      : elapsedMs / Math.max(1, elapsedMs + Math.max(0, phase.remainingMs - sinceMs));
  return Math.min(100, Math.max(0, share * 100));
}

/** A time in whole seconds: "20 s", "2 min". */
export function wholeSecondsPhrase(durationMs: number): string {
  return durationPhrase(Math.max(1, Math.round(durationMs / 1000)) * 1000)
    .replace('.0 s', ' s')
    .replace(' min 0 s', ' min');
}
