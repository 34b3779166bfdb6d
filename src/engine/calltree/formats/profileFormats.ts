import { cpuCoverage } from '../../../calltree/cpuCoverage.ts';
import type { TreeDiff } from '../../../calltree/diffTrees.ts';
import { damaged } from '../../../calltree/treeLimits.ts';
import type { CallTree, EventColumn } from '../../../model/domain/callTree.ts';
import { failure } from '../../../model/domain/failure.ts';
import type { ProfileHead } from '../../../model/domain/flame.ts';
import type { FileHead } from '../fileHead.ts';
import { readJfr } from '../jfr/readJfr.ts';
import { maxJsonBytes, parseJsonDocument } from '../jsonDocument.ts';
import { looksCollapsed, readCollapsed } from '../readCollapsed.ts';
import { readCpuProfile, readCpuProfileDocument, readOldCpuProfile } from '../readCpuProfile.ts';
import { readFirefox } from '../readFirefox.ts';
import { readFlameHtml } from '../readFlameHtml.ts';
import { readHeapProfile } from '../readHeapProfile.ts';
import { readHeapSnapshot } from '../readHeapSnapshot.ts';
import { looksLikeOtlp, readOtlp } from '../readOtlp.ts';
import { looksLikePerfScript, readPerfScript } from '../readPerfScript.ts';
import { looksLikePprof, readPprof } from '../readPprof.ts';
import { readSpeedscope } from '../readSpeedscope.ts';
import { readTraceEvents } from '../readTraceEvents.ts';
import { readStackTicks, readV8Log } from '../readV8Log.ts';
import type { ScriptPlaces } from '../scriptPlaces.ts';
import { writeCollapsed } from '../writeCollapsed.ts';
import { writeDiffCollapsed, writeDiffJson, writeDiffSvg } from '../writeDiff.ts';
import { writeFirefox } from '../writeFirefox.ts';
import { type FileOf, writeFunctionJson } from '../writeFunctionJson.ts';
import { type PackedParts, writeHtml } from '../writeHtml.ts';
import { writeOtlp, writePprof } from '../writePprof.ts';
import { writeSpeedscope } from '../writeSpeedscope.ts';
import { writeSvg } from '../writeSvg.ts';

/**
 * How the editor treats files of an ending: `opens` them with the flame graph; `offers` it next to the editor's own viewer or another extension's; `asked`:
 * only who names the file gets it, as the ending says little of what is inside.
 */
export type EndingUse = 'opens' | 'offers' | 'asked';

/** What is to be written, and what some formats need beyond the tree. */
export interface WriteSource {
  tree: CallTree;
  /** The event that is shown. */
  event: EventColumn;
  /** What a format gets that holds several events. */
  events: readonly EventColumn[];
  title: string;
  /** The one sentence that the recording comes to. */
  sentence: () => string;
  fileOf: FileOf;
  /** For a self-contained page. `assetsDir` is absolute. */
  page: { parts: PackedParts; head: ProfileHead; assetsDir: string };
}

/** A form in which profiles are read, written or both. Its object holds everything that is known of a format; see {@link profileFormats}. */
export interface ProfileFormat {
  /** What it is called on a command line and in messages: lower case letters, digits and dashes. */
  id: string;
  /** What a person calls it. */
  label: string;
  /** Endings of its files, with what comes before them (`.pb.gz`, `-v8.log`). It is written under the first. */
  endings: Readonly<Record<string, EndingUse>>;
  /** Whether a file is of this format, by its content. The first format of the list that says so reads it. */
  sniff?: (head: FileHead) => boolean;
  /** Makes of a file what {@link ProfileFormat.read} reads, where a program is needed for that. Fails with a `FailureError`. */
  prepare?: (bytes: Uint8Array) => Promise<Uint8Array>;
  /**
   * Reads a file, unpacked; `scripts` resolves the places in scripts of V8’s profiles to their sources. Every failure is a `FailureError`: `profile-damaged`,
   * `profile-too-large` or `profile-unknown`.
   */
  read?: (bytes: Uint8Array, scripts: ScriptPlaces | null) => CallTree;
  write?: (source: WriteSource) => string | Uint8Array | Promise<string>;
  /** Writes a comparison of two recordings, with the sentence that it comes to. */
  writeDiff?: (diff: TreeDiff, sentence: string) => string;
}

