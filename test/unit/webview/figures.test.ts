import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { roundUp, spreadLabels } from '../../../webview/kit/charts/labelSpread.ts';
import { resourceCharts } from '../../../webview/result/resourceRows.ts';
import { chartSummary, seriesOf } from '../../../webview/kit/figures/series.ts';
import { chooseAxis } from '../../../webview/kit/figures/axis.ts';
import { clockPhrase, unbroken } from '../../../webview/kit/figures/words.ts';
import { exampleRun, trialWith } from './examples.ts';
import { constantSettings, humanName, shortPhrase, variedPhrase } from '../../../src/model/presentation/settingWords.ts';
import { nextSort, sortedRows } from '../../../webview/result/rowOrder.ts';
import { changePhrase, intervalPhrase } from '../../../src/model/domain/format.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { runBadge, runSubtitle } from '../../../src/model/presentation/runWords.ts';

const table = runTable(presentedRun(exampleRun));
const texts = (id: string): string[] => {
  const index = table.columns.findIndex((column) => column.id === id);
  return table.rows.map(({ cells }) => cells[index]?.text ?? 'no column');
};

describe('the table of figures', () => {
  it('has a column for the setting that varies and none for the others', () => {
    expect(table.columns.filter((column) => column.id.startsWith('setting:')).map((column) => column.title)).toEqual(['Pool size']);
    expect(constantSettings(exampleRun.trials, { poolTimeoutMs: 'Pool time-out' })).toBe(
      'threads 50 (Java), pool time-out 5000, connections 32',
    );
  });
  it('measures each target against its own best valid trial', () => {
    expect(texts('ofBest')).toEqual(['25 %', '50 %', '96 %', '100 %', '–', '95 %', '97 %', '99 %', '100 %', '93 %']);
  });
  it('says what to think of each trial, and why one is not valid', () => {
    expect(texts('notes').slice(1, 6)).toEqual(['50 % below best', 'recommended', 'best', 'not valid', 'recommended']);
    expect(table.rows[4]?.reasons).toEqual([expect.stringMatching(/^The load generator was saturated \(its event loop busy 97\.0 %/)]);
  });
  it('shows a dash where there is no figure', () => {
    const bare = trialWith({ latencyMs: null, throughput: { mean: 10, ciLow: null, ciHigh: null, blocks: [10] } });
    const { columns, rows } = runTable({ ...presentedRun(exampleRun), trials: [bare] });
    const cells = columns.map(({ id }, index) => [id, rows[0]?.cells[index]?.text]);
    expect(Object.fromEntries(cells)).toMatchObject({ interval: '–', p99: '–', throughput: '10' });
  });
  it('sorts by figure, largest first, then smallest, then in the order of the run', () => {
    const column = table.columns.find((candidate) => candidate.id === 'throughput');
    if (!column) throw new Error('no column');
    const down = nextSort(null, column);
    expect(sortedRows(table, down)[0]?.key).toContain('node pool=16');
    const up = nextSort(down, column);
    expect(sortedRows(table, up)[0]?.key).toContain('java pool=2 ');
    expect(nextSort(up, column)).toBeNull();
  });
  it('keeps cells without a figure last in either direction', () => {
    for (const descending of [true, false]) {
      expect(sortedRows(table, { column: 'ofBest', descending }).at(-1)?.valid).toBe(false);
    }
  });
});

describe('the small charts of what was used', () => {
  it('have a row for each trial and one scale for all rows', () => {
    const [cpu, perRequest] = resourceCharts(exampleRun.trials);
    expect(cpu?.rows).toHaveLength(10);
    expect(cpu?.top).toBe(150);
    expect(perRequest?.rows[0]?.text).toBe('319');
  });
  it('leave out what the platform does not tell', () => {
    const use = {
      cpuPercent: null,
      rssBytes: null,
      cpuUsPerRequest: null,
      contextSwitchesPerSecond: null,
      threads: null,
      wantedCpuPercent: null,
    };
    const blind = trialWith({ resources: { ...trialWith({}).resources, app: use, postgres: use } });
    expect(resourceCharts([blind]).map((chart) => chart.rows[0]?.values.length)).toEqual([1, 0, 0]);
  });
});

describe('labels at the ends of lines', () => {
  it('are moved apart and stay inside', () => {
    const spread = spreadLabels([100, 101, 103], 15, 0, 120);
    expect(spread).toEqual([90, 105, 120]);
  });
  it('stay where they belong when there is room', () => {
    expect(spreadLabels([80, 10], 15, 0, 120)).toEqual([80, 10]);
  });
  it('the top of an axis is a round number not below the largest value', () => {
    expect([8_857, 41, 0.31, 0, 10].map(roundUp)).toEqual([10_000, 50, 0.4, 1, 10]);
  });
});

describe('words', () => {
  const now = new Date('2026-11-21T18:00:00.000Z');
  it('name a trial by what varies', () => {
    const trial = trialWith({ settings: { pool: 8 }, connections: 64 });
    expect(variedPhrase(trial, ['pool', 'connections'])).toBe('Java · pool 8 · 64 connections');
    expect(shortPhrase(trial, ['pool'])).toBe('Java 8');
    expect(shortPhrase(trial, ['pool', 'connections'])).toBe('Java 8 × 64');
  });
  it('make a name of a setting without a label', () => {
    expect(['poolTimeoutMs', 'heapMb', 'pool'].map(humanName)).toEqual(['pool timeout (ms)', 'heap (MB)', 'pool']);
  });
  it('say when a run was, with the day when it was not today', () => {
    expect(runSubtitle(exampleRun, clockPhrase(exampleRun.startedAt, now))).toMatch(
      /^GET \/ads\/:id · 32 connections · run \d\d:02, 4 min 31 s$/,
    );
    expect(clockPhrase('2026-10-02T12:00:00.000Z', now)).toMatch(/^2 Oct 2026, \d\d:00$/);
  });
  it('say whether a run is valid, and why not', () => {
    expect(runBadge(exampleRun)).toEqual({ kind: 'good', text: 'valid · noise floor ±2.6 %' });
    expect(runBadge({ ...exampleRun, valid: false, reasons: recorded('The machine was busy.') })).toEqual({
      kind: 'warning',
      text: '1 of 10 trials not valid',
    });
    const allValid = exampleRun.trials.map((trial) => ({ ...trial, valid: true }));
    expect(runBadge({ ...exampleRun, trials: allValid, valid: false, reasons: recorded('The machine was busy.') })).toEqual({
      kind: 'bad',
      text: 'not valid: The machine was busy.',
    });
    expect(runBadge({ ...exampleRun, state: 'cancelled' }).kind).toBe('warning');
  });
  it('say a ratio as a change', () => {
    expect([1.043, 0.5, 1, 1.0001].map(changePhrase)).toEqual(['+4.3 %', '−50 %', '0 %', '0 %']);
  });
  it('keep a figure and its unit on one line', () => {
    expect(unbroken('4 s blocks, 97 % of 4 min 31 s in 3 rounds')).toBe(
      '4\u00a0s blocks, 97\u00a0% of 4\u00a0min\u00a031\u00a0s in 3 rounds',
    );
  });
  it('have a minus, not a hyphen, where an interval goes below 0', () => {
    expect(intervalPhrase({ ciLow: -1_970, ciHigh: 2_372 })).toBe('−1,970 – 2,372');
  });
  it('describe a chart for those who do not see it', () => {
    const series = seriesOf(exampleRun.trials, chooseAxis(exampleRun.trials), 'p99', []);
    expect(chartSummary(series, 'ms')).toBe(
      'Java: 41.0, 17.5, 9.80 and 10.4 ms. 1 trial is not valid. Node: 6.10, 6.00, 6.30, 6.90 and 7.80 ms. The figures are in the table.',
    );
  });
});
