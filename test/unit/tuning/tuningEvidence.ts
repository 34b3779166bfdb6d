import type { PoolUse, Trial } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import type { GatedSetting, TuningEvidence } from '../../../src/engine/strategies/search/tuningGates.ts';

/** What of a trial the laws rest on. */
export interface SeenTrial {
  connections: number;
  pool: Partial<PoolUse> | null;
  threads: { max: number; busy: number } | null;
  appCpuPercent: number;
  postgresCpuPercent: number;
  generatorCpuPercent: number;
  eventLoopUtilisation: number | null;
  wantedCpuPercent: number | null;
  /** Of all of two cores. */
  hostCpuPercent: number;
}

/** A trial about which nothing is remarkable; one that does not count where its throughput is null. */
export function seenTrial(throughput: number | null, more: Partial<SeenTrial> = {}): Trial {
  const seen: SeenTrial = {
    connections: 128,
    pool: { max: 8, busy: 5, pending: 1 },
    threads: null,
    appCpuPercent: 40,
    postgresCpuPercent: 30,
    generatorCpuPercent: 20,
    eventLoopUtilisation: null,
    wantedCpuPercent: null,
    hostCpuPercent: 50,
    ...more,
  };
  const trial = exampleTrial({ throughput: throughput ?? 0, valid: throughput !== null, connections: seen.connections });
  const takenPercent = seen.hostCpuPercent - (seen.appCpuPercent + seen.postgresCpuPercent + seen.generatorCpuPercent) / 2;
  const { app, postgres, generator } = trial.resources;
  const wanted = (percent: number): { wantedCpuPercent: number | null } => ({
    wantedCpuPercent: seen.wantedCpuPercent === null ? null : percent,
  });
  return {
    ...trial,
    pool: seen.pool && {
      kind: 'pg',
      name: 'shop',
      max: 8,
      busy: 0,
      pending: 0,
      waitMs: null,
      waitP99Ms: null,
      holdMs: null,
      perRequest: 1,
      ...seen.pool,
    },
    threadPool: seen.threads && { kind: 'http', name: 'http', queue: 0, ...seen.threads },
    eventLoopUtilisation: seen.eventLoopUtilisation,
    resources: {
      ...trial.resources,
      app: { ...app, cpuPercent: seen.appCpuPercent, ...wanted(seen.wantedCpuPercent ?? 0) },
      postgres: { ...postgres, cpuPercent: seen.postgresCpuPercent, ...wanted(0) },
      generator: { ...generator, cpuPercent: seen.generatorCpuPercent, ...wanted(0) },
    },
    interference: { takenPercent, stealPercent: 0, otherPercent: takenPercent },
  };
}

/** A pool that is full up to 8 connections. */
export function gatedPool(max: number, more: Partial<GatedSetting> = {}): GatedSetting {
  const pool = { max, busy: Math.min(max, 8), pending: max < 8 ? 10 : 0, holdMs: null, perRequest: 1 };
  return {
    name: String(max),
    trial: seenTrial(1000 * Math.min(max, 8), { pool }),
    blocks: { valid: 5, all: 5 },
    acquireTimeouts: 0,
    ignored: null,
    ...more,
  };
}

/** A tuning of pools 2 … 16 to which no rule objects. */
export function soundTuning(more: Partial<TuningEvidence> = {}): TuningEvidence {
  return {
    settings: [2, 4, 8, 16].map((max) => gatedPool(max)),
    rounds: 5,
    generator: { cpuPercent: 40, eventLoopUtilisation: 0.4 },
    steady: true,
    openLoop: { intended: 10_000, sent: 10_000, late: 3, dropped: 0 },
    ...more,
  };
}
