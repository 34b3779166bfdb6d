import { spanPhrase } from './format.ts';
import type { LoadProfile } from './loadProfile.ts';

/** How long a load profile takes and what it is for: "about 1 min · first answer". */
export function loadPhrase(profile: LoadProfile): string {
  return [`about ${timePhrase(profile)}`, ...(profile.purpose === undefined ? [] : [profile.purpose])].join(' · ');
}

/** Its budget, or its stages; where rounds are fixed by their number, what they take of one setting. */
function timePhrase({ budgetS, stages, settleS, durationS, rounds, connections }: LoadProfile): string {
  if (budgetS !== undefined) return spanPhrase(budgetS);
  if (stages !== undefined) return spanPhrase(settleS + stages.reduce((sum, { seconds }) => sum + seconds, 0));
  return `${spanPhrase(rounds * (settleS + durationS) * [connections].flat().length)} a setting`;
}
