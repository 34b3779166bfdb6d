import { type RowFile, rawColumns, timeText } from './rawColumns.ts';
import type { RawRow } from './rawFile.ts';
import { csvText } from '../files/csvText.ts';

/** CSV as RFC 4180 has it, in UTF-8, with a line of names. What a spreadsheet would take for a formula gets an apostrophe. */
export const csvFile: RowFile = {
  begin: () => Buffer.from(`${rawColumns.map(({ name }) => name).join(',')}\r\n`),
  rows: (rows) => Buffer.from(rows.map(csvLine).join('')),
  end: () => Buffer.alloc(0),
};

function csvLine(row: RawRow): string {
  const cells = rawColumns.map(({ kind, value }) => {
    const cell = value(row);
    if (cell === null) return '';
    if (kind === 'time') return timeText(Number(cell));
    return kind === 'text' ? csvText(String(cell)) : String(cell);
  });
  return `${cells.join(',')}\r\n`;
}