type Reading = ProfileFormat & Required<Pick<ProfileFormat, 'sniff' | 'read'>>;
type Writing = ProfileFormat & Required<Pick<ProfileFormat, 'write'>>;

/**
 * Every format, once. Reading, the name of what was read, the endings of `-o`, what a page offers to export and the selectors of the manifest follow from this
 * list. Formats with an unmistakable mark come before those that are recognised by their look.
 */
export const profileFormats: readonly ProfileFormat[] = [
  {
    id: 'svg',
    label: 'SVG picture',
    endings: { '.svg': 'asked' },
    write: ({ tree, event, title }) => writeSvg(tree, event, title),
    writeDiff: (diff) => writeDiffSvg(diff),
  },
  {
    id: 'jfr',
    label: 'Java Flight Recorder',
    endings: { '.jfr': 'opens' },
    sniff: ({ text }) => text.startsWith('FLR\0'),
    read: (bytes) => readJfr(bytes),
  },
  {
    id: 'async-profiler-html',
    label: 'Flame graph of async-profiler (HTML)',
    endings: { '.html': 'asked' },
    sniff: ({ text }) => /^\s*<!doctype html/i.test(text) && /\bfunction f\(|\bconst cpool\b/.test(text) && text.includes('async-profiler'),
    read: readFlameHtml,
  },
  {
    id: 'heapsnapshot',
    label: 'V8 heap snapshot',
    endings: { '.heapsnapshot': 'offers', '.heaptimeline': 'offers' },
    sniff: ({ has }) => has('snapshot'),
    read: (bytes, scripts) => readHeapSnapshot(parseJsonDocument(bytes, 'heap snapshot'), scripts),
  },
  {
    // What is made of a log that V8 wrote.
    id: 'v8-processed-log',
    label: 'V8 log, preprocessed',
    endings: { '.json': 'asked' },
    sniff: ({ has }) => has('ticks') && has('code'),
    read: readProcessedLog,
  },
  {
    // The same as whole stacks: `ticks.json` of 0x, `….clinic-flame-samples` of Clinic.
    id: 'stack-ticks',
    label: 'Ticks of 0x or Clinic Flame',
    endings: { '.clinic-flame-samples': 'asked' },
    sniff: ({ json, text }) => json === 'list' && /^\s*\[\s*(?:\[\s*\]\s*,\s*)*\[\s*\{[^{}]{0,2000}"name"/.test(text),
    read: readStackTicks,
  },
  {
    id: 'cpuprofile',
    label: 'V8 CPU profile',
    endings: { '.cpuprofile': 'offers' },
    sniff: ({ has }) => has('nodes'),
    read: (bytes, scripts) => {
      const scanned = readCpuProfile(bytes, scripts);
      if (typeof scanned === 'object') return scanned;
      // A file that is too long for `JSON.parse` is only checked for faults of its JSON.
      if (scanned === 'invalid' && bytes.byteLength > maxJsonBytes) throw damaged('.cpuprofile', 'its JSON is cut short or not valid');
      return readCpuProfileDocument(parseJsonDocument(bytes, '.cpuprofile'), scripts);
    },
  },
  {
    id: 'cpuprofile-tree',
    label: 'V8 CPU profile, old form',
    endings: { '.cpuprofile': 'offers' },
    // A heap profile has a head too, whose nodes have call frames and sizes.
    sniff: ({ has, text }) =>
      has('head') && !text.includes('"callFrame"') && !text.includes('"selfSize"') && text.includes('"functionName"'),
    read: (bytes, scripts) => readOldCpuProfile(parseJsonDocument(bytes, '.cpuprofile'), scripts),
  },
  {
    id: 'heapprofile',
    label: 'V8 heap profile',
    endings: { '.heapprofile': 'offers' },
    sniff: ({ has }) => has('head'),
    read: (bytes, scripts) => readHeapProfile(parseJsonDocument(bytes, '.heapprofile'), scripts),
  },
  {
    id: 'trace',
    label: 'performance trace (Chrome, Node)',
    endings: { '.trace.json': 'offers', '.json': 'asked' },
    sniff: ({ json, has, text }) => has('traceEvents') || (json === 'list' && /"ph"\s*:\s*"/.test(text)),
    read: readTraceEvents,
  },
  {
    id: 'speedscope',
    label: 'speedscope',
    endings: { '.speedscope.json': 'opens', '.speedscope': 'asked' },
    sniff: ({ has }) => has('shared', 'profiles'),
    read: (bytes) => readSpeedscope(parseJsonDocument(bytes, 'speedscope')),
    write: ({ tree, events, title }) => writeSpeedscope(tree, events, title),
  },
  {
    id: 'firefox',
    label: 'Firefox Profiler',
    endings: { '.firefox.json': 'opens', '.json.gz': 'asked' },
    sniff: ({ has, text }) => has('threads') || (has('profile') && /"(?:libs|threads|meta)"/.test(text)),
    read: (bytes) => readFirefox(parseJsonDocument(bytes, 'Firefox Profiler')),
    write: ({ tree, events, title }) => writeFirefox(tree, events, title),
  },
  {
    // What `node --prof` writes: addresses, which Node itself has to resolve first.
    id: 'v8-log',
    label: 'V8 log (node --prof)',
    endings: { '-v8.log': 'offers' },
    sniff: ({ text }) => text.startsWith('v8-version,'),
    prepare: async (bytes) => (await import('../preprocessV8Log.ts')).preprocessV8Log(bytes),
    read: readProcessedLog,
  },
  {
    id: 'perf',
    label: 'perf script',
    endings: { '.perf': 'offers', '.txt': 'asked' },
    sniff: ({ json, text }) => json === null && looksLikePerfScript(text),
    read: readPerfScript,
  },
  {
    id: 'collapsed',
    label: 'Collapsed stacks',
    endings: { '.collapsed': 'opens', '.folded': 'opens', '.txt': 'asked' },
    sniff: ({ json, bytes }) => json === null && looksCollapsed(bytes),
    read: readCollapsed,
    write: ({ tree, event }) => writeCollapsed(tree, event),
    writeDiff: (diff) => writeDiffCollapsed(diff),
  },
  {
    id: 'otlp',
    label: 'OpenTelemetry profiles (OTLP)',
    endings: { '.otlp': 'opens', '.otlp.pb': 'asked' },
    sniff: ({ bytes }) => looksLikeOtlp(bytes),
    read: readOtlp,
    write: ({ tree, events }) => writeOtlp(tree, events),
  },
  {
    id: 'pprof',
    label: 'pprof',
    endings: { '.pb.gz': 'opens', '.pprof': 'opens', '.pprof.gz': 'asked', '.pb': 'asked' },
    sniff: ({ bytes }) => looksLikePprof(bytes),
    read: readPprof,
    write: ({ tree, events }) => writePprof(tree, events),
  },
  {
    id: 'json',
    label: 'Functions as JSON',
    endings: { '.json': 'asked' },
    write: ({ tree, event, fileOf, sentence, page: { head } }) =>
      writeFunctionJson(tree, event, fileOf, { sentence: sentence(), cpu: cpuCoverage(head.recording?.cpu, tree) }),
    writeDiff: writeDiffJson,
  },
  {
    id: 'html',
    label: 'Page that stands alone (HTML)',
    endings: { '.html': 'asked', '.htm': 'asked' },
    write: ({ event, page: { parts, head, assetsDir } }) => writeHtml(parts, { ...head, defaultEvent: event.name }, assetsDir),
  },
];

function readProcessedLog(bytes: Uint8Array): ReturnType<typeof readV8Log> {
  return readV8Log(parseJsonDocument(bytes, 'V8 log'));
}

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
