import type { SettingEvidence } from '../../../src/engine/strategies/search/operationalLaws.ts';
import type { GatedSetting, TuningEvidence } from '../../../src/engine/strategies/search/tuningGates.ts';

/** A setting about which nothing is remarkable. */
export function evidence(throughput: number | null, more: Partial<SettingEvidence> = {}): SettingEvidence {
  return {
    throughput,
    connections: 128,
    pool: { max: 8, busy: 5, pending: 1, holdMs: null, perRequest: 1 },
    threads: null,
    instances: 1,
    appCpuPercent: 40,
    postgresCpuPercent: 30,
    generatorCpuPercent: 20,
    eventLoopUtilisation: null,
    wantedCpuPercent: null,
    hostCpuPercent: 50,
    ...more,
  };
}

/** A pool that is full up to 8 connections. */
export function gatedPool(max: number, more: Partial<GatedSetting> = {}): GatedSetting {
  const pool = { max, busy: Math.min(max, 8), pending: max < 8 ? 10 : 0, holdMs: null, perRequest: 1 };
  return {
    name: String(max),
    evidence: evidence(1000 * Math.min(max, 8), { pool }),
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
