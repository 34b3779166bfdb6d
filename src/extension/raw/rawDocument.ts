import { wholeNumber } from '../../model/domain/format.ts';
import { wrapped } from '../../model/domain/sentence.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { rawCostSentence, rawViews, type RawResult, type RawRun, type RawView } from '../../model/domain/rawSample.ts';

/** Wider cells are cut: a table is for reading, an export for the rest. */
const widestCell = 80;
const gap = '  ';
/** Notes are wrapped at the width of an editor next to the explorer; the table is not. */
const widestNote = 100;

/** The result of a query as a page of text: what was asked, the statement that answers it, and the rows in columns. */
export function rawDocument(run: RawRun, view: RawView, result: RawResult, messages: readonly string[]): string {
  const { record } = run;
  const share = record.share >= 1 ? 'every request' : `${Number((record.share * 100).toPrecision(3))} % of the requests`;
  const shown = result.more ? `The first ${wholeNumber(result.rows.length)} rows; there are more.` : `${rowsPhrase(result.rows.length)}.`;
  return [
    `-- ${line(run.title)} (${line(run.startedAt)}): ${rawViews[view].label}`,
    `-- ${rawViews[view].description}. Kept: ${share}, ${wholeNumber(record.rows)} in all.`,
    ...(record.problem === null ? [] : [`-- ${line(record.problem)}`]),
    ...(record.droppedRows === 0
      ? []
      : [`-- ${wholeNumber(record.droppedRows)} requests were not kept, because the disk was slower than the load.`]),
    ...(record.full ? [`-- No more than ${wholeNumber(record.maxRows)} were to be kept: what came after has no rows.`] : []),
    ...record.costs.flatMap((cost) => note(rawCostSentence(cost))),
    ...messages.flatMap((message) => note(line(message))),
    '',
    `${result.sql};`,
    '',
    ...table(result),
    '',
    `-- ${result.rows.length === 0 ? 'No rows: nothing of the kind happened.' : shown}`,
    '',
  ].join('\n');
}

/** The statement alone, with where to run it. */
export function sqlDocument(sql: string, connection: string): string {
  const place = connection.replace(/\/\/[^@/]*@/, '//');
  return [
    `-- Database: ${line(place)} (the user and password are in the connection string: Copy Connection String)`,
    '-- Views and columns explain themselves: \\d+ raw.* in psql.',
    '',
    `${sql};`,
    '',
  ].join('\n');
}

function table({ columns, rows }: RawResult): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '' : shortened(line(cell), widestCell))));
  const widths = columns.map(({ name }, index) => cells.reduce((widest, row) => Math.max(widest, row[index]?.length ?? 0), name.length));
  const aligned = (texts: readonly string[]): string =>
    texts
      .map((text, index) => (columns[index]?.numeric === true ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
      .join(gap)
      .trimEnd();
  return [aligned(columns.map(({ name }) => name)), widths.map((width) => '─'.repeat(width)).join(gap), ...cells.map(aligned)];
}

/** "1 row", "1,204 rows". */
export function rowsPhrase(rows: number): string {
  return `${wholeNumber(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

/** A sentence as comment lines, the second and later ones indented. */
function note(sentence: string): string[] {
  return wrapped(sentence, widestNote).map((text, index) => `--${index === 0 ? ' ' : '   '}${text}`);
}

/** One line, whatever it contains. */
function line(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').slice(0, 1000);
}
