import type { Role, Stage } from '../../model/scenario.ts';
import type { Observation } from '../../model/observation.ts';
import { rolesBlock, rolesResult } from '../load/scenario/rolesPlan.ts';
import { growthShare } from './growth.ts';
import type { Reading } from './growth.ts';
import { addBlock } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** Stands for the route of the arm in a role’s path, so that one role serves arms that differ in what is asked for. */
const armRoute = '/@route';
/** Growth over the measured time above this is reported as growth, and below it as none. */
const growing = 0.1;

/** Users who walk their roles, their number following the stages. */
export async function measureRoles(tools: MeasureTools<'roles'>, arms: readonly StudyArm[]): Promise<void> {
  for (const arm of arms) await measureArm(tools, arm);
}

async function measureArm(tools: MeasureTools<'roles'>, arm: StudyArm): Promise<void> {
  const { bench, progress, plan, study } = tools;
  const [planned] = arm.planned.trials;
  if (planned === undefined) return;
  await tools.beforeRound();
  const seconds = plan.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  progress.begin('measure', `${planned.name}: users walk their roles`, seconds * 1000);
  const route = arm.planned.arm.route?.replace(/^[A-Z]+ /, '') ?? '/';
  const block = bench.blockPlan(planned, arm.running, 1);
  const roles = rolesBlock({
    ...{ host: block.host, port: block.port, timeoutMs: block.timeoutMs, seed: block.seed, settleMs: settleMs(plan.stages) },
    ...(block.tickMs === undefined ? {} : { tickMs: block.tickMs }),
    ...(block.morePorts === undefined ? {} : { morePorts: block.morePorts }),
    ...(block.tls === undefined ? {} : { tls: block.tls }),
    ...(block.keepAlive === undefined ? {} : { keepAlive: block.keepAlive }),
    roles: plan.roles.map((role) => withRoute(role, route)),
    stages: plan.stages,
  });
  const before = bench.observations.length;
  const sighting = await bench.measure(planned, arm.running, 1, roles);
  const { steps, users, firstErrors } = rolesResult(sighting.result);
  const several = study.arms.length > 1;
  tools.steps.push(...steps.map((step) => (several ? { ...step, role: `${arm.planned.arm.label}: ${step.role}` } : step)));
  const [first] = steps;
  const windowS = sighting.result.windowMs / 1000;
  const attempts = sighting.result.requests + sighting.result.errors.total;
  // With one step (a page with all that it embeds), what counts is how many of those were done, and how long each took.
  const pages =
    plan.roles.length === 1 && plan.roles[0]?.steps.length === 1 && first !== undefined
      ? { throughput: first.requests / windowS, meanMs: first.meanMs, p99Ms: first.p99Ms }
      : {};
  tools.extra.set(planned.key, { errorShare: sighting.result.errors.total / Math.max(1, attempts), ...pages });
  const readings = bench.observations.slice(before);
  tools.series.push({ label: 'Users', unit: 'active', arm: arm.planned.arm.name, points: users, marks: [] }, memorySeries(arm, readings));
  for (const error of firstErrors) tools.note(`${planned.name}: ${error}`);
  if (plan.soak) for (const sentence of soakSentences(planned.name, readings, windowS)) tools.note(sentence);
  addBlock(tools, planned, sighting);
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

function memorySeries(arm: StudyArm, observations: readonly Observation[]): MeasureTools['series'][number] {
  const start = observations[0]?.timeMs ?? 0;
  const points = observations.flatMap(({ timeMs, app }): [number, number][] =>
    app?.rssBytes == null ? [] : [[(timeMs - start) / 1000, app.rssBytes / 1_048_576]],
  );
  return { label: 'Memory', unit: 'MB', arm: arm.planned.arm.name, points, marks: [] };
}

/** What grew over the second half of the time, when the number of users was level. */
function soakSentences(name: string, observations: readonly Observation[], windowS: number): string[] {
  const half = observations.slice(Math.floor(observations.length / 2));
  const start = half[0]?.timeMs ?? 0;
  const series = (of: (observation: Observation) => number | null | undefined): Reading[] =>
    half.flatMap((observation): Reading[] => {
      const value = of(observation);
      return value == null ? [] : [[(observation.timeMs - start) / 1000, value]];
    });
  const watched: [string, Reading[]][] = [
    ['memory', series(({ app }) => app?.rssBytes)],
    ['open descriptors', series(({ app }) => app?.descriptors)],
    ['threads', series(({ app }) => app?.threads)],
  ];
  const growths = watched
    .filter(([, readings]) => readings.length >= 6)
    .map(([what, readings]) => ({ what, share: growthShare(readings) }));
  const grew = growths.filter(({ share }) => share > growing);
  const up = `${name} was up for all of the ${Math.round(windowS)} s.`;
  if (growths.length === 0) return [`${up} There are too few samples to tell whether anything grew.`];
  if (grew.length === 0)
    return [`${up} Neither ${growths.map(({ what }) => what).join(' nor ')} grew by more than ${100 * growing} % in its second half.`];
  return [
    `${up} In its second half there grew: ${grew.map(({ what, share }) => `${what} by ${Math.round(100 * share)} %`).join(', ')}. Look at it over a longer soak.`,
  ];
}
