import type { TableColumn, TableRow } from '../engine/report/table.ts';

/** What of a table a terminal shows. */
export interface PlainTable {
  columns: readonly Pick<TableColumn, 'title' | 'numeric'>[];
  rows: readonly Pick<TableRow, 'cells'>[];
}

/** A table for a terminal: columns padded, figures to the right, two spaces between; rows of void trials end with their verdict as the others do. */
export function textTable(table: PlainTable): string {
  const widths = table.columns.map((column, index) =>
    Math.max(column.title.length, ...table.rows.map((row) => (row.cells[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return table.columns[index]?.numeric === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [
    line(table.columns.map((column) => column.title)),
    widths.map((width) => '─'.repeat(width)).join('──'),
    ...table.rows.map((row) => line(row.cells)),
  ].join('\n');
}
