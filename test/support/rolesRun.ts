import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { BlockOptions } from '../../src/engine/load/loadPlans.ts';
import { type RolesPlan, rolesBlock } from '../../src/engine/load/scenario/rolesPlan.ts';
import { stepMetrics } from '../../src/engine/load/scenario/stepMetrics.ts';

/** Lets users walk their roles once. `total` is what the block measured; the rest is what it says of the users and of their steps. */
export async function runRoles(generator: LoadGenerator, plan: RolesPlan, options: BlockOptions = {}) {
  const total = await generator.runBlock(rolesBlock(plan), options);
  if (total.scenario === undefined) throw new Error('no users were measured');
  const { steps: samples, ...users } = total.scenario;
  return { total, samples, ...users, steps: stepMetrics(samples) };
}
