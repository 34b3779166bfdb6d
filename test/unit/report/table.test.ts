import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { type Trial, noErrors, noUse } from '../../../src/model/domain/run.ts';
import { proxySchema } from '../../../src/model/domain/topology.ts';
import { repeatCommand, shellQuoted } from '../../../src/model/presentation/repeatCommand.ts';
import { comparisonHeadline } from '../../../src/model/presentation/comparisonSaid.ts';
import { presentedRun, resourceTable, runTable } from '../../../src/model/presentation/runTable.ts';
import { remarks } from '../../../src/model/presentation/documents/runFacts.ts';
import { compareRuns } from '../../../src/engine/runs/compareRuns.ts';
import { runBadge } from '../../../src/model/presentation/runWords.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { exampleTuning } from '../../support/tuningRecords.ts';
import { constantSettings, labelsOf, settingTitle, trialPhrase } from '../../../src/model/presentation/settingWords.ts';

function cells(run: ReturnType<typeof exampleRun>, title: string): (string | undefined)[] {
  const table = runTable(presentedRun(run));
  const index = table.columns.findIndex((column) => column.title === title);
  expect(index, title).toBeGreaterThanOrEqual(0);
  return table.rows.map((row) => row.cells[index]?.text);
}

describe('the table of figures', () => {
  it('has a cell for each column in every row', () => {
    for (const table of [runTable(presentedRun(exampleRun())), resourceTable(presentedRun(exampleRun()))]) {
      expect(table.rows).toHaveLength(8);
      for (const row of table.rows) expect(row.cells).toHaveLength(table.columns.length);
    }
  });

  it('gives each setting that varies a column, and names what is the same in all', () => {
    const run = exampleRun({
      trials: [exampleTrial({ settings: { pool: 2, threads: 50 } }), exampleTrial({ settings: { pool: 4, threads: 50 } })],
    });
    expect(
      runTable(presentedRun(run))
        .columns.slice(0, 3)
        .map((column) => column.title),
    ).toEqual(['Target', 'Pool size', 'req/s']);
    expect(constantSettings(run.trials, {})).toBe('threads 50, connections 32');
    expect(run.trials.map((trial) => trialPhrase(run, trial))).toEqual(['Java · pool 2', 'Java · pool 4']);
  });

  it('gives connections a column when they vary', () => {
    const run = exampleRun({ trials: [exampleTrial({ connections: 16 }), exampleTrial({ connections: 32 })] });
    expect(cells(run, 'Connections')).toEqual(['16', '32']);
  });

  it('shows the share of the best valid trial of the same target', () => {
    const run = exampleRun({
      recommendations: [],
      trials: [
        exampleTrial({ throughput: 500, settings: { pool: 1 } }),
        exampleTrial({ throughput: 1_000, settings: { pool: 2 } }),
        exampleTrial({ throughput: 4_000, settings: { pool: 4 }, valid: false, reasons: ['saturated'] }),
        exampleTrial({ throughput: 9_000, settings: { pool: 1 }, target: 'node' }),
      ],
    });
    expect(cells(run, 'of best')).toEqual(['50 %', '100 %', '–', '100 %']);
    expect(cells(run, 'notes')).toEqual(['50 % below best', 'best', 'not valid', '']);
  });

  it('marks the recommended trial', () => {
    expect(
      runTable(presentedRun(exampleRun()))
        .rows.filter((row) => row.mark !== null)
        .map((row) => row.cells.slice(0, 2).map(({ text }) => text)),
    ).toEqual([
      ['Java', '8'],
      ['Node', '2'],
    ]);
  });

  it('shows a dash where there is no figure', () => {
    const trial = {
      ...exampleTrial({ valid: false }),
      latencyMs: null,
      blocks: [],
      throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
    };
    trial.resources = { ...trial.resources, app: noUse };
    const run = exampleRun({ trials: [trial] });
    for (const title of ['req/s', '95 % interval', 'of best', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/req'])
      expect(cells(run, title), title).toEqual(['–']);
    const { columns, rows } = resourceTable(presentedRun(run));
    for (const title of ['app CPU', 'app memory', 'app threads'])
      expect(rows[0]?.cells[columns.findIndex((column) => column.title === title)]?.text, title).toBe('–');
  });
});

describe('what was not measured', () => {
  it('has no errors, rather than none; failed requests are counted also where no block is', () => {
    const nothing = { mean: 0, ciLow: null, ciHigh: null, blocks: [] };
    const failed = (total: number): Trial['errors'] => ({ ...noErrors, total });
    const trials = [
      { ...exampleTrial(), throughput: nothing, errors: failed(0) },
      { ...exampleTrial(), throughput: nothing, errors: failed(12) },
      { ...exampleTrial(), errors: failed(0) },
    ];
    expect(cells(exampleRun({ trials, recommendations: [] }), 'errors')).toEqual(['–', '12', '0']);
  });
});

describe('the margin of a run', () => {
  const trials = [
    exampleTrial({ settings: { pool: 1 }, throughput: 850 }),
    exampleTrial({ settings: { pool: 2 }, throughput: 960 }),
    exampleTrial({ settings: { pool: 4 }, throughput: 1_000 }),
  ];
  const asked = (delta: number): ReturnType<typeof exampleRun> => exampleRun({ delta, trials, recommendations: [], noiseFloorPercent: 8 });

  it('is what its table, its badge and its marks go by', () => {
    expect(cells(asked(0.05), 'notes')).toEqual(['15 % below best', 'within 5 % of best', 'best']);
    expect(cells(asked(0.2), 'notes')).toEqual(['within 20 % of best', 'within 20 % of best', 'best']);
    expect(cells(asked(0.025), 'notes')).toEqual(['15 % below best', '4 % below best', 'best']);
    expect([asked(0.05), asked(0.1)].map((run) => runBadge(run).kind)).toEqual(['warning', 'good']);
    const [trial] = trials;
    const likely = exampleRun().recommendations.map((one) => ({ ...one, status: 'plausible' as const, trialKey: trial?.key ?? null }));
    const marks = [0.01, 0.05].map((delta) => runTable(presentedRun(exampleRun({ delta, trials, recommendations: likely }))).rows[0]?.mark);
    expect(marks).toEqual(['unsure', 'recommended']);
  });

  it('makes a comparison call two runs the same, the smaller one where they differ', () => {
    const a = asked(0.2);
    const b = { ...asked(0.2), id: 'mb2k9x1b-0123456789abcdef01234567' };
    const narrow = compareRuns(a, { ...b, delta: 0.05 });
    expect([compareRuns(a, b).delta, narrow.delta]).toEqual([0.2, 0.05]);
    expect(comparisonHeadline(compareRuns(a, b))).toContain('within ±20 %');
    expect(comparisonHeadline(narrow)).not.toContain('within');
  });
});

describe('the name of a setting', () => {
  it('is its label, also where only the answers of a tuning know it, else made of its name', () => {
    const labels = labelsOf(exampleTuning());
    expect(settingTitle('pool', labels)).toBe('Pool size');
    expect(settingTitle('poolTimeoutMs', labels)).toBe('pool timeout (ms)');
    const run = exampleRun({
      trials: [exampleTrial({ settings: { poolTimeoutMs: 5 } }), exampleTrial({ settings: { poolTimeoutMs: 9 } })],
    });
    expect(run.trials.map((trial) => trialPhrase(run, trial))).toEqual(['Java · pool timeout (ms) 5', 'Java · pool timeout (ms) 9']);
    expect(runTable(presentedRun(run)).columns[1]?.title).toBe('Pool timeout (ms)');
  });
});

describe('remarks', () => {
  it('name a trial that is not valid without a reason, blocks that do not count, errors and an unsteady warm-up', () => {
    const trial = exampleTrial({ settings: { pool: 2 }, valid: false });
    const other = exampleTrial({ settings: { pool: 4 } });
    const [block] = other.blocks;
    if (block) Object.assign(block, { valid: false, reasons: recorded('the host was busy') });
    other.errors = { ...other.errors, total: 3, timeout: 3 };
    other.warmUp = { durationMs: 45_000, steady: false, throughput: [], tickMs: 500 };
    const found = remarks(exampleRun({ trials: [trial, other], notes: [] })).map(
      (remark) => `${remark.look} ${remark.about}: ${remark.text}`,
    );
    expect(found).toEqual([
      'problem Java · pool 2: not valid; no reason was recorded',
      'note Java · pool 4, round 1: the host was busy',
      'note Java · pool 4: Errors: 3 timed out.',
      'note Java · pool 4: Not steady after 45 s of warm-up.',
    ]);
  });
});

describe('the command that repeats a run', () => {
  it('writes out what was measured', () => {
    expect(repeatCommand(exampleRun())).toBe(
      'benchside run --target java --target node --set pool=2,4,8,16 --load steady --route /ads/:id --connections 32 --duration 4 --rounds 3 --seed 7',
    );
  });

  it('quotes what a shell would read otherwise', () => {
    expect(shellQuoted("a'b; rm -rf $HOME")).toBe(`'a'\\''b; rm -rf $HOME'`);
    expect(shellQuoted('')).toBe("''");
    const run = exampleRun();
    const proxy = proxySchema.parse({ balance: 'least-conn', staticFiles: true });
    const topology = { proxy, cpuShare: 0.5, totalConnections: 16 };
    const around = repeatCommand({ ...run, request: { ...run.request, topology, raw: { share: 0.1, maxRows: 5, timing: true } } });
    expect(around).toContain('--proxy least-conn --proxy-static --cpu-share 0.5 --total-connections 16 --raw=0.1');
    expect(repeatCommand({ ...run, request: { ...run.request, route: 'GET /ads/:id' } })).toContain("--route 'GET /ads/:id'");
  });
});
