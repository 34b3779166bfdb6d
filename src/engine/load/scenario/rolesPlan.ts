import { failure } from '../../../model/domain/failure.ts';
import type { Role, Stage } from '../../../model/domain/scenario.ts';
import type { BlockPlan } from '../loadPlans.ts';
import type { MixRequest, ScenarioPlan } from '../loadProtocol.ts';
import { mostUsers, stagesSeconds } from '../stages/stages.ts';

/** A window that is shorter measures nothing. */
const shortestWindowMs = 100;

/** One pass of users through stages; times of stages in s. `settleMs`: the beginning of the stages that is not measured, such as a ramp-up. */
export type RolesPlan = Omit<BlockPlan, 'mix' | 'connections' | 'windowMs' | 'open' | 'scenario'> & {
  /** What users do. With none, each sends requests drawn from `mix`, one after the other. */
  roles: readonly Role[];
  mix?: readonly MixRequest[];
  stages: readonly Stage[];
};

/** The plan of a block that puts the users on their target. Fails with `load-stages-short` when nothing is left to be measured. */
export function rolesBlock(plan: RolesPlan) {
  const { roles, mix = [], stages, ...rest } = plan;
  const windowMs = stagesSeconds(stages) * 1000 - plan.settleMs;
  if (windowMs < shortestWindowMs || mostUsers(stages) === 0) {
    throw failure(
      'load-stages-short',
      mostUsers(stages) === 0
        ? 'No stage has a user.'
        : `The stages take ${stagesSeconds(stages)} s, of which ${plan.settleMs / 1000} s are not measured.`,
      'Add a stage, or make one longer.',
    );
  }
  const scenario: ScenarioPlan = { roles: [...roles], stages: [...stages] };
  return { ...rest, mix, windowMs, connections: mostUsers(stages), scenario };
}
