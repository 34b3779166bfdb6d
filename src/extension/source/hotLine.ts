import type { LineTable } from '../../model/domain/flame.ts';

/**
 * The line at which a function weighs most in an event, by its own weight and then by its total: where a person wants to land who opens the
 * function and not one of its lines. The function ends where the next one of its file begins. Null where the recording has no lines of it.
 */
export function hotLine(table: LineTable, frame: { file: string; line: number }, event: string): number | null {
  const file = table.files.find((one) => one.kind === 'path' && one.file === frame.file);
  const column = table.events.findIndex((one) => one.name === event);
  if (file === undefined || column === -1 || frame.line <= 0) return null;
  const end = file.functions.reduce((least, { line }) => (line > frame.line && line < least ? line : least), Infinity);
  let hottest: LineTable['files'][number]['lines'][number] | null = null;
  for (const one of file.lines) {
    if (one.line < frame.line || one.line >= end) continue;
    const [self, total] = [one.self[column] ?? 0, one.total[column] ?? 0];
    const [bestSelf, bestTotal] = [hottest?.self[column] ?? 0, hottest?.total[column] ?? 0];
    if (self > bestSelf || (self === bestSelf && total > bestTotal)) hottest = one;
  }
  return hottest?.line ?? null;
}
