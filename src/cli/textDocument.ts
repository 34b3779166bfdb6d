import { type Answer, type Part, type PartTexts, partText } from '../model/presentation/documents/document.ts';
import { forestText } from '../model/presentation/forest.ts';
import { type Table, cellText } from '../model/presentation/table.ts';

const signs = { problem: '!', note: '·' } as const;

/** A document for a terminal, a line for each text; empty lines surround tables, sections and drawings. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => ({ text: partText(texts, part), apart: !['text', 'list', 'answers'].includes(part.kind) }))
    .filter(({ text }) => text !== '')
    .map(({ text, apart }, index, all) => (index > 0 && (apart || all[index - 1]?.apart === true) ? `\n${text}` : text))
    .join('\n');
}

const texts: PartTexts = {
  heading: ({ text, about = '', chips = [] }) =>
    [text, about, ...chips.map((chip) => chip.text)].filter((words) => words !== '').join(' · '),
  text: ({ text }) => text,
  answers: ({ answers }) => answers.flatMap(answerLines).join('\n'),
  list: ({ items }) => items.map(({ look, about, text }) => `${signs[look]} ${about === '' ? '' : `${about}: `}${text}`).join('\n'),
  facts: ({ facts }) => facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
  table: ({ table }) => textTable(table),
  forest: ({ lines, delta }) => forestText(lines, delta).join('\n'),
  lines: ({ lines }) => lines.join('\n'),
  section: ({ title, parts }) => `${title}\n${textOf(parts)}`,
  beside: ({ sections }) => textOf(sections),
  drawn: () => '',
};

function answerLines({ label, headline, aside, status, text, evidence, warning, condition }: Answer): string[] {
  const head = `${label === null ? '' : `${label}: `}${headline}${aside === '' ? '' : ` ${aside}`}.`;
  return [
    [head, ...(status === '' ? [] : [`${status}.`]), text].filter((words) => words !== '').join(' '),
    ...evidence.map(({ name, word, text: said }) => `  ${name} (${word}): ${said}`),
    ...[warning, condition].filter((line) => line !== '').map((line) => `  ${line}`),
  ];
}

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
