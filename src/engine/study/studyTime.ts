import type { Arm, StudyFile, StudyPlan } from '../../model/study.ts';

/** Start and warm-up of an instance until it is steady, s; a JVM compiles for longer. */
const prepareS = { java: 9, other: 3.5 };

/** About how long a form of a study takes, in seconds, with what is started and warmed before. */
export function studySeconds(study: StudyFile, plan: StudyPlan): number {
  const prepared = study.arms.reduce((sum, arm) => sum + (arm.target === 'java' ? prepareS.java : prepareS.other), 0);
  return Math.round(3 + prepared + measuredSeconds(plan, study.arms));
}

/** What is measured, without what is prepared. */
export function measuredSeconds(plan: StudyPlan, arms: readonly Arm[]): number {
  switch (plan.kind) {
    case 'ladder':
      return arms.length * plan.levels.length * plan.rounds * (plan.blockS + plan.settleS + 0.4);
    case 'memory':
      return arms.length * plan.maxS;
    case 'outage':
      return arms.length * (plan.durationS + 2);
    case 'together':
      return arms.length * plan.rounds * 2 * (plan.blockS + plan.settleS + 1.5);
    case 'roles':
      return arms.length * (plan.stages.reduce((sum, stage) => sum + stage.seconds, 0) + 2);
    case 'breaking-point':
      // Bisection on a logarithmic scale to about 10 %, the answer twice and its neighbour once.
      return (
        arms.length * (Math.ceil(Math.log2(Math.log(plan.highest / plan.lowest) / Math.log(1.1))) + 4) * (plan.blockS + plan.settleS + 0.4)
      );
  }
}
