import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { Trial } from '../../model/domain/run.ts';
import type { ChangedFile, ChangedFunction, DiffExcerpt, VersionWhy } from '../../model/domain/versionDiff.ts';
import { lineTable } from '../../calltree/lineTable.ts';
import { withRoles } from '../../calltree/stackRoles.ts';
import { readBoundedText } from '../files/boundedFile.ts';
import { SourceFinder } from '../profiles/sourceFinder.ts';
import { readStored } from '../profiles/storedProfile.ts';
import { type EventDiff, alongWithTotal, changedFunctions, diffBoxes, eventDiff } from './changedFunctions.ts';
import { type FileChange, touchedLines } from './changedLines.ts';
import { strongest } from './culprit.ts';
import { lineChanges } from './lineChanges.ts';
import { cpuErrorOf, inMeasuredCpu } from './measuredCpu.ts';
import { type CodeChange, functionPlaces } from './touchedFunctions.ts';
import { shownName, withPlacesInNames } from './unnamedFunctions.ts';

/** The order in which one of them is pictured, where they changed alike. Waiting time includes what CPU time does not. */
const events = ['cpu', 'wall', 'database', 'poolWait', 'alloc'] as const;
const byFar = 2;
const mostFiles = 50;
const mostFunctions = 12;
const mostFileBytes = 2_000_000;
const excerptLines = 14;
const longestLine = 200;

/** The two versions, as they lie on the disk. */
export interface BothVersions {
  /** The user’s repository, whose paths are in the recordings. */
  root: string;
  /** The folder of `benchside.json`; paths in sentences are relative to it. */
  workspaceDir: string;
  /** Head’s copy. */
  headDir: string;
  files: readonly FileChange[];
}

/** A recording of a version, and the trial in which it was measured without a recorder. */
export interface RecordedVersion {
  record: RecordingRecord;
  trial: Trial;
}

/** What recordings of both versions say of their difference. `folder` holds the files of the recordings. */
export async function explain(
  both: BothVersions,
  recordings: { base: RecordedVersion; head: RecordedVersion },
  folder: string,
): Promise<VersionWhy> {
  const code = codeOf(both);
  const [before, now] = [recordings.base.trial, recordings.head.trial];
  const sideOf = async ({ record, trial }: RecordedVersion, side: 'base' | 'head') => {
    const { tree, requests } = await readStored(folder, record);
    const measured = inMeasuredCpu(withRoles(tree), requests, trial.resources.app.cpuUsPerRequest);
    return { tree: withPlacesInNames(measured, side, code), requests, title: record.title, lines: lineTable(measured, requests) };
  };
  const head = await sideOf(recordings.head, 'head');
  const sides = {
    base: await sideOf(recordings.base, 'base'),
    head,
    places: functionPlaces(head.tree, code),
    cpuError: cpuErrorOf(before, now),
  };
  const diffs = events.flatMap((event) => eventDiff(sides, event) ?? []);
  const cpu = diffs.find(({ diff }) => diff.event === 'cpu');
  const shown = pictured(diffs);
  const functions = strongest(
    diffs.flatMap((diff) => changedFunctions(diff, sides.places)),
    {
      pictured: shown?.diff.event ?? null,
      connections: now.connections,
      latencyChangeNs: before.latencyMs === null || now.latencyMs === null ? null : 1e6 * (now.latencyMs.mean - before.latencyMs.mean),
      cpuChangeNs: cpu === undefined ? 0 : Math.abs(cpu.head - cpu.base),
      cpu: cpu === undefined ? [] : alongWithTotal(cpu, sides.places),
    },
  );
  const forPeople = <T extends { name: string; file: string | null }>(one: T): T => ({
    ...one,
    name: shownName(one.name),
    file: one.file === null ? null : fromWorkspace(both, one.file),
  });
  const lines = shown === null ? [] : lineChanges({ base: sides.base.lines, head: sides.head.lines }, code, shown);
  const ran = sides.places.flatMap(({ file, line, touched }, func) =>
    touched ? [forPeople({ name: head.tree.functions.name[func] ?? '', file, line })] : [],
  );
  return {
    functions: functions.map(forPeople),
    ran: [...new Map(ran.map((one) => [`${one.name}\0${one.file ?? ''}`, one])).values()].slice(0, mostFunctions),
    flame:
      shown === null
        ? null
        : {
            event: shown.diff.event,
            unit: shown.diff.unit,
            base: shown.base,
            head: shown.head,
            boxes: diffBoxes(shown, sides.places).map(forPeople),
          },
    ...(lines.length === 0 ? {} : { lines: lines.map((line) => ({ ...line, file: fromWorkspace(both, line.file) })) }),
    excerpt: excerptOf(both, code, functions[0]),
    recordings: { base: recordings.base.record.id, head: recordings.head.record.id },
  };
}

