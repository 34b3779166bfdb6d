import { measureBreakingPoint } from './measureBreakingPoint.ts';
import { measureLadder } from './measureLadder.ts';
import { measureMemory } from './measureMemory.ts';
import { measureOutage } from './measureOutage.ts';
import { measureRoles } from './measureRoles.ts';
import { measureTogether } from './measureTogether.ts';
import type { MeasureTools } from './experimentMeasures.ts';
import type { RunningVariant } from './runningVariant.ts';

/** Measures variants that run, in the way that the experiment's plan says. */
export async function measureVariants(tools: MeasureTools, variants: readonly RunningVariant[]): Promise<void> {
  const { plan } = tools;
  switch (plan.kind) {
    case 'ladder':
      return measureLadder({ ...tools, plan }, variants);
    case 'memory':
      return measureMemory({ ...tools, plan }, variants);
    case 'outage':
      return measureOutage({ ...tools, plan }, variants);
    case 'together':
      return measureTogether({ ...tools, plan }, variants);
    case 'roles':
      return measureRoles({ ...tools, plan }, variants);
    case 'breaking-point':
      return measureBreakingPoint({ ...tools, plan }, variants);
  }
}
