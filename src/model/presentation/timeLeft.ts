import { durationPhrase } from '../domain/format.ts';

/** What is left of a run, ms: in any case, and at the most. The rest comes only while an answer stays undecided. */
export interface TimeLeft {
  surelyMs: number;
  mostMs: number;
}

/** The remaining time `sinceMs` after it was reported; null where it was not reported. */
export function timeLeft(told: { remainingMs: number | null; surelyMs?: number | undefined }, sinceMs: number): TimeLeft | null {
  if (told.remainingMs === null) return null;
  const mostMs = Math.max(0, told.remainingMs - sinceMs);
  return { mostMs, surelyMs: Math.min(mostMs, Math.max(0, (told.surelyMs ?? told.remainingMs) - sinceMs)) };
}

/** "about 30 s left"; a range where it may take longer, "20 s to 1 min 30 s left", or "at most 40 s left" where it may end at any moment. */
export function timeLeftPhrase({ surelyMs, mostMs }: TimeLeft): string {
  const [least, most] = [Math.round(surelyMs / 1000), Math.round(mostMs / 1000)];
  if (most < 1) return 'nearly done';
  if (most - least < 2) return `about ${secondsPhrase(most)} left`;
  return least < 1 ? `at most ${secondsPhrase(most)} left` : `${secondsPhrase(least)} to ${secondsPhrase(most)} left`;
}

function secondsPhrase(seconds: number): string {
  return durationPhrase(seconds * 1000)
    .replace('.0 s', ' s')
    .replace(' min 0 s', ' min');
}
