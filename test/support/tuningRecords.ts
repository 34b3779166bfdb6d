import { recorded } from './recorded.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { TunedSetting, TuningAnswer } from '../../src/model/domain/tuning.ts';
import { exampleRun, exampleTrial } from './runRecords.ts';

/** One value of {@link exampleAnswer}. */
export function exampleTuned(pool: number, throughput: number, ofBest: number, more: Partial<TunedSetting> = {}): TunedSetting {
  return {
    trialKey: exampleTrial({ settings: { pool } }).key,
    values: { pool },
    throughput: { mean: throughput, ciLow: throughput * 0.99, ciHigh: throughput * 1.01 },
    ratioToBest: { mean: ofBest, ciLow: ofBest * 0.98, ciHigh: ofBest * 1.02 },
    openLoop: null,
    predicted: null,
    blocks: 6,
    valid: true,
    reasons: [],
    ...more,
  };
}

/** The answer of a tuning of the Java sample’s pool: 8 of 2, 4, 8 and 16. */
export function exampleAnswer(more: Partial<TuningAnswer> = {}): TuningAnswer {
  const openLoop: TunedSetting['openLoop'] = {
    rate: 6000,
    p99Ms: 9.1,
    ciLow: 8.2,
    ciHigh: 10.1,
    ratioToBest: null,
    blocks: 3,
    carried: true,
  };
  return {
    target: 'java',
    targetLabel: 'Java',
    mode: 'live',
    modeReasons: recorded('The pool can be resized while the app runs.'),
    settingNames: ['pool'],
    settingLabels: { pool: 'Pool size' },
    status: 'confirmed',
    values: { pool: 8 },
    plausible: null,
    best: { values: { pool: 16 }, throughput: 8321 },
    facts: { code: 'recorded', sentence: 'Use pool size 8' },
    why: recorded('It is within 5 % of the best (16).', 'A request holds its connection 1.0 ms, so 7,940 req/s keep 8 connections busy.'),
    evidence: [],
    moreSeconds: null,
    noiseFloorPercent: 2.1,
    holdMs: 1,
    openRate: 6000,
    settings: [
      exampleTuned(2, 2012, 0.24, { predicted: 2000 }),
      exampleTuned(4, 4172, 0.5, { valid: false, reasons: recorded('The app died.'), ratioToBest: null }),
      exampleTuned(8, 7885, 0.95, { openLoop }),
      exampleTuned(16, 8321, 1, { openLoop: { ...openLoop, p99Ms: 12, carried: false } }),
    ],
    gates: [
      { code: 'recorded', was: 'noise', severity: 'flag', sentence: 'Other programs used 22 % of the CPU.' },
      { code: 'recorded', was: 'connections', severity: 'refuse', sentence: 'Too few connections for pool 16.' },
    ],
    confirmation: null,
    where: [{ setting: 'pool', value: 8, how: 'Environment variable DB_POOL_SIZE=8.', file: '/srv/benchside.json', line: 12 }],
    ...more,
  };
}

/** A stored tuning. */
export function exampleTuning(answers: TuningAnswer[] = [exampleAnswer()], more: Partial<RunRecord> = {}): RunRecord {
  return exampleRun({
    notes: recorded('The run was quiet.'),
    result: {
      kind: 'tune',
      request: {
        targets: answers.map((answer) => answer.target),
        settings: { pool: [2, 4, 8, 16] },
        load: 'steady',
        budgetS: 120,
        delta: 0.05,
        mode: 'auto',
        confirm: false,
      },
      spentS: 94,
      stage: { code: 'ended', decided: true, rounds: 6 },
      probeCost: null,
      answers,
    },
    ...more,
  });
}
