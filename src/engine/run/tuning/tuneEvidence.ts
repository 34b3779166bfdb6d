import { keepsToday } from '../../../model/domain/answerFacts.ts';
import type { Trial } from '../../../model/domain/run.ts';
import type { TuningAnswer } from '../../../model/domain/tuning.ts';
import { judgeTogether } from '../../diagnose/siblings.ts';
import { allowedCores } from '../../observe/cpuAllowance.ts';
import { whereToSet } from '../../targets/whereToSet.ts';
import type { TrialMeasurement } from '../trialRecord.ts';
import { busySessions } from '../../strategies/answer/sessionUse.ts';
import { runningLoop } from '../../statistics/judgement.ts';
import { type AnswerInput, type CandidateFacts, composeAnswer } from '../../strategies/search/composeAnswer.ts';
import { movesThroughput } from '../unsteady.ts';
import type { TunedTarget } from './tunedTarget.ts';

export interface TargetEvidence {
  tuned: TunedTarget;
  /** Those that were tried, in any order. */
  trials: readonly Trial[];
  delta: number;
  /** False while blocks are still being measured. */
  finished: boolean;
  labelOf: (setting: string) => string;
}

export function answerOf(evidence: TargetEvidence): TuningAnswer {
  const { tuned } = evidence;
  const { target } = tuned.plan.declared;
  const answer = composeAnswer({
    about: {
      target: target.id,
      targetLabel: tuned.label,
      mode: tuned.processes.mode,
      modeReasons: [...tuned.processes.modeReasons],
      settingNames: tuned.varied,
      settingLabels: Object.fromEntries(tuned.varied.map((name) => [name, evidence.labelOf(name)])),
      confirmation: tuned.confirmation,
      where: [],
    },
    delta: evidence.delta,
    blockCostS: tuned.blockMs / 1000,
    finished: evidence.finished,
    candidates: tuned.search.measured,
    resource: tuned.resource,
    today: tuned.today,
    busySessions: busySessions(evidence.trials, tuned.varied.length === 1 ? tuned.varied[0] : undefined),
    facts: new Map(
      judgeTogether(evidence.trials, allowedCores()).map((trial) => [trial.key, factsOf(trial, tuned.measurement(trial.key), tuned)]),
    ),
    openLoop: tuned.openLoop?.comparison() ?? null,
    p99BudgetS: tuned.p99BudgetS,
    evidence: machineEvidence(evidence),
    cores: allowedCores(),
  });
  const values = keepsToday(answer) ? [] : Object.entries(answer.values ?? {});
  return { ...answer, where: values.map(([setting, value]) => whereToSet(tuned.plan.declared, setting, value)) };
}

function factsOf(trial: Trial, measurement: TrialMeasurement, tuned: TunedTarget): CandidateFacts {
  const { process } = measurement.planned;
  return {
    trial,
    instances: process.instances,
    acquireTimeouts: measurement.blocks.reduce((sum, { probe }) => sum + (probe?.pool?.timeouts ?? 0), 0),
    ignored: tuned.processes.ignored.get(trial.key) ?? null,
  };
}

function machineEvidence({ trials, tuned }: TargetEvidence): AnswerInput['evidence'] {
  const largest = (value: (trial: Trial) => number | null): number | null => {
    const all = trials.filter(({ valid }) => valid).flatMap((trial) => value(trial) ?? []);
    return all.length === 0 ? null : Math.max(...all);
  };
  return {
    generator: {
      cpuPercent: largest(({ resources }) => resources.generator.cpuPercent),
      eventLoopUtilisation: largest(({ resources }) => runningLoop(resources.generator)),
    },
    steady: !movesThroughput(tuned.processes.unsteady),
    openLoop: tuned.openLoop?.counts() ?? null,
  };
}
