import { failure } from '../../../model/domain/failure.ts';
import type { Role, Stage, StepMetrics } from '../../../model/domain/scenario.ts';
import type { BlockMeasurement, MixRequest, ScenarioPlan, StepSamples } from '../loadProtocol.ts';
import { mostUsers, stagesSeconds } from '../stages/stages.ts';
import { stepMetrics } from './stepMetrics.ts';

/** A window that is shorter measures nothing. */
const shortestWindowMs = 100;

/** One pass of users through stages. Times in ms, those of stages in s. */
export interface RolesPlan {
  /** A loopback address; anything else is refused. */
  host: string;
  port: number;
  /** Additional ports of the same target: users are assigned to all in turn. */
  morePorts?: readonly number[];
  /** See the same field of a block's plan. */
  socketPath?: string;
  /** HTTPS, with whatever certificate the target has. */
  tls?: boolean;
  /** false: each request has a connection of its own. */
  keepAlive?: boolean;
  /** What users do. With none, each sends requests drawn from `mix`, one after the other without a pause. */
  roles: readonly Role[];
  mix?: readonly MixRequest[];
  stages: readonly Stage[];
  /** The beginning of the stages that is not measured, such as a ramp-up. */
  settleMs: number;
  /** Of each request. */
  timeoutMs: number;
  tickMs?: number;
  /** The same seed gives each user the same requests and think times. */
  seed: number;
  /** Ends when so many requests were answered in the window, with the last stage at the latest. */
  requests?: number;
  /** See the same field of a block's plan. */
  openAtMs?: number;
}

/** What a pass of users measured. */
export interface RolesResult<T> {
  /** All requests together: those of steps, and the files that pages embed, each with its own latency. */
  total: T;
  /** By role and step. Latency is the user's: of a step with assets, until the last one is there; these have figures of their own, `<step> (assets)`. */
  steps: StepMetrics[];
  /** From which `stepMetrics` makes the figures of several blocks together. */
  samples: StepSamples[];
  /** [s since the load began, users active then]. */
  users: [atS: number, users: number][];
  /** Active on average in the window. */
  meanUsers: number;
  /** The first things that went wrong, as sentences, each once; at most 10. */
  firstErrors: string[];
}

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

/** What the block of {@link rolesBlock} measured, read as that of users. */
export function rolesResult<T extends BlockMeasurement>(total: T): RolesResult<T> {
  const { steps: samples = [], users = [], meanUsers = 0, firstErrors = [] } = total.scenario ?? {};
  return { total, steps: stepMetrics(samples), samples, users, meanUsers, firstErrors };
}
