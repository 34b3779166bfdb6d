import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { type ComparedMetric, type Comparison, comparisonSchema } from '../../../src/model/domain/comparison.ts';
import { methodText } from '../../../src/model/domain/comparedMethod.ts';
import { comparedSentence, cureText, sentenceWithCure } from '../../../src/model/presentation/comparedWords.ts';
import { comparisonHeadline } from '../../../src/model/presentation/comparisonSaid.ts';
import { comparisonTable } from '../../../src/model/presentation/comparisonTable.ts';
import type { RunRecord, Trial } from '../../../src/model/domain/run.ts';
import type { SettingValues } from '../../../src/model/domain/setting.ts';
import { compareRuns } from '../../../src/engine/runs/compareRuns.ts';
import { exampleEnvironment, exampleRun, exampleTrial } from '../../support/runRecords.ts';

function runOf(...trials: ReturnType<typeof exampleTrial>[]): ReturnType<typeof exampleRun> {
  return exampleRun({ trials, recommendations: [] });
}

const otherId = 'mb2k9x1b-0123456789abcdef01234567';

/** Of two different runs. */
function compare(a: RunRecord, b: RunRecord): Comparison {
  return compareRuns(a, { ...b, id: otherId });
}

function methodOf(compared: ComparedMetric | null | undefined): string | undefined {
  return compared ? methodText(compared.method) : undefined;
}

describe('compareRuns', () => {
  it('finds nothing but ratios of 1 between two equal runs', () => {
    const comparison = compare(exampleRun(), exampleRun());
    expect(comparisonSchema.parse(comparison)).toEqual(comparison);
    expect(comparison.differences).toEqual([]);
    expect(comparison.rows).toHaveLength(8);
    expect(comparison.rows.map((row) => [row.throughputRatio, row.p99Ratio, row.cpuPerRequestRatio])).toEqual(
      Array.from({ length: 8 }, () => [1, 1, 1]),
    );
  });

  it('gives b over a', () => {
    const { rows } = compare(runOf(exampleTrial({ throughput: 1_000, p99Ms: 20 })), runOf(exampleTrial({ throughput: 1_500, p99Ms: 10 })));
    expect(rows).toMatchObject([{ label: 'java · pool 8', throughputRatio: 1.5, p99Ratio: 0.5 }]);
  });

  it('joins by target, settings and connections, whatever the order of trials and settings', () => {
    const a = runOf(exampleTrial({ settings: { pool: 2, threads: 50 } }), exampleTrial({ settings: { pool: 4, threads: 50 } }));
    const b = runOf(exampleTrial({ settings: { threads: 50, pool: 4 } }), exampleTrial({ settings: { threads: 50, pool: 2 } }));
    expect(compare(a, b).rows.map((row) => [row.a?.settings['pool'], row.b?.settings['pool']])).toEqual([
      [2, 2],
      [4, 4],
    ]);
  });

  it('shows trials that only one run has, without ratios', () => {
    const { rows } = compare(runOf(exampleTrial({ settings: { pool: 2 } })), runOf(exampleTrial({ settings: { pool: 4 } })));
    expect(rows.map((row) => [row.label, row.a === null, row.b === null, row.throughputRatio])).toEqual([
      ['java · pool 2', false, true, null],
      ['java · pool 4', true, false, null],
    ]);
  });

  it('keeps apart what differs in connections only, and names them', () => {
    const { rows } = compare(runOf(exampleTrial({ connections: 16 })), runOf(exampleTrial({ connections: 32 })));
    expect(rows.map((row) => row.label)).toEqual(['java · pool 8 · 16 connections', 'java · pool 8 · 32 connections']);
  });

  it('joins over a setting that only one run names with a single value, and says so as a warning', () => {
    const comparison = compare(runOf(exampleTrial({ settings: { pool: 8 } })), runOf(exampleTrial({ settings: { pool: 8, threads: 50 } })));
    expect(comparison.rows).toHaveLength(1);
    expect(comparison.rows[0]).toMatchObject({ label: 'java · pool 8', throughputRatio: 1 });
    expect(comparison.differences).toEqual([{ what: 'java threads', a: '–', b: '50', severity: 'warning' }]);
  });

  it('does not join over a setting that tells the trials of one run apart', () => {
    const b = runOf(exampleTrial({ settings: { pool: 8, threads: 50 } }), exampleTrial({ settings: { pool: 8, threads: 100 } }));
    expect(compare(runOf(exampleTrial({ settings: { pool: 8 } })), b).rows).toHaveLength(3);
  });

  it('gives no ratio when either trial is not valid', () => {
    const invalid = exampleTrial({ valid: false, reasons: ['saturated'] });
    expect(compare(runOf(exampleTrial()), runOf(invalid)).rows[0]).toMatchObject({
      throughputRatio: null,
      p99Ratio: null,
      cpuPerRequestRatio: null,
    });
    expect(compare(runOf(invalid), runOf(exampleTrial())).rows[0]?.throughputRatio).toBeNull();
  });

  it('gives no ratio where a figure is missing', () => {
    const without = { ...exampleTrial(), latencyMs: null };
    expect(compare(runOf(exampleTrial()), runOf(without)).rows[0]).toMatchObject({ throughputRatio: 1, p99Ratio: null });
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
    const warnings = compare(exampleRun(), b).differences.filter((difference) => difference.severity === 'warning');
    expect(warnings.map((difference) => difference.what)).toEqual([
      'CPU',
      'cores',
      'Node',
      'PostgreSQL shared_buffers',
      'requests to java',
    ]);
    const more = compare(runOf(exampleTrial({ connections: 16 })), runOf(exampleTrial({ connections: 32 })));
    expect(more.differences).toEqual([{ what: 'connections', a: '16', b: '32', severity: 'warning' }]);
  });

  it('warns of a run that was cancelled or is not valid', () => {
    const { differences } = compare(exampleRun(), exampleRun({ state: 'cancelled', valid: false, reasons: recorded('too few blocks') }));
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
    const { differences } = compare(base, b);
    expect(differences.map((difference) => difference.what)).toEqual(['block', 'seed', 'git commit', 'uncommitted changes']);
    expect(new Set(differences.map((difference) => difference.severity))).toEqual(new Set(['info']));
  });
});

