import type { LineTable } from '../../model/domain/flame.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { VersionWhy } from '../../model/domain/versionDiff.ts';
import { type EventDiff, isChange } from './changedFunctions.ts';
import { headLineOf } from './changedLines.ts';
import { type CodeChange, pathOf } from './touchedFunctions.ts';

type Lines = NonNullable<VersionWhy['lines']>;

const mostLines = 100;

/**
 * Lines of head that take more or less in an event, per request: a line of base counts for its line of head by the diff. What two counts of samples may differ
 * in by chance is left out. Files are relative to the repository’s top.
 */
export function lineChanges(tables: { base: LineTable; head: LineTable }, code: CodeChange, diff: EventDiff): Lines {
  const found = new Map<string, Lines[number]>();
  for (const side of ['base', 'head'] as const) {
    const { events, files, requests } = tables[side];
    const column = events.findIndex(({ name }) => name === diff.diff.event);
    if (column === -1 || requests === null || requests <= 0) return [];
    for (const table of files) {
      const recorded = pathOf(table, code);
      if (recorded === null) continue;
      const change = code.files.find((one) => (side === 'base' ? one.basePath : one.path) === recorded);
      const file = change?.path ?? recorded;
      for (const { line: at, total } of table.lines) {
        const line = side === 'head' ? at : headLineOf(change?.hunks ?? [], at);
        remembered(found, `${file}:${line}`, () => ({ file, line, base: 0, head: 0 }))[side] += (total[column] ?? 0) / requests;
      }
    }
  }
  return [...found.values()]
    .filter(({ base, head }) => isChange(diff, { now: head, before: base }))
    .sort((x, y) => Math.abs(y.head - y.base) - Math.abs(x.head - x.base))
    .slice(0, mostLines);
}
