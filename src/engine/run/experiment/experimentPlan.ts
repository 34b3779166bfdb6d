import { failure } from '../../../model/domain/failure.ts';
import type { LoadProfile } from '../../../model/domain/loadProfile.ts';
import type { SettingValues } from '../../../model/domain/setting.ts';
import { armSetting } from '../../../model/domain/experiment.ts';
import type { Arm, ExperimentFile, ExperimentPlan, ExperimentRequest } from '../../../model/domain/experiment.ts';
import { shuffledRounds } from '../plan.ts';
import type { PlannedProcess, PlannedTrial, RunPlan } from '../plan.ts';
import { resolveRequestMix } from '../../load/requestMix.ts';
import type { MixChoice } from '../../load/requestMix.ts';
import { findTarget } from '../../targets/catalog.ts';
import type { Declarations, DeclaredTarget } from '../../targets/catalog.ts';
import { throughBouncer } from '../../targets/throughBouncer.ts';
import { completeSettings } from '../../targets/launchTarget.ts';
import { measuredSeconds } from '../../strategies/experiment/experimentTime.ts';

/** An arm with its process and its trials by level. */
export interface PlannedArm {
  arm: Arm;
  process: PlannedProcess;
  trials: PlannedTrial[];
}

export interface PlannedExperiment {
  run: RunPlan;
  arms: PlannedArm[];
}

const seed = 1;

/** How a form of an experiment is measured; with `soakS`, its soak (the last of its stages) lasts that long instead. Fails with `no-soak` where there is none. */
export function planOf(experiment: ExperimentFile, { form, soakS }: ExperimentRequest): ExperimentPlan {
  const plan = experiment[form];
  if (soakS === undefined) return plan;
  if (plan.kind !== 'roles' || !plan.soak)
    throw failure(
      'no-soak',
      `${experiment.id} · ${experiment.title} has no soak whose length could be chosen.`,
      'Leave the length out, or run D1.',
    );
  return { ...plan, stages: plan.stages.map((stage, index) => (index === plan.stages.length - 1 ? { ...stage, seconds: soakS } : stage)) };
}

/** What an experiment is going to do with these of its arms. Fails as a run does, with a target or a setting that is unknown. */
export function planExperiment(
  experiment: ExperimentFile,
  plan: ExperimentPlan,
  chosen: readonly Arm[],
  declarations: Declarations,
): PlannedExperiment {
  const levels = levelsOf(plan);
  const load = loadOf(experiment, plan, levels);
  const arms = chosen.map((arm): PlannedArm => {
    const process = processOf(arm, chosen, declarations);
    const trials = levels.map((connections): PlannedTrial => ({
      key: `${arm.name}|c=${connections}`,
      name: levels.length > 1 ? `${arm.label}, ${connections} connections` : arm.label,
      process,
      connections,
    }));
    return { arm, process, trials };
  });
  const trials = arms.flatMap((one) => one.trials);
  const mixes = new Map(arms.map(({ arm, process }) => [arm.name, resolveRequestMix(mixChoice(arm, process.declared))]));
  const rounds = 'rounds' in plan ? plan.rounds : 1;
  return {
    arms,
    run: {
      title: `${experiment.id} · ${experiment.title}`,
      load,
      processes: arms.map(({ process }) => process),
      trials,
      order: shuffledRounds(trials, rounds, seed),
      mixes,
      estimateMs: 1000 * measuredSeconds(plan, chosen),
    },
  };
}

/** The numbers of connections at which the arms are measured. */
function levelsOf(plan: ExperimentPlan): number[] {
  switch (plan.kind) {
    case 'ladder':
      return plan.levels;
    case 'memory':
    case 'outage':
      return [plan.connections];
    case 'together':
      return [plan.loads.find(({ main }) => main)?.connections ?? plan.loads[0]?.connections ?? 1];
    case 'roles':
      return [Math.max(1, ...plan.stages.map(({ users }) => users))];
    case 'breaking-point':
      return [plan.lowest];
  }
}

function mixChoice(arm: Arm, declared: DeclaredTarget): MixChoice {
  return { targetId: arm.target, routes: declared.target.routes, profileMix: arm.mix, route: arm.route };
}

function processOf(arm: Arm, all: readonly Arm[], declarations: Declarations): PlannedProcess {
  const declared = throughBouncer(findTarget(declarations, arm.target), arm.topology.bouncer);
  const specs = declared.target.settings;
  const { instances, totalConnections } = arm.topology;
  if (totalConnections !== undefined && specs['pool'] === undefined)
    throw failure(
      'setting-unknown',
      `${arm.label} has no setting “pool” that its database connections could be shared out by.`,
      'Leave the total of connections out.',
    );
  const shared: SettingValues = totalConnections === undefined ? {} : { pool: Math.max(1, Math.floor(totalConnections / instances)) };
  const asked: SettingValues = { ...arm.settings, ...shared };
  const twins = all.some(
    (other) => other !== arm && other.target === arm.target && JSON.stringify(other.settings) === JSON.stringify(arm.settings),
  );
  return {
    key: arm.name,
    name: arm.label,
    declared,
    settings: completeSettings(arm.label, specs, asked),
    // Arms that differ in what is around the app, not in its settings, must not look the same.
    asked: twins || Object.keys(asked).length === 0 ? { ...asked, [armSetting]: arm.label } : asked,
    instances,
    routes: resolveRequestMix(mixChoice(arm, declared)).phrases,
    cpuShare: arm.topology.cpuShare,
  };
}

/** The same in the words of a load profile, which the record of every run carries. */
function loadOf(experiment: ExperimentFile, plan: ExperimentPlan, levels: readonly number[]): LoadProfile {
  const timed = 'blockS' in plan ? { durationS: plan.blockS, settleS: plan.settleS } : { durationS: 4, settleS: 1 };
  const only = levels.length === 1 ? levels[0] : undefined;
  return {
    name: experiment.id.toLowerCase(),
    description: experiment.title,
    connections: only ?? [...levels],
    ...timed,
    rounds: 'rounds' in plan ? plan.rounds : 1,
    // The rest of the warm-up is a drift, which mirrored rounds share out evenly.
    warmUp: { minS: 2, maxS: 6, jvmMinS: 5, jvmMaxS: 12 },
    timeoutMs: 10_000,
    seed,
  };
}
