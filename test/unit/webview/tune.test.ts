import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/model/presentation/table.ts';
import type { TunedSetting, TuningAnswer } from '../../../src/model/domain/tuning.ts';
import { gridValues, tintOf } from '../../../webview/tune/heatTint.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { shownRun, predictedOf, withOpenLoop } from '../../../webview/tune/shown.ts';
import { exampleRun, trialWith } from './examples.ts';
import { recommendationsOf, recommendedSetting } from '../../../src/model/domain/tuningAnswers.ts';

const openLoop = { rate: 6000, p99Ms: 9.81, ciLow: 9, ciHigh: 11, ratioToBest: null, blocks: 4, carried: true };
const setting = (trialKey: string, values: TunedSetting['values'], part: Partial<TunedSetting> = {}): TunedSetting => ({
  trialKey,
  values,
  throughput: { mean: 8000, ciLow: 7900, ciHigh: 8100 },
  ratioToBest: { mean: 0.97, ciLow: 0.95, ciHigh: 0.99 },
  openLoop: null,
  predicted: null,
  blocks: 6,
  valid: true,
  reasons: [],
  ...part,
});
const answer: TuningAnswer = {
  target: 'java',
  targetLabel: 'Java',
  mode: 'live',
  modeReasons: [],
  settingNames: ['pool'],
  settingLabels: { pool: 'Pool size' },
  status: 'confirmed',
  evidence: [],
  values: { pool: 8 },
  plausible: [8, 8],
  best: { values: { pool: 16 }, throughput: 8300 },
  facts: { code: 'use', values: { pool: 8 }, proven: true, smaller: null, today: null, what: 'pool' },
  why: [],
  moreSeconds: null,
  noiseFloorPercent: null,
  holdMs: 1,
  openRate: 6000,
  settings: [
    setting('java pool=8', { pool: 8, threads: 50 }, { predicted: 8000, openLoop }),
    setting('java pool=16', { pool: 16, threads: 50 }),
  ],
  gates: [],
  confirmation: null,
  where: [],
};

describe('an answer', () => {
  it('leads to the trial of the combination that it recommends', () => {
    expect(recommendedSetting(answer)?.trialKey).toBe('java pool=8');
    expect(recommendationsOf([answer])[0]).toMatchObject({ trialKey: 'java pool=8', value: 8, setting: 'pool', best: { value: 16 } });
  });
  it('that is undecided marks no trial', () => {
    expect(recommendedSetting({ ...answer, values: null })).toBeNull();
    expect(recommendationsOf([{ ...answer, values: null }])[0]).toMatchObject({ trialKey: null, value: null });
  });
  it('brings what is predicted and p99 of the open loop to the trials', () => {
    expect([...predictedOf([answer])]).toEqual([['java pool=8', 8000]]);
    const trials = withOpenLoop([trialWith({ key: 'java pool=8' }), trialWith({ key: 'other' })], [answer]);
    expect(trials.map((trial) => trial.openLoop?.p99Ms ?? null)).toEqual([9.81, null]);
  });
  it('of two settings is shown as a map, and its trials make no lines', () => {
    const grid = { ...answer, settingNames: ['pool', 'threads'], values: { pool: 8, threads: 50 } };
    const request = { targets: ['java'], settings: {}, load: 'steady', budgetS: 120, delta: 0.05, mode: 'auto' as const, confirm: false };
    const shown = shownRun({
      ...exampleRun,
      result: { kind: 'tune', request, spentS: 1, stage: { code: 'ended', decided: true, rounds: 1 }, probeCost: null, answers: [grid] },
    });
    expect(shown.grids).toHaveLength(1);
    expect(new Set(shown.lined.map((trial) => trial.target))).toEqual(new Set(['node']));
  });
});

describe('the map of two settings', () => {
  it('is tinted by how near a cell is to the best: high throughput, low p99', () => {
    expect([1, 0.75, 0.5, 0.1].map((ratio) => tintOf(ratio, 'throughput'))).toEqual([8, 4, 0, 0]);
    expect([1, 2, 0.9].map((ratio) => tintOf(ratio, 'openP99'))).toEqual([8, 0, 8]);
    expect(tintOf(null, 'throughput')).toBe(0);
  });
  it('has the values of a setting in rising order, words in order of appearance', () => {
    const settings = [
      setting('a', { pool: 16, kind: 'virtual' }),
      setting('b', { pool: 4, kind: 'platform' }),
      setting('c', { pool: 8, kind: 'virtual' }),
    ];
    expect(gridValues(settings, 'pool')).toEqual([4, 8, 16]);
    expect(gridValues(settings, 'kind')).toEqual(['virtual', 'platform']);
  });
});

describe('the table of a search', () => {
  const slo = { passed: false, rows: [{ what: 'p99', limit: '≤ 5 ms', value: '9.81 ms', passed: false }] };
  const pool = { kind: 'hikari', name: 'main', max: 8, busy: 6, pending: 0, waitMs: null, waitP99Ms: null, holdMs: 1, perRequest: 1 };
  const trial = trialWith({ openLoop, slo, pool });
  const cell = (id: string, of = trial): Cell | undefined => {
    const { columns, rows } = runTable({ ...presentedRun(exampleRun), trials: [trial, of] });
    return rows[1]?.cells[columns.findIndex((column) => column.id === id)];
  };
  it('tells p99 at the fixed rate, how busy the pool was, and whether the objective holds', () => {
    expect(cell('openP99')).toMatchObject({ text: '9.81', sort: 9.81 });
    expect(cell('busy')?.text).toBe('75 %');
    expect(cell('objective')).toEqual({ text: 'missed', sort: 'missed', kind: 'bad', title: 'p99 ≤ 5 ms: 9.81 ms' });
    expect(cell('objective', trialWith({ slo: { passed: true, rows: [] } }))).toMatchObject({ text: 'met', kind: 'good' });
  });
  it('gives no p99 where the rate could not be carried', () => {
    expect(cell('openP99', trialWith({ openLoop: { ...openLoop, carried: false } }))).toMatchObject({ text: 'too much', sort: null });
  });
  it('has no column for what no trial knows', () => {
    const ids = runTable({ ...presentedRun(exampleRun), trials: [trialWith({})] }).columns.map((column) => column.id);
    expect(ids).not.toContain('openP99');
    expect(ids).not.toContain('busy');
    expect(ids).not.toContain('objective');
  });
});
