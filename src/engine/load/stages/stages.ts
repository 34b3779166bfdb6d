import type { LoadProfile } from '../../../model/domain/loadProfile.ts';
import type { Stage } from '../../../model/domain/scenario.ts';

/** How far from a whole number a number of users may be that is meant to be one: t·n/T is computed with rounding errors. */
const roundingSlack = 1e-9;

/**
 * Users that are to be active `atS` seconds after the start: within each stage from the number before it (0 before the first) evenly to its own, so that
 * in a ramp-up of T seconds to n users there are t·n/T at t. Whole users only: the next one comes when it is due. After the last stage its number stays.
 */
export function usersAt(stages: readonly Stage[], atS: number): number {
  let before = 0;
  let begun = 0;
  for (const { users, seconds } of stages) {
    if (atS < begun + seconds) return Math.floor(before + ((users - before) * Math.max(0, atS - begun)) / seconds + roundingSlack);
    begun += seconds;
    before = users;
  }
  return before;
}

/** How long all stages take, in s. */
export function stagesSeconds(stages: readonly Stage[]): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0);
}

export function mostUsers(stages: readonly Stage[]): number {
  return stages.reduce((most, { users }) => Math.max(most, users), 0);
}

/** `users` from the start on, for so long. */
export function steadyStages(users: number, seconds: number): Stage[] {
  return [
    { users, seconds: 0 },
    { users, seconds },
  ];
}

/** The stages of a block under a load profile: its own, or `connections` users throughout; null when it is plain load on connections. */
export function profileStages(
  profile: Pick<LoadProfile, 'stages' | 'roles' | 'settleS' | 'durationS'>,
  connections: number,
): readonly Stage[] | null {
  if (profile.stages !== undefined) return profile.stages;
  return profile.roles === undefined ? null : steadyStages(connections, profile.settleS + profile.durationS);
}
