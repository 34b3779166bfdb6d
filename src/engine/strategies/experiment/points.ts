import type { Trial } from '../../../model/domain/run.ts';
import type { MetricName, ExperimentPoint } from '../../../model/domain/experiment.ts';

/** Facts of a variant that its trial does not hold. */
export interface PointFacts {
  variant: string;
  level: number;
  /** Cores that all instances together may use; null without a limit. */
  coresAvailable: number | null;
}

/** The figures of a trial, as an experiment draws and judges them. Shares are 0 … 1, times in ms. */
export function pointOf(trial: Trial, facts: PointFacts): ExperimentPoint {
  const { app } = trial.resources;
  const cores = (app.cpuPercent ?? 0) / 100;
  const answered = trial.requests + trial.errors.total;
  const figures: Partial<Record<MetricName, number | null>> = {
    throughput: trial.throughput.mean,
    meanMs: trial.latencyMs?.mean ?? null,
    p99Ms: trial.latencyMs?.p99 ?? null,
    errorShare: answered === 0 ? null : trial.errors.total / answered,
    cpuPercent: app.cpuPercent,
    requestsPerCpuSecond: app.cpuUsPerRequest === null || app.cpuUsPerRequest === 0 ? null : 1e6 / app.cpuUsPerRequest,
    rssMb: app.rssBytes === null ? null : app.rssBytes / 1_048_576,
    databaseMs: trial.pool?.holdMs ?? null,
    poolWaitMs: trial.pool?.waitMs ?? null,
    switchesPerS: app.contextSwitchesPerSecond,
    utilisationPercent: facts.coresAvailable === null || app.cpuPercent === null ? null : (100 * cores) / facts.coresAvailable,
  };
  const { mean, ciLow, ciHigh } = trial.throughput;
  return {
    variant: facts.variant,
    level: facts.level,
    trialKey: trial.key,
    valid: trial.valid && trial.requests > 0,
    reasons: trial.reasons,
    figures,
    throughput: { mean, ciLow, ciHigh },
    limit: trial.diagnosis?.kind ?? null,
    limitSaid: trial.diagnosis?.said ?? null,
  };
}
