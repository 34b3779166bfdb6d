import { recorded } from '../../support/recorded.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvColumns, csvReport } from '../../../src/engine/report/csvReport.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { withoutControls } from '../../../src/model/domain/plainText.ts';

describe('the CSV report', () => {
  it('has a row for each block with a cell for each column', () => {
    const rows = parseCsv(csvReport(exampleRun()));
    expect(rows).toHaveLength(1 + 8 * 3);
    const ofTrials = (rows[0] ?? []).filter((name) => name.startsWith('trial_') && name !== 'trial_valid');
    expect(rows[0]).toHaveLength(csvColumns.length + 1 + ofTrials.length);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    const first = Object.fromEntries((rows[0] ?? []).map((name, index) => [name, rows[1]?.[index]]));
    expect(first).toMatchObject({
      target: 'java',
      setting_pool: '2',
      round: '1',
      connections: '32',
      trial_valid: 'true',
      errors_total: '0',
    });
    expect(Number(first['throughput_per_s'])).toBeCloseTo(2_012 * 0.99, 6);
    expect(Number(first['latency_p99_ms'])).toBe(41);
  });

  it('has the figures of the table of the run for each trial, in full precision', () => {
    const run = exampleRun();
    const { columns, rows: shown } = runTable(presentedRun(run));
    const rows = parseCsv(csvReport(run));
    const cell = (row: number, name: string): number => Number(rows[row]?.[(rows[0] ?? []).indexOf(name)]);
    for (const [id, name] of [
      ['throughput', 'trial_req_s'],
      ['ofBest', 'trial_of_best'],
      ['p99', 'trial_p99_ms'],
      ['cpuPerRequest', 'trial_cpu_us_req'],
    ] as const) {
      const at = columns.findIndex((column) => column.id === id);
      // Three blocks of each trial.
      for (const [index, row] of shown.entries()) expect(cell(1 + 3 * index, name), name).toBe(row.cells[at]?.sort);
    }
  });

  it('has one row for a trial that was never measured', () => {
    const trial = { ...exampleTrial({ valid: false, reasons: ['cancelled'] }), blocks: [] };
    const rows = parseCsv(csvReport(exampleRun({ trials: [trial] })));
    expect(rows).toHaveLength(2);
    expect(rows[1]?.at(-1)).toBe('cancelled');
    expect(rows[1]?.[(rows[0] ?? []).indexOf('throughput_per_s')]).toBe('');
  });

  it('reads back what was written, whatever the names are, without what a terminal would carry out', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('"', ',', '\r', '\n', '=', '+', '-', '@', ' ', "'", '\t', '\uFEFF'),
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          ),
        }),
        (text) => {
          const plain = withoutControls(text);
          const run = exampleRun({
            trials: [{ ...exampleTrial({ settings: { pool: text === '' ? 'x' : text } }), target: text, reasons: recorded(text) }],
          });
          const [header, row] = parseCsv(csvReport(run));
          const cell = (name: string): string => row?.[header?.indexOf(name) ?? -1] ?? 'missing';
          for (const read of [cell('target'), cell('reasons')]) {
            expect([plain, `'${plain}`]).toContain(read);
            expect(read).not.toMatch(/^\s*[=+\-@]/);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\n@x', '\u0000=1', '\u200b=1', '\r+1'])(
    'keeps %j from becoming a formula',
    (text) => {
      expect(parseCsv(`${csvCell(text)}\r\n`)).toEqual([[`'${withoutControls(text)}`]]);
    },
  );

  it('leaves numbers as numbers', () => {
    expect([csvCell(-1.5), csvCell(0), csvCell(true), csvCell(null)]).toEqual(['-1.5', '0', 'true', '']);
  });

  it('has each of its columns once', () => {
    expect(new Set(csvColumns.map((column) => column.name)).size).toBe(csvColumns.length);
  });
});
