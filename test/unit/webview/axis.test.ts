import { describe, expect, it } from 'vitest';
import { axisPosition, axisTicks, chooseAxis } from '../../../webview/kit/figures/axis.ts';
import { seriesOf } from '../../../webview/kit/figures/series.ts';
import { exampleRun, trialWith } from './examples.ts';

const label = (id: string): string => id.toUpperCase();

describe('the axis of the charts', () => {
  it('is the setting that varies, at equal steps for each doubling, with ticks at the tested values', () => {
    const axis = chooseAxis(exampleRun.trials);
    expect(axis).toMatchObject({ kind: 'setting', name: 'pool', log: true, values: [2, 4, 8, 16, 32], others: [] });
    expect(axisTicks(axis, label)).toEqual([1, 2, 3, 4, 5].map((position) => ({ position, text: String(2 ** position) })));
  });
  it('is the setting with most distinct values when several vary; the others make series', () => {
    const trials = [2, 4, 8].flatMap((pool) =>
      [50, 200].map((threads) => trialWith({ key: `${pool}/${threads}`, settings: { threads, pool } })),
    );
    const axis = chooseAxis(trials);
    expect(axis).toMatchObject({ name: 'pool', others: ['threads'] });
    const series = seriesOf(trials, axis, 'throughput', []);
    expect(series.map((line) => [line.label, line.variant, line.points.length])).toEqual([
      ['Java · threads 50', 0, 3],
      ['Java · threads 200', 1, 3],
    ]);
  });
  it('is the connections in a ladder of them', () => {
    const axis = chooseAxis([4, 16, 64].map((connections) => trialWith({ connections })));
    expect(axis).toMatchObject({ kind: 'connections', values: [4, 16, 64], log: true });
  });
  it('is a choice when no number varies, in order of appearance', () => {
    const axis = chooseAxis(['virtual', 'platform'].map((threadKind) => trialWith({ settings: { threadKind } })));
    expect(axis).toMatchObject({ name: 'threadKind', log: false, values: ['virtual', 'platform'] });
  });
  it('is the targets when nothing varies', () => {
    const axis = chooseAxis([trialWith({}), trialWith({ target: 'node' })]);
    expect(axis.kind).toBe('target');
    expect(axisTicks(axis, label)).toEqual([
      { position: 0, text: 'JAVA' },
      { position: 1, text: 'NODE' },
    ]);
  });
  it('does not use a log axis with a zero on it', () => {
    expect(chooseAxis([0, 4].map((pool) => trialWith({ settings: { pool } }))).log).toBe(false);
  });
  it('puts a target that lacks the setting at a place of its own, left of the values', () => {
    const without = trialWith({ target: 'node', settings: {} });
    const axis = chooseAxis([...[8, 16].map((pool) => trialWith({ settings: { pool } })), without]);
    expect(axisPosition(axis, without)).toBe(2);
    expect(axisTicks(axis, label)[0]).toEqual({ position: 2, text: 'none' });
  });
});

describe('the lines of the charts', () => {
  const axis = chooseAxis(exampleRun.trials);
  it('ring only what is recommended', () => {
    const series = seriesOf(exampleRun.trials, axis, 'throughput', exampleRun.recommendations);
    expect(series.map((line) => line.points.filter((point) => point.recommended).map((point) => point.trial.settings['pool']))).toEqual([
      [8],
      [2],
    ]);
  });
  it('take p99 of the open loop with its interval, and leave what could not be carried out of the line', () => {
    const openLoop = { rate: 6000, p99Ms: 9, ciLow: 8, ciHigh: 10, ratioToBest: null, blocks: 4, carried: true };
    const trials = [
      trialWith({ openLoop }),
      trialWith({ key: 'b', openLoop: { ...openLoop, p99Ms: 2000, carried: false } }),
      trialWith({ key: 'c' }),
    ];
    const points = seriesOf(trials, axis, 'openP99', []).flatMap((line) => line.points);
    expect(points.map((point) => [point.value, point.low, point.high, point.usable])).toEqual([
      [9, 8, 10, true],
      [2000, 8, 10, false],
    ]);
    expect(points[1]?.reasons).toEqual(['it could not answer 6,000 requests/s']);
  });
  it('carry what is predicted for each trial', () => {
    const trial = trialWith({});
    const [line] = seriesOf([trial], axis, 'throughput', [], new Map([[trial.key, 2000]]));
    expect(line?.points[0]?.predicted).toBe(2000);
  });
  it('leave out trials that have not been measured yet', () => {
    const waiting = trialWith({
      key: 'waiting',
      throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
      latencyMs: null,
      blocks: [],
    });
    expect(seriesOf([waiting], axis, 'throughput', [])).toEqual([]);
    expect(seriesOf([waiting], axis, 'p99', [])).toEqual([]);
  });
});
