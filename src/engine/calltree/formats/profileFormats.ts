import { failure } from '../../../model/domain/failure.ts';
import type { FileHead } from '../fileHead.ts';
import { collapsed } from './collapsed.ts';
import { functionJson, standalonePage, svgPicture } from './documents.ts';
import { firefox } from './firefox.ts';
import { flameHtml } from './flameHtml.ts';
import { flightRecorder } from './flightRecorder.ts';
import { otlp } from './otlp.ts';
import { perfScript } from './perfScript.ts';
import { pprof } from './pprof.ts';
import type { ProfileFormat } from './profileFormat.ts';
import { speedscope } from './speedscope.ts';
import { traceEvents } from './traceEvents.ts';
import { v8CpuProfile } from './v8CpuProfile.ts';
import { v8HeapProfile } from './v8HeapProfile.ts';
import { v8HeapSnapshot } from './v8HeapSnapshot.ts';
import { stackTicks, v8Log, v8ProcessedLog } from './v8Log.ts';
import { v8OldCpuProfile } from './v8OldCpuProfile.ts';

type Reading = ProfileFormat & Required<Pick<ProfileFormat, 'sniff' | 'read'>>;
type Writing = ProfileFormat & Required<Pick<ProfileFormat, 'write'>>;

/**
 * Every format, once. Reading, the name of what was read, the endings of `-o`, what a page offers to export and the selectors of the manifest follow from this
 * list. Formats with an unmistakable mark come before those that are recognised by their look.
 */
export const profileFormats: readonly ProfileFormat[] = [
  svgPicture,
  flightRecorder,
  flameHtml,
  v8HeapSnapshot,
  v8ProcessedLog,
  stackTicks,
  v8CpuProfile,
  v8OldCpuProfile,
  v8HeapProfile,
  traceEvents,
  speedscope,
  firefox,
  v8Log,
  perfScript,
  collapsed,
  otlp,
  pprof,
  functionJson,
  standalonePage,
];

/** What can be written, in the order in which it is offered. */
export const writableFormats: readonly Writing[] = profileFormats.filter((format): format is Writing => format.write !== undefined);

/** The format that reads a file, null where none does. */
export function formatOf(head: FileHead): Reading | null {
  return profileFormats.find((format): format is Reading => format.read !== undefined && format.sniff?.(head) === true) ?? null;
}

/** What can be written under that name; fails with `profile-export`. */
export function writableFormat(id: string): Writing {
  const format = writableFormats.find((one) => one.id === id);
  if (format !== undefined) return format;
  const names = writableFormats.map((one) => one.id).join(', ');
  throw failure('profile-export', `A recording is not written as “${id.slice(0, 40)}”.`, `Choose one of: ${names}.`);
}

/** What a file of that name is to be written as, by the longest ending that fits; null where none does. */
export function formatByName(file: string): Writing | null {
  const name = file.toLowerCase();
  const fitting = writableFormats.flatMap((format) =>
    Object.keys(format.endings)
      .filter((ending) => name.endsWith(ending))
      .map((ending) => ({ format, ending })),
  );
  return fitting.sort((a, b) => b.ending.length - a.ending.length)[0]?.format ?? null;
}

/** The ending under which a format is written. */
export function endingOf({ endings }: ProfileFormat): string {
  return Object.keys(endings)[0] ?? '';
}
