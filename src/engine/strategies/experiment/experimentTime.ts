import type { ExperimentVariant, ExperimentFile, ExperimentPlan } from '../../../model/domain/experiment.ts';

/** Start and warm-up of an instance until it is steady, s; a JVM compiles for longer. */
const prepareS = { java: 9, other: 4.5 };
/** The time between two blocks: meters are read, and the load switches to the next process. */
const betweenS = 0.4;
/**
 * A short form measures no longer than this on a machine without other load, additional rounds included, unless its plan does, or a little more is predicted to
 * decide; s. Starting and warming are not in it: together with other programs they take up to four times as long, just where more has to be measured.
 */
const shortMeasuringS = 145;
/** Additional rounds of a full form, as a share of what it measures anyway. */
const fullSpare = 0.5;

/** About how long a form of an experiment takes, in seconds, with what is started and warmed before. */
export function experimentSeconds(experiment: ExperimentFile, plan: ExperimentPlan): number {
  const prepared = experiment.variants.reduce((sum, variant) => sum + (variant.target === 'java' ? prepareS.java : prepareS.other), 0);
  return Math.round(3 + prepared + measuredSeconds(plan, experiment.variants));
}

/** What is measured, without what is prepared. */
export function measuredSeconds(plan: ExperimentPlan, variants: readonly ExperimentVariant[]): number {
  const times =
    plan.kind === 'breaking-point'
      ? // Bisection on a logarithmic scale to about 10 %, the answer twice and its neighbour once.
        Math.ceil(Math.log2(Math.log(plan.highest / plan.lowest) / Math.log(1.1))) + 4
      : ('levels' in plan ? plan.levels.length : 1) * ('rounds' in plan ? plan.rounds : 1);
  return variants.length * times * trialSeconds(plan);
}

/** What one more measurement of one trial takes, s. */
export function trialSeconds(plan: ExperimentPlan): number {
  switch (plan.kind) {
    case 'ladder':
    case 'breaking-point':
      return plan.blockS + plan.settleS + betweenS;
    case 'memory':
      return plan.maxS;
    case 'outage':
      return plan.durationS + 2;
    case 'together':
      return 2 * (plan.blockS + plan.settleS + betweenS);
    case 'roles':
      return plan.stages.reduce((sum, stage) => sum + stage.seconds, 0) + 1;
  }
}

/** Until when additional rounds may be measured where a rule is open, in ms since the run began; `measuringMs` is when its measuring did. */
export function deadlineMs(form: 'short' | 'full', measuringMs: number, plannedMs: number): number {
  return measuringMs + (form === 'short' ? Math.max(1000 * shortMeasuringS, plannedMs) : (1 + fullSpare) * plannedMs);
}

/** Whatever others take, the time for measuring becomes no longer than so many times what it is on a machine left alone. */
const mostStretch = 2;

/**
 * The time for measuring where others took this share of the CPU (0 … 1) meanwhile: as much of the machine as on one that is left alone, within twice the time.
 */
export function stretchedMs(budgetMs: number, taken: number): number {
  return budgetMs * Math.min(mostStretch, 1 / (1 - Math.min(0.95, Math.max(0, taken))));
}
