import { measureBreakingPoint } from './measureBreakingPoint.ts';
import { measureLadder } from './measureLadder.ts';
import { measureMemory } from './measureMemory.ts';
import { measureOutage } from './measureOutage.ts';
import { measureRoles } from './measureRoles.ts';
import { measureTogether } from './measureTogether.ts';
import type { MeasureTools } from './experimentMeasures.ts';
import type { ExperimentArm } from './experimentArm.ts';

/** Measures arms that run, in the way that the experiment's plan says. */
export async function measureArms(tools: MeasureTools, arms: readonly ExperimentArm[]): Promise<void> {
  const { plan } = tools;
  switch (plan.kind) {
    case 'ladder':
      return measureLadder({ ...tools, plan }, arms);
    case 'memory':
      return measureMemory({ ...tools, plan }, arms);
    case 'outage':
      return measureOutage({ ...tools, plan }, arms);
    case 'together':
      return measureTogether({ ...tools, plan }, arms);
    case 'roles':
      return measureRoles({ ...tools, plan }, arms);
    case 'breaking-point':
      return measureBreakingPoint({ ...tools, plan }, arms);
  }
}
