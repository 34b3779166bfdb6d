import type { Environment, Recommendation, RunRecord, RunRequest, Trial } from '../../../model/run.ts';
import type { TuneRequest, TuningAnswer } from '../../../model/tuning.ts';
import { composeRecord } from '../composeRecord.ts';
import type { TunePlan } from './tunePlan.ts';
import type { TunedTarget } from './tunedTarget.ts';

/** What is known at the end of a tuning. */
export interface TuningFacts {
  runId: string;
  request: TuneRequest;
  runRequest: RunRequest;
  plan: TunePlan;
  targets: readonly TunedTarget[];
  answers: TuningAnswer[];
  trials: ReadonlyMap<TunedTarget, Trial[]>;
  order: readonly (readonly string[])[];
  stage: string;
  probeCost: string | null;
  blockS: number;
  settleS: number;
  environment: Environment;
  cancelled: boolean;
  startedAt: Date;
  durationMs: number;
  notes: readonly string[];
}

/** The record of a tuning: that of a run whose rounds were not known beforehand, and the answers. */
export function composeTuning(facts: TuningFacts): Omit<RunRecord, 'files'> {
  const { plan, targets, answers } = facts;
  const planned = targets.flatMap((tuned) => [...tuned.sightings.values()].map((sighting) => sighting.planned));
  const byKey = new Map(planned.map((trial) => [trial.key, trial]));
  const order = facts.order.map((round) => round.flatMap((key) => byKey.get(key) ?? []));
  const trials = targets.flatMap((tuned) => facts.trials.get(tuned) ?? []);
  const modes = new Set(targets.map(({ processes }) => processes.mode));
  const [first] = targets;
  const record = composeRecord({
    runId: facts.runId,
    request: facts.runRequest,
    plan: {
      ...plan.run,
      load: { ...plan.run.load, connections: plan.connections, durationS: facts.blockS, settleS: facts.settleS },
      trials: planned,
      order,
    },
    mode: { mode: 'process-per-setting', reason: '' },
    pool: {
      command: (processKey) => {
        const owner = targets.find((tuned) => [...tuned.sightings.values()].some(({ planned: one }) => one.process.key === processKey));
        const trial =
          owner === undefined ? undefined : [...owner.sightings.values()].find(({ planned: one }) => one.process.key === processKey);
        return trial === undefined ? undefined : owner?.processes.command(trial.planned);
      },
    },
    environment: facts.environment,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    cancelled: facts.cancelled,
    roundsDone: facts.order.length,
    roundsAsked: facts.order.length,
    notes: facts.notes,
    trials: trials.map((trial) => withOpenLoop(trial, answers)),
    recordings: [],
    labelOf: (_target, setting) => setting,
    tuning: {
      record: { request: facts.request, spentS: facts.durationMs / 1000, stage: facts.stage, probeCost: facts.probeCost, answers },
      recommendations: answers.flatMap((answer) => asRecommendation(answer) ?? []),
      mode: modes.size === 1 ? (first?.processes.mode ?? 'live') : 'process-per-setting',
      modeReason: [
        ...new Set(
          targets.map((tuned) => (targets.length > 1 ? `${tuned.label}: ${tuned.processes.modeReason}` : tuned.processes.modeReason)),
        ),
      ].join(' '),
    },
  });
  return record;
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
    headline: answer.headline,
    why: [answer.why, ...(answer.whyLine === null ? [] : [answer.whyLine])].join(' '),
    trialKey: answer.values === null ? null : (recommended?.trialKey ?? null),
    witnesses: answer.witnesses,
    moreSeconds: answer.moreSeconds,
  };
}
