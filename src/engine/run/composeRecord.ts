import { loadavg } from 'node:os';
import { defaultDelta } from '../../model/domain/margin.ts';
import type { RawRecord } from '../../model/domain/rawSample.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';
import {
  type Environment,
  type Recommendation,
  type RunRecord,
  type RunRequest,
  type Trial,
  runSchemaVersion,
} from '../../model/domain/run.ts';
import type { FreshFinding } from '../../model/domain/freshFinding.ts';
import type { ModeReason } from '../../model/domain/modeReason.ts';
import type { ComparedAnswers } from '../../model/domain/routeCheck.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { RunResult } from '../../model/domain/runResult.ts';
import type { TuningMode } from '../../model/domain/tuning.ts';
import { judgeTogether } from '../diagnose/siblings.ts';
import { allowedCores } from '../observe/cpuAllowance.ts';
import { atRate, recommendAtRate } from '../strategies/rounds/fixedRate.ts';
import type { StartedCommand } from './processPool.ts';
import { type SettingWords, recommend } from '../strategies/answer/recommend.ts';
import { type PlannedTrial, type RunPlan, blockOverheadS, titleWithAdded } from './plan.ts';
import { judgeSlo } from '../../model/domain/judgeSlo.ts';
import { namingLog } from './trialFailure.ts';
import { withIntervals } from './trialRecord.ts';

/** What is known at the end of a run. */
export interface RunFacts {
  runId: string;
  request: RunRequest;
  plan: RunPlan;
  mode: { mode: TuningMode; reasons: readonly ModeReason[] };
  /** How the process of a trial was started. */
  commandOf: (planned: PlannedTrial) => StartedCommand | undefined;
  /** Where its answers are others than those that they are compared with; absent where they are not compared. */
  comparedOf?: (planned: PlannedTrial) => ComparedAnswers | undefined;
  environment: Environment;
  startedAt: Date;
  durationMs: number;
  cancelled: boolean;
  /** Absent where they are those of the plan. */
  roundsDone?: number;
  notes: readonly RunNote[];
  trials: readonly Trial[];
  recordings: RecordingRecord[];
  raw?: RawRecord | undefined;
  /** What fresh processes said of the answer, by target. */
  confirmations?: ReadonlyMap<string, FreshFinding>;
  labelOf: (target: string, setting: string) => string;
  /** Its trials have a p99 at one fixed rate, and an objective is judged by it. */
  p99AtRate?: boolean;
  /** What it found in addition to its trials, and what it recommends; absent of a run, whose recommendations follow from its trials. */
  found?: { result: RunResult; recommendations: Recommendation[] };
}

/** The record of a run, without the list of its files. */
export function composeRecord(facts: RunFacts): Omit<RunRecord, 'files'> {
  const { plan, cancelled, mode, found } = facts;
  const { trials: compared, noiseFloorPercent } = withIntervals([...facts.trials]);
  const measured = judgeTogether(compared, allowedCores());
  const slo = facts.request.slo ?? plan.load.slo;
  const commandOf = new Map(plan.trials.map((planned) => [planned.key, facts.commandOf(planned)]));
  const { ratePerS } = plan.load;
  const rated = ratePerS === undefined ? measured : atRate(measured, ratePerS);
  const told = rated.map((trial) => namingLog(trial, commandOf.get(trial.key)?.log));
  const trials = slo === undefined ? told : told.map((trial) => ({ ...trial, slo: judgeSlo(slo, trial, facts) }));
  const invalid = trials.filter((trial) => !trial.valid);
  return {
    schemaVersion: runSchemaVersion,
    id: facts.runId,
    title: found === undefined ? titleWithAdded(plan) : plan.title,
    state: cancelled ? 'cancelled' : 'complete',
    failure: null,
    startedAt: facts.startedAt.toISOString(),
    durationMs: facts.durationMs,
    valid: invalid.length === 0,
    reasons: invalid.flatMap(({ key, reasons }) => {
      const about = plan.trials.find((planned) => planned.key === key)?.name ?? key;
      return reasons.map((reason) => ({ ...reason, about }));
    }),
    notes: [
      ...(cancelled
        ? [{ code: 'cancelled', rounds: facts.roundsDone ?? plan.order.length, of: facts.request.rounds ?? null } as const]
        : []),
      ...facts.notes,
      ...coresNotes(plan, commandOf),
    ],
    request: facts.request,
    load: plan.load,
    routes: Object.fromEntries([...plan.mixes].map(([target, { phrases }]) => [target, phrases])),
    environment: { ...facts.environment, loadAverageAfter: loadavg() },
    plan: {
      mode: mode.mode,
      modeReasons: [...mode.reasons],
      order: plan.order.map((round) => round.map((planned) => planned.key)),
      commands: Object.fromEntries(
        plan.trials.flatMap((planned) => {
          const command = commandOf.get(planned.key);
          const compared = facts.comparedOf?.(planned);
          const { settings } = planned.process;
          return command === undefined ? [] : [[planned.key, { ...command, settings, ...(compared === undefined ? {} : { compared }) }]];
        }),
      ),
    },
    trials,
    recommendations: found?.recommendations ?? recommended(trials, facts),
    delta: facts.request.delta ?? defaultDelta,
    recordings: facts.recordings,
    result: found?.result ?? { kind: 'run' },
    ...(facts.raw === undefined ? {} : { raw: facts.raw }),
    noiseFloorPercent,
  };
}

function recommended(trials: readonly Trial[], facts: RunFacts): Recommendation[] {
  const { ratePerS } = facts.plan.load;
  const told =
    ratePerS === undefined
      ? recommend(trials, settingWords(facts), facts.request.delta ?? defaultDelta)
      : recommendAtRate(trials, ratePerS, facts.labelOf);
  return told.map((one) => {
    const confirmed = facts.confirmations?.get(one.target);
    return confirmed === undefined ? one : { ...one, confirmation: confirmed };
  });
}

function settingWords({ plan, labelOf }: RunFacts): SettingWords {
  const specs = new Map(plan.processes.map(({ declared }) => [declared.target.id, declared.target.settings]));
  return {
    labelOf,
    specOf: (target, setting) => specs.get(target)?.[setting],
    cores: allowedCores(),
    blockS: plan.load.settleS + plan.load.durationS + blockOverheadS,
  };
}

/** Which targets had a limit of their own, and how it was kept. */
function coresNotes({ trials }: RunPlan, commandOf: ReadonlyMap<string, StartedCommand | undefined>): RunNote[] {
  const limited = new Map<string, RunNote>();
  for (const { key, process } of trials) {
    const cpu = commandOf.get(key)?.cpu;
    const { target } = process.declared;
    const about = target.label ?? target.id;
    if (cpu !== undefined)
      limited.set(`${about} ${cpu.cores} ${cpu.means}`, { code: 'cores-limited', about, cores: cpu.cores, means: cpu.means });
  }
  return [...limited.values()];
}
