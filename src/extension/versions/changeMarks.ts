import path from 'node:path';
import type { LineTable } from '../../model/domain/flame.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';
import { diffHeadline } from '../../model/presentation/diffWords.ts';
import { weightChangePhrase, weightPhrase } from '../../model/presentation/versionDiffTable.ts';
import { eventName } from '../../model/presentation/eventNames.ts';
import { commandLink, escapeMarkdown } from '../kit/row.ts';
import type { MarkSource } from '../source/sourceMarks.ts';

/** Characters that "+0.91 ms?" takes, and one more. */
const changeWidth = 10;
/** Of the largest change: what takes less is marked, but not warm. */
const coolShare = 0.01;

/**
 * What two versions differ in as marks in the source, before the code of each line that takes more or less: "+0.91 ms". Null where nothing is known by line, or where
 * the newer version is not the code that the folder has.
 */
export function changeMarks(run: RunRecord, folder: string, openGraphs: (() => void) | null): MarkSource | null {
  const { result } = run;
  if (result.kind !== 'diff' || !isInFolder(result)) return null;
  const flame = result.why?.flame ?? null;
  const lines = result.why?.lines ?? [];
  if (flame === null || lines.length === 0) return null;
  const largest = Math.max(...lines.map(({ base, head }) => Math.abs(head - base)));
  const files = new Map<string, LineTable['files'][number]>();
  const known = new Map<string, (typeof lines)[number]>();
  for (const one of [...lines].sort((x, y) => x.line - y.line)) {
    const file = path.resolve(folder, one.file);
    const table = files.get(file) ?? { file, kind: 'path', lines: [], functions: [] };
    files.set(file, table);
    const change = one.head - one.base;
    const weight = change > 0 ? change : coolShare * largest;
    table.lines.push({ line: one.line, self: [weight], total: [weight], callers: [] });
    known.set(`${file}:${one.line}`, one);
  }
  const changeOf = (file: string, line: number): { base: number; head: number } => known.get(`${file}:${line}`) ?? { base: 0, head: 0 };
  const amount = (value: number): string => weightPhrase(value, flame.unit);
  return {
    table: { events: [{ name: flame.event, unit: flame.unit, total: largest }], requests: null, files: [...files.values()] },
    label: `${result.head.label} against ${result.base.label}`,
    event: flame.event,
    roots: [folder],
    recordedAtMs: Date.parse(run.startedAt) + run.durationMs,
    compared: null,
    focus: openGraphs ?? (() => undefined),
    words: {
      width: changeWidth,
      text: ({ file, line }, stale) => {
        const { base, head } = changeOf(file, line);
        return `${weightChangePhrase(head - base, flame.unit)}${stale ? '?' : ''}`;
      },
      hover: ({ file, line }, stale) => {
        const { base, head } = changeOf(file, line);
        return [
          `**${escapeMarkdown(`${weightChangePhrase(head - base, flame.unit)}/req`)}** ${escapeMarkdown(eventName(flame.event))}`,
          escapeMarkdown(`${amount(base)} → ${amount(head)} for each request, with what the line calls, by a recording of each version.`),
          escapeMarkdown(diffHeadline(result)),
          ...(stale === null ? [] : [escapeMarkdown(stale)]),
          ...(openGraphs === null ? [] : [commandLink('Compare the flame graphs of both versions', 'focusFunction', ['', file])]),
        ].join('\n\n');
      },
    },
  };
}

/** Marks are on the lines of the newer version: the working tree, or what is checked out. */
function isInFolder({ head, asked }: VersionDiff): boolean {
  return head.commit === null || asked?.head === 'HEAD';
}
