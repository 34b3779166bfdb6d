import { type AnswerInput, type CandidateFacts, composeAnswer } from '../../../src/engine/strategies/search/composeAnswer.ts';
import type { MeasuredCandidate } from '../../../src/engine/statistics/tuningSearch.ts';
import type { TuningAnswer } from '../../../src/model/domain/tuning.ts';
import type { Diagnosis } from '../../../src/model/domain/diagnosis.ts';
import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import { type SeenTrial, seenTrial } from './tuningEvidence.ts';

/** One pool size of a made-up service, with what was seen of it. */
export interface SeenPool {
  pool: number;
  throughput: number;
  rounds: number;
  waitShare?: number | null;
  /** The error of each block is so many times a fixed wobble of 0.4 %. */
  noise?: number;
  seen?: Partial<SeenTrial>;
  diagnosis?: Diagnosis | null;
}

/** A verdict with only what an answer says of it. */
export function verdict(kind: DiagnosisKind, headline: string): Diagnosis {
  return {
    kind,
    said: { code: 'recorded', sentence: headline },
    confident: true,
    why: [],
    evidence: [],
    ruledOut: [],
    actions: [],
    threadDumps: [],
  };
}

const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

export function measuredPool({ pool, throughput, rounds, waitShare = null, noise = 1 }: SeenPool): MeasuredCandidate {
  const blocks = Array.from({ length: rounds }, (_, i) => ({
    round: i + 1,
    throughput: throughput * (1 + noise * (wobble[(i * 3 + pool) % wobble.length] ?? 0)),
    waitShare,
  }));
  return { key: `pool=${pool}`, values: { pool }, cost: pool, blocks, attempts: rounds, errorShare: 0, inserted: false };
}

function factsOf(one: SeenPool): [string, CandidateFacts] {
  const key = `pool=${one.pool}`;
  const pool = { max: one.pool, busy: Math.min(one.pool, 0.37), pending: 0, holdMs: null, perRequest: 1 };
  return [
    key,
    {
      trial: { ...seenTrial(one.throughput, { pool, connections: 16, ...one.seen }), diagnosis: one.diagnosis ?? null },
      instances: 1,
      acquireTimeouts: 0,
      ignored: null,
    },
  ];
}

/** The answer of a finished tuning over these sizes. */
export function tunedPools(pools: readonly SeenPool[], more: Partial<AnswerInput> = {}): TuningAnswer {
  return composeAnswer({
    about: {
      target: 'app',
      targetLabel: 'App',
      mode: 'live',
      modeReasons: [],
      settingNames: ['pool'],
      settingLabels: { pool: 'Pool size' },
      confirmation: null,
      where: [],
    },
    delta: 0.05,
    cores: 2,
    blockCostS: 1,
    finished: true,
    openLoop: null,
    resource: 'pool',
    today: null,
    candidates: pools.map(measuredPool),
    facts: new Map(pools.map(factsOf)),
    evidence: { generator: { cpuPercent: 30, eventLoopUtilisation: 0.3 }, steady: true, openLoop: null },
    ...more,
  });
}
