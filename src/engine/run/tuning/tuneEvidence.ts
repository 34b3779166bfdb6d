import { failedRequestsPhrase } from '../../../model/requestErrors.ts';
import type { Trial } from '../../../model/run.ts';
import type { TuningAnswer } from '../../../model/tuning.ts';
import { reservedSessions } from '../../limits/reservedSessions.ts';
import { allowedCores } from '../../observe/cpuAllowance.ts';
import { whereToSet } from '../../targets/whereToSet.ts';
import type { TrialSighting } from '../trialRecord.ts';
import { busySessions } from '../../strategies/answer/sessionUse.ts';
import { composeAnswer } from '../../strategies/search/composeAnswer.ts';
import type { AnswerInput, CandidateFacts } from '../../strategies/search/composeAnswer.ts';
import type { SettingEvidence } from '../../strategies/search/operationalLaws.ts';
import type { OpenLoopStage } from '../../strategies/search/tuneOpenLoop.ts';
import type { TunedTarget } from './tunedTarget.ts';

/** What is known of one target of a tuning. */
export interface TargetEvidence {
  tuned: TunedTarget;
  /** Those that were tried, in any order. */
  trials: readonly Trial[];
  openLoop: OpenLoopStage | null;
  /** Seconds beyond its share of the time that comparing p99 needs. */
  p99NeedsS: number;
  confirmation: string | null;
  maxConnections: number | null;
  delta: number;
  seed: number;
  /** False while blocks are still being measured. */
  finished: boolean;
  labelOf: (setting: string) => string;
}

/** The answer for one target as it stands. */
export function answerOf(evidence: TargetEvidence): TuningAnswer {
  const { tuned, openLoop } = evidence;
  const { target } = tuned.plan.declared;
  const answer = composeAnswer({
    target: target.id,
    targetLabel: tuned.label,
    mode: tuned.processes.mode,
    modeReason: tuned.processes.modeReason,
    settingNames: tuned.varied,
    settingLabels: Object.fromEntries(tuned.varied.map((name) => [name, evidence.labelOf(name)])),
    confirmation: evidence.confirmation,
    where: [],
    delta: evidence.delta,
    seed: evidence.seed,
    blockCostS: tuned.blockMs / 1000,
    finished: evidence.finished,
    candidates: tuned.search.measured,
    resource: tuned.resource,
    busySessions: busySessions(evidence.trials, tuned.varied.length === 1 ? tuned.varied[0] : undefined),
    facts: new Map(evidence.trials.map((trial) => [trial.key, factsOf(trial, tuned.sighting(trial.key), tuned)])),
    openLoop: openLoop?.comparison() ?? null,
    p99NeedsS: evidence.p99NeedsS,
    evidence: machineEvidence(evidence),
    cores: allowedCores(),
  });
  const values = Object.entries(answer.values ?? {});
  return { ...answer, where: values.map(([setting, value]) => whereToSet(tuned.plan.declared, setting, value)) };
}

function factsOf(trial: Trial, sighting: TrialSighting, tuned: TunedTarget): CandidateFacts {
  const { process } = sighting.planned;
  const pool = process.settings['pool'];
  return {
    trialKey: trial.key,
    reasons: trial.reasons,
    failedRequests: failedRequestsPhrase([trial]),
    evidence: settingEvidence(trial, process.instances),
    acquireTimeouts: sighting.blocks.reduce((sum, { probe }) => sum + (probe?.pool?.timeouts ?? 0), 0),
    ignored: tuned.processes.ignored.get(trial.key) ?? null,
    databaseConnections: process.declared.target.postgres === undefined || typeof pool !== 'number' ? null : pool * process.instances,
  };
}

function settingEvidence(trial: Trial, instances: number): SettingEvidence {
  const { app, postgres, generator, sessions } = trial.resources;
  const used = [app.cpuPercent, postgres.cpuPercent, generator.cpuPercent];
  const known = used.every((one) => one !== null);
  const locks = Object.entries(sessions).filter(([name]) => name.startsWith('Lock:'));
  return {
    key: trial.key,
    throughput: trial.valid && trial.throughput.mean > 0 ? trial.throughput.mean : null,
    connections: trial.connections,
    latencyMs: trial.latencyMs?.mean ?? null,
    pool: trial.pool,
    threads: trial.threadPool,
    instances,
    appCpuPercent: app.cpuPercent,
    postgresCpuPercent: postgres.cpuPercent,
    generatorCpuPercent: generator.cpuPercent,
    eventLoopUtilisation: trial.eventLoopUtilisation,
    sessions:
      Object.keys(sessions).length === 0 ? null : { active: sessions['active'] ?? 0, lock: locks.reduce((sum, [, many]) => sum + many, 0) },
    hostCpuPercent: known ? used.reduce((sum, one) => sum + one, 0) / allowedCores() + (trial.disturbance?.takenPercent ?? 0) : null,
  };
}

function machineEvidence({ trials, openLoop, maxConnections, tuned }: TargetEvidence): AnswerInput['evidence'] {
  const largest = (value: (trial: Trial) => number | null): number | null => {
    const all = trials.filter(({ valid }) => valid).flatMap((trial) => value(trial) ?? []);
    return all.length === 0 ? null : Math.max(...all);
  };
  return {
    generator: {
      cpuPercent: largest(({ resources }) => resources.generator.cpuPercent),
      eventLoopUtilisation: largest(({ resources }) => resources.generator.eventLoopUtilisation),
    },
    steady: tuned.processes.unsteadyReason === null,
    availableConnections: maxConnections === null ? null : maxConnections - reservedSessions,
    openLoop: openLoop?.counts() ?? null,
  };
}
