import type { ProbeCost } from '../../../model/domain/freshFinding.ts';
import type { RecordingRecord } from '../../../model/domain/recording.ts';
import type { Recommendation, RunRecord, RunRequest, Trial } from '../../../model/domain/run.ts';
import type { TuneRequest, TuningAnswer } from '../../../model/domain/tuning.ts';
import { composeRecord } from '../composeRecord.ts';
import type { PlannedTrial, RunPlan } from '../plan.ts';
import type { RunEnd } from '../runLife.ts';
import type { RunTargets } from '../runTargets.ts';

/** What is known at the end of a tuning. */
export interface TuningFacts {
  end: Omit<RunEnd, 'recorded'>;
  request: TuneRequest;
  runRequest: RunRequest;
  /** With the load of the measurement. */
  plan: RunPlan;
  /** All trials, those that the search added too. */
  planned: PlannedTrial[];
  processes: Pick<RunTargets, 'all' | 'command' | 'mode'>;
  answers: TuningAnswer[];
  trials: readonly Trial[];
  order: readonly (readonly string[])[];
  stage: string;
  probeCost: ProbeCost | null;
  recordings: RecordingRecord[];
}

/** The record of a tuning: that of a run whose rounds were not known beforehand, and the answers. */
export function composeTuning(facts: TuningFacts): Omit<RunRecord, 'files'> {
  const { end, planned, answers, processes } = facts;
  const byKey = new Map(planned.map((trial) => [trial.key, trial]));
  const order = facts.order.map((round) => round.flatMap((key) => byKey.get(key) ?? []));
  return composeRecord({
    ...end,
    request: facts.runRequest,
    plan: { ...facts.plan, trials: planned, order },
    mode: processes.mode(),
    pool: processes,
    roundsDone: order.length,
    roundsAsked: order.length,
    trials: facts.trials.map((trial) => withOpenLoop(trial, answers)),
    recordings: facts.recordings,
    found: {
      result: {
        kind: 'tune',
        request: facts.request,
        spentS: end.durationMs / 1000,
        stage: facts.stage,
        probeCost: facts.probeCost,
        answers,
      },
      recommendations: answers.flatMap((answer) => asRecommendation(answer) ?? []),
    },
  });
}

function withOpenLoop(trial: Trial, answers: readonly TuningAnswer[]): Trial {
  const figure = answers.flatMap(({ settings }) => settings).find(({ trialKey }) => trialKey === trial.key)?.openLoop ?? null;
  return figure === null ? trial : { ...trial, openLoop: figure };
}

/** The answer in the form that every run has, where one setting varies. */
function asRecommendation(answer: TuningAnswer): Recommendation | null {
  const [setting] = answer.settingNames;
  if (setting === undefined || answer.settingNames.length !== 1) return null;
  const recommended = answer.settings.find(({ values }) => answer.values !== null && values[setting] === answer.values[setting]);
  const best = answer.best?.values[setting];
  return {
    target: answer.target,
    targetLabel: answer.targetLabel,
    setting,
    settingLabel: answer.settingLabels[setting] ?? setting,
    status: answer.status,
    value: answer.values?.[setting] ?? null,
    plausible: answer.plausible,
    best: best === undefined ? null : { value: best, throughput: answer.best?.throughput ?? 0 },
    facts: answer.facts,
    why: answer.why,
    trialKey: answer.values === null ? null : (recommended?.trialKey ?? null),
    evidence: answer.evidence,
    moreSeconds: answer.moreSeconds,
  };
}
