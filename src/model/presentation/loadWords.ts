import { spanPhrase } from '../domain/format.ts';
import type { LoadProfile } from '../domain/loadProfile.ts';

/** How long a load profile takes and what it is for: "about 1 min · first answer". `time`: what is known of it for what is asked; empty: not the profile decides. */
export function loadPhrase(profile: LoadProfile, time = `about ${timePhrase(profile)}`): string {
  return [time, profile.purpose ?? ''].filter((words) => words !== '').join(' · ');
}

/** Its budget, or its stages; where rounds are fixed by their number, what they take of one setting. */
function timePhrase(profile: LoadProfile): string {
  const { budgetS, stages, rounds, connections } = profile;
  if (budgetS !== undefined) return spanPhrase(budgetS);
  if (stages !== undefined) return spanPhrase(blockSeconds(profile));
  return `${spanPhrase(rounds * blockSeconds(profile) * [connections].flat().length)} a setting`;
}

/** What one block takes: settling, and its stages or `durationS`. */
export function blockSeconds({ settleS, stages, ...load }: LoadProfile, durationS = load.durationS): number {
  return settleS + (stages === undefined ? durationS : stages.reduce((sum, { seconds }) => sum + seconds, 0));
}