describe('verdicts', () => {
  const many = { rounds: 8 };

  it('are given within one run from its rounds, with the scatter of all settings of the target', () => {
    const run = exampleRun();
    const [two, four] = [run.trials[0], run.trials[1]];
    const comparison = compareRuns(run, run, { trialA: two?.key, trialB: four?.key });
    expect(comparisonSchema.parse(comparison)).toEqual(comparison);
    expect(comparison.sameRun).toBe(true);
    expect(comparison.a.trialKey).toBe(two?.key);
    expect(comparison.rows).toHaveLength(1);
    expect(comparison.rows[0]).toMatchObject({
      label: 'java · pool 2 → java · pool 4',
      throughput: { verdict: 'better' },
      p99: { verdict: 'better' },
    });
    expect(methodOf(comparison.rows[0]?.throughput)).toMatch(/same 3 rounds/);
    expect(comparison.rows[0]?.throughput?.ratio.mean).toBeCloseTo(4_172 / 2_012, 3);
    expect(comparison.differences).toEqual([{ what: 'pool', a: '2', b: '4', severity: 'info' }]);
    expect(comparisonHeadline(comparison)).toMatch(/^Pool 4 is 2\.1 times as fast as pool 2/);
  });

  it('are narrow within one run and cautious across two, for the same figures', () => {
    const trials = [
      exampleTrial({ settings: { pool: 8 }, throughput: 7_940, ...many }),
      exampleTrial({ settings: { pool: 16 }, throughput: 8_260, ...many }),
    ];
    const run = runOf(...trials);
    const [a, b] = trials.map((trial) => trial.key);
    const within = compareRuns(run, run, { trialA: a, trialB: b }).rows[0]?.throughput;
    const across = compareRuns(run, { ...run, id: otherId }, { trialA: a, trialB: b }).rows[0]?.throughput;
    expect(within?.verdict).toBe('same');
    expect(across?.verdict).toBe('unknown');
    expect(across && cureText(across)).toBe('run both side by side to decide');
    expect(methodOf(across)).toMatch(/^Two runs: Welch.*3 % that whole runs differ in/);
  });

  describe('of two sizes at which nobody waits', () => {
    const compared = (
      share: number,
      b: { throughput: number; connections?: number },
      sizes: Trial['sizes'] = { pool: 'pool' },
    ): Comparison => {
      const swings = [1.2, 0.84, 1.1, 0.9, 1.17, 0.85, 0.93, 1.08];
      const trials = [exampleTrial({ settings: { pool: 40 }, ...many }), exampleTrial({ settings: { pool: 48 }, ...many, ...b })].map(
        (trial, side): Trial => ({
          ...trial,
          sizes,
          blocks: trial.blocks.map((block, index) => ({
            ...block,
            throughput: block.throughput * (side === 0 ? 1 : (swings[index] ?? 1)),
            waits: { pool: share, threads: null },
          })),
        }),
      );
      const run = runOf(...trials);
      return compareRuns(run, run, { trialA: trials[0]?.key, trialB: trials[1]?.key });
    };
    const verdict = (...of: Parameters<typeof compared>): string | undefined => compared(...of).rows[0]?.throughput?.verdict;

    it('are the same, though the figures alone are open', () => {
      const found = compared(0.001, { throughput: 7_940 });
      expect(found.rows[0]?.throughput).toMatchObject({ verdict: 'same', byMechanism: 'pool' });
      expect(comparisonHeadline(found)).toMatch(
        /^Pool 48 is as fast as pool 40: nobody waits for a connection with either \(measured: −.* to \+.* %\)\./,
      );
      expect(comparisonSchema.parse(compared(0.001, { throughput: 7_940 })).rows[0]?.throughput?.ratio.ciLow).toBeLessThan(0.95);
      expect(comparisonTable(compared(0.001, { throughput: 7_940 })).rows[0]?.cells.map(({ text }) => text)).toContain('same');
    });

    it('stay open where the figures deny it, and fresh processes are the way to tell', () => {
      const { throughput } = compared(0.001, { throughput: 5_500 }).rows[0] ?? {};
      expect(throughput?.verdict).toBe('unknown');
      expect(throughput && sentenceWithCure(throughput, { a: 'pool 40', b: 'pool 48' })).toMatch(
        /^pool 48 looks .* slower than pool 40 .* and yet nobody waits .*fresh processes/,
      );
    });

    it('are told by their figures alone where somebody waits, the load differs, or the setting is not what is waited for', () => {
      expect(verdict(0.02, { throughput: 7_940 })).toBe('unknown');
      expect(verdict(0.02, { throughput: 5_500 })).toBe('worse');
      expect(verdict(0.001, { throughput: 7_940, connections: 64 })).toBe('unknown');
      expect(verdict(0.001, { throughput: 5_500 }, {})).toBe('worse');
      expect(verdict(0.001, { throughput: 5_500 }, { pool: 'threads' })).toBe('worse');
    });
  });

  it('say what would decide where the same setting of two runs cannot be told apart', () => {
    const found = compare(runOf(exampleTrial(many)), runOf(exampleTrial({ ...many, throughput: 8_100 })));
    expect(found.rows[0]?.throughput).toMatchObject({ verdict: 'unknown', moreRounds: null });
    expect(comparisonHeadline(found)).toMatch(/run both again, in turn, to decide\.$/);
  });

  it('are not given to trials that are not valid; the headline says why', () => {
    const found = compare(runOf(exampleTrial()), runOf(exampleTrial({ valid: false, reasons: ['The load generator was saturated.'] })));
    expect(found.rows[0]).toMatchObject({ throughput: null, p99: null, cpuPerRequest: null });
    expect(comparisonHeadline(found)).toBe('No verdict: the second is not valid (The load generator was saturated).');
  });

  it('compare p99 at a fixed rate where both have it, and else say that it follows from throughput', () => {
    const open = (p99Ms: number, carried = true): NonNullable<Trial['openLoop']> => ({
      rate: 6_000,
      p99Ms,
      ciLow: p99Ms * 0.97,
      ciHigh: p99Ms * 1.03,
      ratioToBest: null,
      blocks: 6,
      carried,
    });
    const trials = [
      { ...exampleTrial({ settings: { pool: 8 }, ...many }), openLoop: open(10) },
      { ...exampleTrial({ settings: { pool: 16 }, ...many }), openLoop: open(14) },
      { ...exampleTrial({ settings: { pool: 2 }, ...many }), openLoop: open(900, false) },
    ] as const;
    const run = runOf(...trials);
    const p99 = (b: Trial): ComparedMetric | null | undefined =>
      compareRuns(run, run, { trialA: trials[0].key, trialB: b.key }).rows[0]?.p99;
    expect(p99(trials[1])).toMatchObject({ verdict: 'worse', ratio: { mean: 1.4 } });
    expect(methodOf(p99(trials[1]))).toMatch(/^At a fixed rate of 6,000 requests\/s/);
    const late = p99(trials[2]);
    expect(late).toMatchObject({ verdict: 'worse', ratio: { ciLow: null } });
    expect(late && comparedSentence(late, { a: 'pool 8', b: 'pool 2' })).toBe('pool 2 could not answer 6,000 requests/s, pool 8 could');
    const closed = compareRuns(exampleRun(), exampleRun(), { trialA: run.trials[0]?.key, trialB: exampleRun().trials[3]?.key }).rows[0]
      ?.p99;
    expect(methodOf(closed)).toMatch(/latency follows from throughput/);
  });

  it('give p99 no interval where its blocks have too few requests', () => {
    const few = (settings: SettingValues): Trial => {
      const trial = exampleTrial({ settings, ...many });
      return { ...trial, blocks: trial.blocks.map((block) => ({ ...block, requests: 900 })) };
    };
    const run = runOf(few({ pool: 2 }), few({ pool: 4 }));
    expect(compareRuns(run, run, { trialA: run.trials[0]?.key, trialB: run.trials[1]?.key }).rows[0]?.p99).toMatchObject({
      verdict: 'unknown',
      ratio: { ciLow: null },
    });
  });

  it('of many settings are summed up in one sentence', () => {
    const base = exampleRun();
    const slower = {
      ...base,
      trials: base.trials.map((trial, index) =>
        index === 2 ? exampleTrial({ settings: { pool: 8 }, throughput: 5_000, p99Ms: 9.8 }) : trial,
      ),
    };
    expect(comparisonHeadline(compare(base, slower))).toMatch(
      /^The second is slower in 1 of 8 settings \(java · pool 8: −37 %\); 7 are not decided\./,
    );
  });

  it('give no direction to changes that the figures show as none', () => {
    expect(comparisonHeadline(compare(exampleRun(), exampleRun()))).toMatch(
      /^The second looks as fast as the first in all 8 settings; none of them is decided\./,
    );
    const two = { ...exampleRun(), trials: exampleRun().trials.slice(0, 2) };
    expect(comparisonHeadline(compare(two, two))).toMatch(/^The second looks as fast as the first in both settings; neither is decided\./);
  });

  it('name another machine first', () => {
    expect(comparisonHeadline(compare(exampleRun(), exampleRun({ environment: exampleEnvironment({ cores: 2 }) })))).toMatch(
      /They ran on different machines/,
    );
  });

  it('are not given to a run beside itself, or to runs without a common setting', () => {
    expect(comparisonHeadline(compareRuns(exampleRun(), exampleRun()))).toMatch(/^Both sides are the same/);
    const apart = compare(runOf(exampleTrial({ settings: { pool: 2 } })), runOf(exampleTrial({ settings: { pool: 4 } })));
    expect(comparisonHeadline(apart)).toMatch(/no setting in common/);
  });

  it('are refused for a setting that a run does not have', () => {
    expect(() => compareRuns(exampleRun(), exampleRun(), { trialA: 'java|pool=3|c=32' })).toThrow(/has no setting/);
  });

  it('turn round when the sides change places', () => {
    const run = exampleRun();
    const opposite = { better: 'worse', worse: 'better', same: 'same', unknown: 'unknown' } as const;
    for (const one of run.trials.slice(0, 4))
      for (const other of run.trials.slice(0, 4)) {
        if (one === other) continue;
        const there = compareRuns(run, run, { trialA: one.key, trialB: other.key }).rows[0];
        const back = compareRuns(run, run, { trialA: other.key, trialB: one.key }).rows[0];
        for (const key of ['throughput', 'p99', 'cpuPerRequest'] as const) {
          expect(back?.[key]?.verdict).toBe(opposite[there?.[key]?.verdict ?? 'unknown']);
          expect(back?.[key]?.ratio.mean).toBeCloseTo(1 / (there?.[key]?.ratio.mean ?? 0), 9);
        }
      }
  });
});

describe('differences of chosen settings', () => {
  it('count a default like a value that was asked for', () => {
    const [one, other] = [exampleTrial({ settings: { pool: 8 } }), exampleTrial({ settings: { pool: 8, threads: 50 } })];
    const started = (trial: Trial, settings: SettingValues): RunRecord => {
      const run = runOf(trial);
      return { ...run, plan: { ...run.plan, commands: { [trial.key]: { argv: [], cwd: '', env: [], settings } } } };
    };
    const comparison = compare(started(one, { pool: 8, threads: 50 }), started(other, { pool: 8, threads: 50 }));
    expect(comparison.differences).toEqual([]);
  });

  it('name probes and how the settings were brought about', () => {
    const base = exampleRun();
    const live = exampleRun({ plan: { ...base.plan, mode: 'live' } });
    expect(compare(base, live).differences).toEqual([
      { what: 'how it was run', a: 'one process per setting', b: 'changed while it ran', severity: 'warning' },
      { what: 'probes', a: 'none', b: 'attached', severity: 'warning' },
    ]);
  });
});
