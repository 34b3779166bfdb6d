import { type Trial, wantedByAllPercent } from '../../../model/domain/run.ts';
import type { SettingEvidence } from './operationalLaws.ts';

/** What the laws want to know of a trial, on a machine of so many `cores`. */
export function settingEvidence(trial: Trial, instances: number, cores: number): SettingEvidence {
  const { app, postgres, generator } = trial.resources;
  const used = [app.cpuPercent, postgres.cpuPercent, generator.cpuPercent];
  const known = used.every((one) => one !== null);
  return {
    key: trial.key,
    throughput: trial.valid && trial.throughput.mean > 0 ? trial.throughput.mean : null,
    connections: trial.connections,
    pool: trial.pool,
    threads: trial.threadPool,
    instances,
    appCpuPercent: app.cpuPercent,
    postgresCpuPercent: postgres.cpuPercent,
    generatorCpuPercent: generator.cpuPercent,
    eventLoopUtilisation: trial.eventLoopUtilisation,
    wantedCpuPercent: wantedByAllPercent(trial.resources),
    hostCpuPercent: known ? used.reduce((sum, one) => sum + one, 0) / cores + (trial.interference?.takenPercent ?? 0) : null,
  };
}
