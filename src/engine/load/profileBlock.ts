import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import { blockSeed } from '../statistics/seededRandom.ts';
import type { BlockPlan } from './loadPlans.ts';
import type { LoadMeasurement, OpenLoopPlan } from './loadProtocol.ts';
import { withVariables } from './scenario/environmentHoles.ts';
import { rolesBlock } from './scenario/rolesPlan.ts';
import { profileStages } from './stages/stages.ts';

/** As many as the load generator allows. */
const mostInFlight = 10_000;

/** What a load profile says of a block of its round: how long it is, and how each of its connections behaves. */
export function profileBlock(
  load: LoadProfile,
  round: number,
): Pick<BlockPlan, 'settleMs' | 'windowMs' | 'timeoutMs' | 'thinkTimeMs' | 'seed'> {
  return {
    settleMs: load.settleS * 1000,
    windowMs: load.durationS * 1000,
    timeoutMs: load.timeoutMs,
    ...(load.thinkTimeMs === undefined ? {} : { thinkTimeMs: load.thinkTimeMs }),
    // The same requests in the same order for all settings of a round; others in the next round.
    seed: blockSeed(load.seed, round),
  };
}

/** The block as the load profile has it: users who come and go or walk through roles, a number of requests, a fixed rate, or simply its connections. */
export function planByProfile(load: LoadProfile, plan: BlockPlan): BlockPlan {
  const { roles, requests, ratePerS } = load;
  const counted = requests === undefined ? plan : { ...plan, requests };
  const stages = profileStages(load, plan.connections);
  if (stages === null) return ratePerS === undefined ? counted : { ...counted, open: openPlan(ratePerS, plan.connections) };
  const { connections: _connections, windowMs: _windowMs, open: _open, ...rest } = counted;
  return rolesBlock({ ...rest, roles: withVariables(roles ?? []), stages });
}

/** Enough in progress for an app that stops for half a second, and never fewer than a closed loop would have. */
export function openPlan(ratePerS: number, connections: number): OpenLoopPlan {
  return { ratePerS, maxInFlight: Math.min(mostInFlight, Math.max(256, 4 * connections, Math.ceil(ratePerS / 2))) };
}

/** Whether each connection had a request in progress all the time: neither a fixed rate nor pauses for thought. */
export function isAlwaysAsking({ open, scenario, thoughtMs }: Pick<LoadMeasurement, 'open' | 'scenario' | 'thoughtMs'>): boolean {
  return open === null && scenario === undefined && thoughtMs === undefined;
}
