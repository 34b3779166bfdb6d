import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemplateResult } from 'lit';
import { describe, expect, it } from 'vitest';
import { comparisonText } from '../../../src/cli/compareCommand.ts';
import { runText } from '../../../src/cli/runText.ts';
import { tuneText } from '../../../src/cli/tuneDocument.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { compareRuns } from '../../../src/engine/runs/compareRuns.ts';
import { comparisonTable } from '../../../src/model/presentation/comparisonTable.ts';
import { type RunRecord, runRecordSchema } from '../../../src/model/domain/run.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import type { Table } from '../../../src/model/presentation/table.ts';
import { rowsTable } from '../../../webview/compare/rowsTable.ts';
import { MetricsTable } from '../../../webview/result/metricsTable.ts';
import { shownRun } from '../../../webview/tune/shown.ts';
import { exampleDisturbedRun, exampleRun } from '../../support/runRecords.ts';
import { exampleTuning } from '../../support/tuningRecords.ts';

const folder = fileURLToPath(new URL('../../fixtures/runs/v7/', import.meta.url));
const recorded = readdirSync(folder).map((name): [string, RunRecord] => [
  name,
  runRecordSchema.parse(JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))),
]);
const runs: [string, RunRecord][] = [
  ...recorded.filter(([, { trials, result }]) => trials.length > 0 && result.kind !== 'experiment'),
  ['a disturbed run', exampleDisturbedRun()],
  ['a tuning', exampleTuning()],
];

/** The markup that a template makes, without what only the page adds. */
function markup(value: unknown): string {
  if (Array.isArray(value)) return value.map(markup).join('');
  if (typeof value === 'object' && value !== null && 'strings' in value) {
    const { strings, values } = value as TemplateResult;
    return strings.map((text, index) => text + (index < values.length ? markup(values[index]) : '')).join('');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** The cells of the body's rows in the first table of a page that holds `from`. */
function cellsOf(html: string): string[][] {
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? '';
  return [...body.matchAll(/<tr(?![^>]*class="reason")[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => plain(cell.replace(/<svg[\s\S]*?<\/svg>/g, ''))),
  );
}

function expected({ rows }: Table): string[][] {
  return rows.map(({ cells }) => cells.map(({ text }) => text));
}

/** The rows of a terminal's table, which are below its rule; a column begins where its rule does. */
function terminalRows(text: string, { columns, rows }: Table): string[][] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('──'));
  const widths = columns.map(({ title }, index) => Math.max(title.length, ...rows.map((row) => row.cells[index]?.text.length ?? 0)));
  return lines.slice(at + 1, at + 1 + rows.length).map((line) => {
    let start = 0;
    return widths.map((width) => {
      const cell = line.slice(start, start + width).trim();
      start += width + 2;
      return cell;
    });
  });
}

function panelTable(run: RunRecord): string {
  const { trials, recommendations, answers, delta } = shownRun(run);
  const element = Object.assign(new MetricsTable(), { trials, recommendations, answers, delta });
  return markup((element as unknown as { render: () => TemplateResult }).render());
}

describe.each(runs)('the table of %s', (_, run) => {
  const table = runTable(presentedRun(run));
  const wanted = expected(table);

  it('has a cell for each column', () => {
    expect(wanted).not.toHaveLength(0);
    for (const row of wanted) expect(row).toHaveLength(table.columns.length);
  });

  it('has the same cells in the report', () => {
    const page = htmlReport(run);
    expect(cellsOf(page.slice(page.indexOf('<h2>Figures</h2>')))).toEqual(wanted);
  });

  it('has the same cells in Markdown', () => {
    const lines = markdownReport(run).split('\n');
    const at = lines.findIndex((line) => line.startsWith('| :--'));
    const found = lines.slice(at + 1, at + 1 + wanted.length).map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) =>
          cell
            .replace(/^\*\*(.*)\*\*$/, '$1')
            .replace(/\\/g, '')
            .replaceAll('&lt;', '<')
            .trim(),
        ),
    );
    expect(found).toEqual(wanted);
  });

  it('has the same cells on a terminal', () => {
    if (run.result.kind !== 'tune') {
      expect(terminalRows(runText(run), table)).toEqual(wanted);
      return;
    }
    const [answer] = run.result.answers;
    const trials = run.trials.filter(({ target }) => target === answer?.target);
    const own = runTable({ ...presentedRun(run), trials });
    expect(terminalRows(tuneText(run), own)).toEqual(expected(own));
    for (const row of expected(own)) expect(wanted).toContainEqual(row);
  });

  it('has the same cells in the panel', () => {
    expect(cellsOf(panelTable(run))).toEqual(wanted);
  });
});

describe('the table of a comparison', () => {
  const comparison = compareRuns(exampleRun(), exampleDisturbedRun({ id: 'mb2k9x1b-0123456789abcdef01234567' }));
  const table = comparisonTable(comparison);

  it('has the same cells on a terminal and in the panel', () => {
    const wanted = expected(table);
    expect(wanted).toHaveLength(8);
    expect(terminalRows(comparisonText(comparison), table)).toEqual(wanted);
    const drawn = cellsOf(markup(rowsTable(comparison)));
    expect(drawn.map((row) => row.slice(1))).toEqual(wanted.map((row) => row.slice(1)));
    for (const [index, row] of drawn.entries()) expect(row[0]).toContain(wanted[index]?.[0]);
  });
});
