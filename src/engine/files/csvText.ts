import { withoutControls } from '../../model/domain/plainText.ts';

/**
 * A text as a cell of a CSV file. One that a spreadsheet would take for a formula (it starts with = + - @, also behind blanks, or with a tab or line
 * break) gets an apostrophe in front, which spreadsheets hide. Where a semicolon or a tab parts the cells for the reader, the quotes keep it whole.
 */
export function csvText(text: string): string {
  const plain = withoutControls(text);
  const guarded = /^(?:\s*[=+\-@＝＋－＠]|[\t\n])/.test(plain) ? `'${plain}` : plain;
  return /[",;\t\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