/** The files that two versions differ in, as a person reads them. */
export function changedFiles(both: BothVersions): ChangedFile[] {
  return both.files.slice(0, mostFiles).map(({ path: file, hunks }) => ({
    path: fromWorkspace(both, file),
    added: hunks.reduce((sum, { added }) => sum + added.length, 0),
    removed: hunks.reduce((sum, { gone }) => sum + gone.length, 0),
  }));
}

/** CPU, unless something else changed by far more of itself: waits follow the CPU where that is short. */
function pictured(diffs: readonly EventDiff[]): EventDiff | null {
  const changed = ({ base, head }: EventDiff): number => Math.abs(head - base) / Math.max(base, head, Number.MIN_VALUE);
  return diffs
    .filter(({ diff }) => diff.unit === 'ns')
    .reduce<EventDiff | null>((best, one) => (best === null || changed(one) > byFar * changed(best) ? one : best), null);
}

function codeOf({ root, headDir, files }: BothVersions): CodeChange {
  const texts = new Map<string, readonly string[] | null>();
  const sources = new SourceFinder([headDir]);
  return {
    files,
    relative: (file) => {
      if (!path.isAbsolute(file)) return null;
      const relative = path.relative(root, file).split(path.sep).join('/');
      return relative === '' || relative.startsWith('../') ? null : relative;
    },
    sourceOf: (file) => {
      const { dir, name } = path.posix.parse(file);
      const found = sources.find({ kind: 'java', packagePath: dir, className: name });
      return found === null ? null : path.relative(headDir, found).split(path.sep).join('/');
    },
    linesOf: (file) =>
      remembered(texts, file, () =>
        attempt(() => readBoundedText(path.join(headDir, file), { largestBytes: mostFileBytes }).split(/\r?\n/), null),
      ),
  };
}

function fromWorkspace({ root, workspaceDir }: BothVersions, file: string): string {
  return path.relative(workspaceDir, path.join(root, file)).split(path.sep).join('/');
}

/** The change at the function that answers for it; else the first change there is. */
function excerptOf(both: BothVersions, code: CodeChange, culprit: ChangedFunction | undefined): DiffExcerpt | null {
  const file =
    both.files.find((one) => culprit?.touched === true && one.path === culprit.file) ?? (culprit === undefined ? both.files[0] : undefined);
  const lines = file === undefined ? null : code.linesOf(file.path);
  if (file === undefined || lines === null) return null;
  const at =
    file.hunks.find((hunk) => culprit?.line != null && touchedLines(hunk).some((line) => line >= (culprit.line ?? 0))) ?? file.hunks[0];
  if (at === undefined) return null;
  // A hunk without new lines lies behind the line that it names.
  const before = at.added.length === 0 ? at.headStart : at.headStart - 1;
  const after = before + at.added.length + 1;
  const same = (line: number): DiffExcerpt['lines'] => {
    const text = lines[line - 1];
    return text === undefined ? [] : [{ line, kind: 'same', text }];
  };
  const shown: DiffExcerpt['lines'] = [
    ...[before - 1, before].flatMap(same),
    ...at.gone.map((text) => ({ line: null, kind: 'gone' as const, text })),
    ...at.added.map((text, index) => ({ line: at.headStart + index, kind: 'new' as const, text })),
    ...[after, after + 1].flatMap(same),
  ];
  return {
    file: fromWorkspace(both, file.path),
    lines: shown.slice(0, excerptLines).map((one) => ({ ...one, text: one.text.slice(0, longestLine) })),
  };
}
