import { durationPhrase } from '../model/format.ts';
import type { RunEvent } from '../model/runEvent.ts';

type PhaseEvent = Extract<RunEvent, { type: 'phase' }>;

/** Short enough for the status bar: "Measuring java · pool 8, round 2 of 3" → "java · pool 8, round 2/3". */
export function statusText(message: string): string {
  const short = message
    .replace(/^(Measuring|Warming up) /, '')
    .replace(/(\d+) of (\d+)/g, '$1/$2')
    .replace(/\$\(/g, '(');
  return short.length > 60 ? `${short.slice(0, 59)}…` : short;
}

/** What the progress notification says: the phase, the time gone and the time left. `sinceMs` is how long ago the phase event came. */
export function progressText(phase: PhaseEvent, sinceMs: number): string {
  const elapsed = wholeSecondsPhrase(phase.elapsedMs + sinceMs);
  if (phase.remainingMs === null) return `${phase.message} · ${elapsed}`;
  const remainingMs = phase.remainingMs - sinceMs;
  const left = remainingMs < 1000 ? 'nearly done' : `about ${wholeSecondsPhrase(remainingMs)} left`;
  return `${phase.message} · ${elapsed}, ${left}`;
}

/** How much of the run is done, 0 to 100, by time where the engine can tell and by steps where it cannot. */
export function percentDone(phase: PhaseEvent, sinceMs: number): number {
  const elapsedMs = phase.elapsedMs + sinceMs;
  const share =
    phase.remainingMs === null
      ? phase.step / Math.max(1, phase.steps)
      : elapsedMs / Math.max(1, elapsedMs + Math.max(0, phase.remainingMs - sinceMs));
  return Math.min(100, Math.max(0, share * 100));
}

function wholeSecondsPhrase(durationMs: number): string {
  return durationPhrase(Math.max(1, Math.round(durationMs / 1000)) * 1000).replace('.0 s', ' s');
}
