import type { Role, Stage } from '../../../model/domain/scenario.ts';
import { instancesOf } from '../runningTargets.ts';
import { rolesBlock } from '../../load/scenario/rolesPlan.ts';
import { stepMetrics } from '../../load/scenario/stepMetrics.ts';
import { workingDirectory } from '../../targets/catalog.ts';
import { SoakWatch } from './soakWatch.ts';
import type { PlannedTrial } from '../plan.ts';
import type { ExperimentPoint } from '../../../model/domain/experiment.ts';
import { measureRounds } from './measureRounds.ts';
import { type MeasureTools, addBlock, keepFigures, keepSteps, memoryReadings, seriesOf, variantOf } from './experimentMeasures.ts';
import type { RunningVariant } from './runningVariant.ts';

/** Represents the route of the variant in a role’s path, so that one role serves variants with different routes. */
const armRoute = '/@route';
/** How often the disk is checked during a soak, at least; ms. */
const mostBetweenLooksMs = 10_000;

/** Users who walk their roles, their number following the stages; a soak once, else in mirrored rounds until the rules are decided. */
export async function measureRoles(tools: MeasureTools<'roles'>, variants: readonly RunningVariant[]): Promise<void> {
  const { plan, progress } = tools;
  if (!plan.soak) {
    return measureRounds(tools, variants, {
      step: (name, round) => ({ code: 'walking-roles', name, round }),
      measure: (planned, round) => measureVariant(tools, variantOf(variants, planned), planned, round),
    });
  }
  const seconds = plan.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  for (const variant of variants) {
    const [planned] = variant.planned.trials;
    if (planned === undefined) continue;
    await tools.beforeRound();
    progress.begin('measure', { code: 'walking-roles', name: planned.name, round: null }, seconds * 1000);
    await measureVariant(tools, variant, planned, 1);
  }
}

async function measureVariant(tools: MeasureTools<'roles'>, variant: RunningVariant, planned: PlannedTrial, round: number): Promise<void> {
  const { harness, plan, experiment } = tools;
  const seconds = plan.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const route = variant.planned.variant.route?.replace(/^[A-Z]+ /, '') ?? '/';
  const {
    mix: _mix,
    connections: _connections,
    windowMs: _windowMs,
    thinkTimeMs: _thinkTimeMs,
    ...block
  } = harness.blockPlan(planned, variant.running, round);
  const roles = rolesBlock({
    ...block,
    settleMs: settleMs(plan.stages),
    roles: plan.roles.map((role) => withRoute(role, route)),
    stages: plan.stages,
  });
  const before = harness.observations.length;
  const soakS = plan.stages.at(-1)?.seconds ?? 0;
  const watch = plan.soak
    ? new SoakWatch(workingDirectory(planned.process.declared), seconds - settleMs(plan.stages) / 1000 - soakS)
    : null;
  // An instance that ends in the middle is what a soak is for.
  for (const { child } of instancesOf(variant.running)) void child.exited.then(() => watch?.ended());
  watch?.start(Math.min(mostBetweenLooksMs, 50 * soakS));
  const measurement = await harness
    .measure(planned, variant.running, round, roles, (tick) => watch?.tick(tick))
    .finally(() => {
      watch?.stop();
    });
  const { steps: samples = [], users = [], firstErrors = [] } = measurement.result.scenario ?? {};
  const steps = stepMetrics(samples);
  const several = experiment.variants.length > 1;
  const told = steps.map((step) => (several ? { ...step, role: `${variant.planned.variant.label}: ${step.role}` } : step));
  keepSteps(tools, told);
  const [first] = steps;
  const windowS = measurement.result.windowMs / 1000;
  // A scenario of one step (a page with all that it embeds) is measured by its count, and by how long each took.
  const pages: ExperimentPoint['figures'] =
    plan.roles.length === 1 && plan.roles[0]?.steps.length === 1 && first !== undefined
      ? { throughput: first.requests / windowS, meanMs: first.meanMs, p99Ms: first.p99Ms }
      : {};
  const taken = measurement.interference == null ? null : measurement.interference.takenPercent / 100;
  keepFigures(tools, planned, pages, { round, taken });
  const readings = harness.observations.slice(before);
  if (round === 1)
    tools.series.push(
      seriesOf(variant, 'Users', 'active', users),
      seriesOf(variant, 'Memory', 'MB', memoryReadings(readings, readings[0]?.timeMs ?? 0)),
    );
  for (const message of firstErrors) tools.note({ code: 'step-failed', about: planned.name, message });
  if (watch !== null) {
    watch.observed(readings, soakS);
    tools.series.push(...watch.series(variant.planned.variant.name));
    tools.note(watch.note(planned.name));
  }
  addBlock(tools, planned, measurement);
}

function withRoute(role: Role, route: string): Role {
  const steps = (all: Role['steps']): Role['steps'] => all.map((step) => (step.path === armRoute ? { ...step, path: route } : step));
  return { ...role, once: steps(role.once), steps: steps(role.steps) };
}

/** The first ramp is not measured. */
function settleMs(stages: readonly Stage[]): number {
  const [first] = stages;
  return stages.length > 1 ? Math.max(500, (first?.seconds ?? 0) * 1000) : 500;
}
