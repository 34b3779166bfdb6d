import { describe, expect, it } from 'vitest';
import { comparisonSchema } from '../../../src/model/protocol.ts';
import { compareRuns } from '../../../src/engine/runs/compareRuns.ts';
import { exampleEnvironment, exampleRun, exampleTrial } from '../../support/runRecords.ts';

function runOf(...trials: ReturnType<typeof exampleTrial>[]): ReturnType<typeof exampleRun> {
  return exampleRun({ trials, recommendations: [] });
}

describe('compareRuns', () => {
  it('finds nothing but ratios of 1 between a run and itself', () => {
    const comparison = compareRuns(exampleRun(), exampleRun());
    expect(comparisonSchema.parse(comparison)).toEqual(comparison);
    expect(comparison.differences).toEqual([]);
    expect(comparison.rows).toHaveLength(8);
    expect(comparison.rows.map((row) => [row.throughputRatio, row.p99Ratio, row.cpuPerRequestRatio])).toEqual(
      Array.from({ length: 8 }, () => [1, 1, 1]),
    );
  });

  it('gives b over a', () => {
    const { rows } = compareRuns(
      runOf(exampleTrial({ throughput: 1_000, p99Ms: 20 })),
      runOf(exampleTrial({ throughput: 1_500, p99Ms: 10 })),
    );
    expect(rows).toMatchObject([{ label: 'java · pool 8', throughputRatio: 1.5, p99Ratio: 0.5 }]);
  });

  it('joins by target, settings and connections, whatever the order of trials and settings', () => {
    const a = runOf(exampleTrial({ settings: { pool: 2, threads: 50 } }), exampleTrial({ settings: { pool: 4, threads: 50 } }));
    const b = runOf(exampleTrial({ settings: { threads: 50, pool: 4 } }), exampleTrial({ settings: { threads: 50, pool: 2 } }));
    expect(compareRuns(a, b).rows.map((row) => [row.a?.settings['pool'], row.b?.settings['pool']])).toEqual([
      [2, 2],
      [4, 4],
    ]);
  });

  it('shows trials that only one run has, without ratios', () => {
    const { rows } = compareRuns(runOf(exampleTrial({ settings: { pool: 2 } })), runOf(exampleTrial({ settings: { pool: 4 } })));
    expect(rows.map((row) => [row.label, row.a === null, row.b === null, row.throughputRatio])).toEqual([
      ['java · pool 2', false, true, null],
      ['java · pool 4', true, false, null],
    ]);
  });

  it('keeps apart what differs in connections only, and names them', () => {
    const { rows } = compareRuns(runOf(exampleTrial({ connections: 16 })), runOf(exampleTrial({ connections: 32 })));
    expect(rows.map((row) => row.label)).toEqual(['java · pool 8 · 16 connections', 'java · pool 8 · 32 connections']);
  });

  it('joins over a setting that only one run names with a single value, and says so as a warning', () => {
    const comparison = compareRuns(
      runOf(exampleTrial({ settings: { pool: 8 } })),
      runOf(exampleTrial({ settings: { pool: 8, threads: 50 } })),
    );
    expect(comparison.rows).toHaveLength(1);
    expect(comparison.rows[0]).toMatchObject({ label: 'java · pool 8', throughputRatio: 1 });
    expect(comparison.differences).toEqual([{ what: 'java threads', a: '–', b: '50', severity: 'warning' }]);
  });

  it('does not join over a setting that tells the trials of one run apart', () => {
    const b = runOf(exampleTrial({ settings: { pool: 8, threads: 50 } }), exampleTrial({ settings: { pool: 8, threads: 100 } }));
    expect(compareRuns(runOf(exampleTrial({ settings: { pool: 8 } })), b).rows).toHaveLength(3);
  });

  it('gives no ratio when either trial is not valid', () => {
    const invalid = exampleTrial({ valid: false, reasons: ['saturated'] });
    expect(compareRuns(runOf(exampleTrial()), runOf(invalid)).rows[0]).toMatchObject({
      throughputRatio: null,
      p99Ratio: null,
      cpuPerRequestRatio: null,
    });
    expect(compareRuns(runOf(invalid), runOf(exampleTrial())).rows[0]?.throughputRatio).toBeNull();
  });

  it('gives no ratio where a figure is missing', () => {
    const without = { ...exampleTrial(), latencyMs: null };
    expect(compareRuns(runOf(exampleTrial()), runOf(without)).rows[0]).toMatchObject({ throughputRatio: 1, p99Ratio: null });
  });

  it('warns of another machine, other versions, other requests and other connections', () => {
    const b = exampleRun({
      environment: exampleEnvironment({
        cpuModel: 'Other CPU',
        cores: 4,
        node: '22.1.0',
        postgresSettings: { shared_buffers: '1GB', max_connections: '200', fsync: 'off' },
      }),
      routes: { java: ['GET /hello 100 %'], node: ['GET /ads/:id 100 %'] },
    });
    const warnings = compareRuns(exampleRun(), b).differences.filter((difference) => difference.severity === 'warning');
    expect(warnings.map((difference) => difference.what)).toEqual([
      'CPU',
      'cores',
      'Node',
      'PostgreSQL shared_buffers',
      'requests to java',
    ]);
    const more = compareRuns(runOf(exampleTrial({ connections: 16 })), runOf(exampleTrial({ connections: 32 })));
    expect(more.differences).toEqual([{ what: 'connections', a: '16', b: '32', severity: 'warning' }]);
  });

  it('warns of a run that was cancelled or is not valid', () => {
    const { differences } = compareRuns(exampleRun(), exampleRun({ state: 'cancelled', valid: false, reasons: ['too few blocks'] }));
    expect(differences).toEqual([
      { what: 'state', a: 'complete', b: 'cancelled', severity: 'warning' },
      { what: 'validity', a: 'valid', b: 'not valid: too few blocks', severity: 'warning' },
    ]);
  });

  it('only mentions what one usually compares: commit, length of blocks, seed', () => {
    const base = exampleRun();
    const b = exampleRun({
      environment: exampleEnvironment({ git: { commit: 'f'.repeat(40), dirty: true } }),
      load: { ...base.load, durationS: 8, seed: 9 },
    });
    const { differences } = compareRuns(base, b);
    expect(differences.map((difference) => difference.what)).toEqual(['block', 'seed', 'git commit', 'uncommitted changes']);
    expect(new Set(differences.map((difference) => difference.severity))).toEqual(new Set(['info']));
  });
});
