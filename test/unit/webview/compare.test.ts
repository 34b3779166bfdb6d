import { describe, expect, it } from 'vitest';
import type { RecordingSummary } from '../../../src/model/domain/recording.ts';
import type { Comparison } from '../../../src/model/domain/comparison.ts';
import { runRequestSchema } from '../../../src/model/domain/run.ts';
import { compareRuns } from '../../../src/engine/runs/compareRuns.ts';
import { logBand } from '../../../src/engine/runs/comparedMetric.ts';
import { quantileName, quantilePosition } from '../../../webview/compare/latencyCurve.ts';
import { forestScale, sameBand } from '../../../src/model/presentation/forest.ts';
import { recordingPairs, sideBySideRequest } from '../../../webview/compare/sideBySide.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { ratioRange } from '../../../src/model/presentation/comparisonTable.ts';

const otherId = 'mb2k9x1b-0123456789abcdef01234567';

describe('the scale of the forest', () => {
  it('is symmetric about "same" and holds every interval', () => {
    const scale = forestScale([
      { mean: 1.3, ciLow: 0.9, ciHigh: 1.9 },
      { mean: 0.98, ciLow: null, ciHigh: null },
    ]);
    expect(scale.place(1)).toBe(0.5);
    expect(scale.place(2) + scale.place(0.5)).toBeCloseTo(1, 9);
    expect([0.9, 1.9].map((ratio) => scale.beyond(ratio))).toEqual([false, false]);
    expect(scale.ticks.map((tick) => tick.text)).toContain('same');
  });

  it('cuts off what would press everything else together', () => {
    const scale = forestScale([{ mean: 40, ciLow: 0.001, ciHigh: 1e6 }]);
    expect(scale.beyond(1e6)).toBe(true);
    expect([scale.place(1e6), scale.place(0)]).toEqual([1, 0]);
    expect(scale.place(8)).toBeLessThanOrEqual(1);
  });

  it('keeps ticks apart', () => {
    for (const high of [1.01, 1.2, 1.7, 4, 100]) {
      const shares = forestScale([{ mean: high, ciLow: 1, ciHigh: high }]).ticks.map((tick) => tick.share);
      for (const [index, share] of shares.entries()) if (index > 0) expect(share - (shares[index - 1] ?? 0)).toBeGreaterThan(0.08);
    }
  });

  it('shades the band that the verdicts use', () => {
    for (const delta of [0.02, 0.05, 0.2]) {
      const [low, high] = sameBand(delta);
      expect(Math.log(high)).toBeCloseTo(logBand(delta), 12);
      expect(Math.log(low)).toBeCloseTo(-logBand(delta), 12);
    }
  });

  it('writes ranges with their signs', () => {
    expect(ratioRange({ mean: 1.1, ciLow: 0.96, ciHigh: 1.24 })).toBe('−4.0 to +24 %');
    expect(ratioRange({ mean: 1.1, ciLow: null, ciHigh: null })).toBe('');
  });
});

describe('the quantile axis', () => {
  it('gives each decade of the tail the same room', () => {
    expect([0, 0.9, 0.99, 0.999].map((quantile) => Math.round(quantilePosition(quantile) * 1e6) / 1e6)).toEqual([0, 1, 2, 3]);
    expect([0.5, 0.99, 0.999].map(quantileName)).toEqual(['p50', 'p99', 'p99.9']);
  });
});

describe('running both side by side', () => {
  const run = exampleRun();
  const pair = (a: number, b: number, other = run): Comparison =>
    compareRuns(run, other, { trialA: run.trials[a]?.key, trialB: other.trials[b]?.key });
  const requestOf = (comparison: Comparison): unknown => {
    const [row] = comparison.rows;
    return row === undefined ? undefined : sideBySideRequest(comparison, row);
  };

  it('asks for both values in the same rounds, under the same load', () => {
    const request = requestOf(pair(0, 2));
    expect(runRequestSchema.parse(request)).toEqual({
      targets: ['java'],
      settings: { pool: [2, 8] },
      load: 'steady',
      connections: [32],
      rounds: 6,
      route: '/ads/:id',
    });
  });

  it('asks for both targets where these differ', () => {
    expect(requestOf(pair(0, 4))).toMatchObject({ targets: ['java', 'node'], settings: { pool: [2] } });
  });

  it('is not offered for the same setting, or where other requests were asked for', () => {
    expect(requestOf(pair(1, 1, exampleRun({ id: otherId })))).toBeNull();
    expect(requestOf(pair(0, 2, exampleRun({ id: otherId, request: { ...run.request, route: '/hello' } })))).toBeNull();
  });

  it('is not offered where one side was not measured', () => {
    const apart = compareRuns(run, exampleRun({ id: otherId, trials: [exampleTrial({ settings: { pool: 64 } })] }));
    expect(apart.rows.every((row) => sideBySideRequest(apart, row) === null)).toBe(true);
  });
});

describe('recordings to compare', () => {
  const run = exampleRun();
  const [a, b] = [run.trials[0], run.trials[1]];
  const recording = (
    id: string,
    trialKey: string,
    events: RecordingSummary['events'],
    startedAt = '2025-06-02T14:10:00.000Z',
  ): RecordingSummary => ({
    id,
    runId: run.id,
    title: '',
    startedAt,
    recorder: 'async-profiler',
    runtime: 'jvm',
    target: 'java',
    trialKey,
    events,
    durationMs: 10_000,
  });

  it('are those of the same event on both sides, the newest of each', () => {
    const comparison = compareRuns(run, run, { trialA: a?.key, trialB: b?.key });
    comparison.a.recordings = [
      recording('r1', a?.key ?? '', ['cpu']),
      recording('r2', a?.key ?? '', ['cpu', 'wall'], '2025-06-02T15:00:00.000Z'),
    ];
    comparison.b.recordings = [recording('r3', b?.key ?? '', ['cpu', 'alloc']), recording('r4', 'another', ['wall'])];
    const [row] = comparison.rows;
    expect(row && recordingPairs(comparison, row)).toEqual([{ a: 'r2', b: 'r3', event: 'cpu' }]);
  });
});
