/** Rows as a table of Markdown, the first of them its head. */
export function markdownTable(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
