import { loadavg } from 'node:os';
import type { RawRecord } from '../../model/rawSample.ts';
import type { RecordingRecord } from '../../model/recording.ts';
import { runSchemaVersion } from '../../model/run.ts';
import type { Environment, Recommendation, RunRecord, RunRequest, Trial } from '../../model/run.ts';
import type { StudyRecord } from '../../model/study.ts';
import type { TuningMode, TuningRecord } from '../../model/tuning.ts';
import { judgeTogether } from '../diagnose/siblings.ts';
import type { RunPlan } from './plan.ts';
import type { ProcessPool } from './processPool.ts';
import { recommend } from './recommend.ts';
import type { SettingWords } from './recommend.ts';
import { blockOverheadS } from './plan.ts';
import { resourceOf } from './witnesses.ts';
import { judgeSlo } from './slo.ts';
import { withIntervals } from './trialRecord.ts';

/** What is known at the end of a run. */
export interface RunFacts {
  runId: string;
  request: RunRequest;
  plan: RunPlan;
  mode: { mode: TuningMode; reason: string };
  /** How the process of a trial was started, by the key of its process. */
  pool: Pick<ProcessPool, 'command'>;
  environment: Environment;
  startedAt: Date;
  durationMs: number;
  cancelled: boolean;
  roundsDone: number;
  /** Rounds that a trial must have to be whole: all of them, or those that were done before it was cancelled. */
  roundsAsked: number;
  notes: readonly string[];
  trials: readonly Trial[];
  recordings: RecordingRecord[];
  raw?: RawRecord | undefined;
  labelOf: (target: string, setting: string) => string;
  /** Of a tuning: its answers stand for the recommendations, and its rounds are not known beforehand. */
  /** Of the repeat of a published experiment; it recommends nothing. */
  study?: StudyRecord;
  tuning?: { record: TuningRecord; recommendations: Recommendation[]; mode: TuningMode; modeReason: string };
}

/** The record of a run, without the list of its files. */
export function composeRecord(facts: RunFacts): Omit<RunRecord, 'files'> {
  const { plan, pool, cancelled, mode, tuning } = facts;
  const { trials: compared, noiseFloorPercent } = withIntervals([...facts.trials]);
  const measured = judgeTogether(compared);
  const slo = tuning?.record.request.slo ?? facts.request.slo ?? plan.load.slo;
  const trials = slo === undefined ? measured : measured.map((trial) => ({ ...trial, slo: judgeSlo(slo, trial) }));
  const invalid = trials.filter((trial) => !trial.valid);
  return {
    schemaVersion: runSchemaVersion,
    id: facts.runId,
    title: plan.title,
    state: cancelled ? 'cancelled' : 'complete',
    failure: null,
    startedAt: facts.startedAt.toISOString(),
    durationMs: facts.durationMs,
    valid: invalid.length === 0,
    reasons: invalid.flatMap((trial) => trial.reasons.map((reason) => `${trialLabel(trial.key, plan)}: ${reason}`)),
    notes: [...(cancelled ? [`Cancelled after ${facts.roundsDone} ${facts.roundsDone === 1 ? 'round' : 'rounds'}.`] : []), ...facts.notes],
    request: facts.request,
    load: plan.load,
    routes: Object.fromEntries([...plan.mixes].map(([target, { phrases }]) => [target, phrases])),
    environment: { ...facts.environment, loadAverageAfter: loadavg() },
    plan: {
      mode: tuning?.mode ?? mode.mode,
      modeReason: tuning?.modeReason ?? mode.reason,
      order: plan.order.slice(0, facts.roundsAsked).map((round) => round.map((planned) => planned.key)),
      commands: Object.fromEntries(
        plan.trials.flatMap((planned) => {
          const command = pool.command(planned.process.key);
          return command === undefined ? [] : [[planned.key, { ...command, settings: planned.process.settings }]];
        }),
      ),
    },
    trials,
    recommendations: tuning?.recommendations ?? (facts.study === undefined ? recommend(trials, settingWords(facts)) : []),
    recordings: facts.recordings,
    tuning: tuning?.record ?? null,
    study: facts.study ?? null,
    ...(facts.raw === undefined ? {} : { raw: facts.raw }),
    noiseFloorPercent,
  };
}

function settingWords({ plan, labelOf }: RunFacts): SettingWords {
  const specs = new Map(plan.processes.map(({ declared }) => [declared.target.id, declared.target.settings]));
  return {
    labelOf,
    resourceOf: (target, setting) => resourceOf(setting, specs.get(target)?.[setting]),
    blockS: plan.load.settleS + plan.load.durationS + blockOverheadS,
  };
}

function trialLabel(key: string, plan: RunPlan): string {
  return plan.trials.find((planned) => planned.key === key)?.name ?? key;
}
