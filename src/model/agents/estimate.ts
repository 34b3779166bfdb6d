import type { LoadProfile } from '../domain/loadProfile.ts';
import { budgetFactor } from '../domain/runOptions.ts';

/** Starting PostgreSQL, its data and the service; and what follows after the last block. */
const aroundS = 15;
/** A recording of a trial, under a repeated load. */
const recordS = 12;
/** Nothing an agent begins lasts longer. */
const longestS = 1_500;

interface Asked {
  trials: number;
  rounds?: number | undefined;
  durationS?: number | undefined;
  budgetS?: number | undefined;
  record: boolean;
  jvm: boolean;
}

/** About how long something takes, in seconds, and after how many it is to be cancelled. */
type Estimate = Record<'estimateS' | 'limitS', number>;

export function runEstimate(profile: LoadProfile | undefined, { trials, rounds, durationS, budgetS, record, jvm }: Asked): Estimate {
  const warmUp = profile?.warmUp;
  const warmUpS = jvm ? (warmUp?.jvmMaxS ?? 45) : (warmUp?.maxS ?? 20);
  const blockS = (durationS ?? profile?.durationS ?? 4) + (profile?.settleS ?? 1);
  const least = (rounds ?? profile?.rounds ?? 3) * trials * blockS;
  const measuring = rounds === undefined && trials > 1 ? (budgetS ?? profile?.budgetS ?? budgetFactor * least) : least;
  return bounded(aroundS + warmUpS + measuring + (record ? recordS * trials : 0));
}

/** A budget plus the time around it: starts and warm-ups of `processes`. */
export function budgetEstimate(budgetS: number, extraS: number): Estimate {
  return bounded(aroundS + budgetS + extraS);
}

function bounded(seconds: number): Estimate {
  const estimateS = Math.min(longestS, Math.ceil(seconds));
  return { estimateS, limitS: Math.min(longestS, 5 * estimateS + 120) };
}
