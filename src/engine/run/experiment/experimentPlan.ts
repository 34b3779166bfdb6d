import { failure } from '../../../model/domain/failure.ts';
import type { LoadProfile } from '../../../model/domain/loadProfile.ts';
import type { SettingValues } from '../../../model/domain/setting.ts';
import {
  type ExperimentVariant,
  type ExperimentFile,
  type ExperimentPlan,
  type ExperimentRequest,
  variantSetting,
} from '../../../model/domain/experiment.ts';
import { type PlannedProcess, type PlannedTrial, type RunPlan, shuffledRounds } from '../plan.ts';
import { type MixChoice, resolveRequestMix } from '../../load/requestMix.ts';
import { type Declarations, type DeclaredTarget, findTarget } from '../../targets/catalog.ts';
import { throughBouncer } from '../../targets/throughBouncer.ts';
import { completeSettings } from '../../targets/launchTarget.ts';
import { measuredSeconds } from '../../strategies/experiment/experimentTime.ts';

/** A variant with its process and its trials by level. */
export interface PlannedVariant {
  variant: ExperimentVariant;
  process: PlannedProcess;
  trials: PlannedTrial[];
}

export interface PlannedExperiment {
  run: RunPlan;
  variants: PlannedVariant[];
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

/** What an experiment is going to do with these of its variants. Fails as a run does, with a target or a setting that is unknown. */
export function planExperiment(
  experiment: ExperimentFile,
  plan: ExperimentPlan,
  chosen: readonly ExperimentVariant[],
  declarations: Declarations,
): PlannedExperiment {
  const levels = levelsOf(plan);
  const load = loadOf(experiment, plan, levels);
  const variants = chosen.map((variant): PlannedVariant => {
    const process = processOf(variant, chosen, declarations);
    const trials = levels.map((connections): PlannedTrial => ({
      key: `${variant.name}|c=${connections}`,
      name: levels.length > 1 ? `${variant.label}, ${connections} connections` : variant.label,
      process,
      connections,
    }));
    return { variant, process, trials };
  });
  const trials = variants.flatMap((one) => one.trials);
  const mixes = new Map(variants.map(({ variant, process }) => [variant.name, resolveRequestMix(mixChoice(variant, process.declared))]));
  const rounds = 'rounds' in plan ? plan.rounds : 1;
  return {
    variants,
    run: {
      title: `${experiment.id} · ${experiment.title}`,
      load,
      processes: variants.map(({ process }) => process),
      trials,
      order: shuffledRounds(trials, rounds, seed),
      mixes,
      estimateMs: 1000 * measuredSeconds(plan, chosen),
    },
  };
}

/** The numbers of connections at which the variants are measured. */
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

function mixChoice(variant: ExperimentVariant, declared: DeclaredTarget): MixChoice {
  return { targetId: variant.target, routes: declared.target.routes, profileMix: variant.mix, route: variant.route };
}

function processOf(variant: ExperimentVariant, all: readonly ExperimentVariant[], declarations: Declarations): PlannedProcess {
  const declared = throughBouncer(findTarget(declarations, variant.target), variant.topology.bouncer);
  const specs = declared.target.settings;
  const { instances, totalConnections } = variant.topology;
  if (totalConnections !== undefined && specs['pool'] === undefined)
    throw failure(
      'setting-unknown',
      `${variant.label} has no setting “pool” that its database connections could be shared out by.`,
      'Leave the total of connections out.',
    );
  const { mix, phrases } = resolveRequestMix(mixChoice(variant, declared));
  const shared: SettingValues = totalConnections === undefined ? {} : { pool: Math.max(1, Math.floor(totalConnections / instances)) };
  const asked: SettingValues = { ...variant.settings, ...shared };
  const twins = all.some(
    (other) => other !== variant && other.target === variant.target && JSON.stringify(other.settings) === JSON.stringify(variant.settings),
  );
  return {
    key: variant.name,
    name: variant.label,
    declared,
    settings: completeSettings(variant.label, specs, asked),
    // Variants that differ in what is around the app, not in its settings, must not look the same.
    asked: twins || Object.keys(asked).length === 0 ? { ...asked, [variantSetting]: variant.label } : asked,
    instances,
    mix,
    routes: phrases,
    cpuShare: variant.topology.cpuShare,
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
