import type { LineTable } from '../../model/domain/flame.ts';
import { jvmFileNames, pathCandidates } from '../../calltree/sourceLocation.ts';
import { share } from './sourceMarkTexts.ts';

type TableFile = LineTable['files'][number];

/** Lines below this share have no mark. */
export const smallestShare = 0.005;
/** Shares from which a mark is one step warmer; with the one for stale marks they are all the decoration types there are. */
export const heatSteps: readonly number[] = [smallestShare, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7];

/** The step of a share, from 0; -1 for what has no mark. */
export function heatStep(value: number): number {
  return heatSteps.findLastIndex((step) => value >= step);
}

/** The number of an event of the table; of the first when it has none of that name, -1 when it has none at all. */
export function eventIndex(table: LineTable, name: string): number {
  const found = table.events.findIndex((event) => event.name === name);
  return found >= 0 ? found : table.events.length > 0 ? 0 : -1;
}

/** The lines and functions that have a mark for an event, by their place in the file's lists. */
export function markedLines(file: TableFile, table: LineTable, event: number): { index: number; step: number }[] {
  const total = table.events[event]?.total ?? 0;
  return file.lines.flatMap((line, index) => {
    const step = heatStep(share(line.total[event] ?? 0, total));
    return step < 0 ? [] : [{ index, step }];
  });
}

/**
 * The part of a table that is about a document. The path as recorded decides; else a class by its package and name, or the trailing parts of the
 * path below one of the roots, as sources are found (`pathCandidates`).
 */
export function tableFileOf(documentPath: string, roots: readonly string[], files: readonly TableFile[]): TableFile | undefined {
  const path = slashed(documentPath);
  const exact = files.find(({ kind, file }) => kind === 'path' && slashed(file) === path);
  if (exact !== undefined) return exact;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return files.find(({ kind, file }) => {
    const recorded = slashed(file);
    if (kind === 'javaClass') {
      const folder = recorded.slice(0, recorded.lastIndexOf('/') + 1);
      const className = recorded.slice(folder.length).replace(/\.\w+$/, '');
      return path.endsWith(`/${folder}${name}`) && jvmFileNames(className).includes(name);
    }
    if (!recorded.endsWith(`/${name}`) && recorded !== name) return false;
    return pathCandidates(recorded, roots).some((candidate) => slashed(candidate) === path);
  });
}

function slashed(path: string): string {
  const plain = path.replaceAll('\\', '/');
  return /^[A-Z]:/.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}

/** The next marked line after (or before) `from` in the order of the file, beginning again at its other end; undefined where there is none. */
export function neighbour(lines: readonly number[], from: number, direction: 1 | -1): number | undefined {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  return direction === 1 ? (sorted.find((line) => line > from) ?? sorted[0]) : (sorted.findLast((line) => line < from) ?? sorted.at(-1));
}

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
