import { type Table, cellText } from '../model/presentation/table.ts';

const gap = '  ';

/**
 * A table for a terminal: columns padded, figures to the right, two spaces between; the common heading of several columns is a line above their titles.
 * Rows of discarded trials end with their note as the others do.
 */
export function textTable({ caption, columns, rows }: Table): string {
  const texts = rows.map(({ cells }) => cells.map(cellText));
  const widths = columns.map(({ title }, index) => Math.max(title.length, ...texts.map((row) => (row[index] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return columns[index]?.numeric === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(gap)
      .trimEnd();
  return [
    ...(caption === undefined ? [] : [caption]),
    ...groupLine(columns, widths),
    line(columns.map((column) => column.title)),
    widths.map((width) => '─'.repeat(width)).join('──'),
    ...texts.map(line),
  ].join('\n');
}

/** Each group above the first of its columns; it has room, since it is shorter than they are together. */
function groupLine(columns: Table['columns'], widths: readonly number[]): string[] {
  if (columns.every(({ group }) => group === undefined)) return [];
  let text = '';
  let start = 0;
  for (const [index, { group }] of columns.entries()) {
    if (group !== undefined && group !== columns[index - 1]?.group) text = text.padEnd(start) + group;
    start += (widths[index] ?? 0) + gap.length;
  }
  return [text];
}
