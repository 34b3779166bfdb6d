import { existsSync } from 'node:fs';
import { type SourceMapPayload, SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import * as z from 'zod';
import { attempt } from '../../../model/domain/attempt.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import { readBoundedText } from '../../files/boundedFile.ts';
import { LineStarts } from '../../files/lineStarts.ts';
import { packageAbove } from '../../files/packageFolders.ts';
import { functionEnd } from './functionEnd.ts';
import type { CpuProfile, V8CallFrame, V8PositionTick } from './v8Profiles.ts';

const maxMapBytes = 64 * 1024 * 1024;
const maxAllMapsBytes = 256 * 1024 * 1024;
const maxSources = 100_000;
/** A place in node_modules. */
const installed = /[/\\]node_modules[/\\]/;

/** A script as the process runs it. */
export interface LoadedScript {
  text: string;
  /** What its `//# sourceMappingURL=` says; '' where it has none. */
  sourceMapUrl: string;
}

/** A place in a source file; line and column from 0. */
export interface OriginalPlace {
  file: string;
  line: number;
  column: number;
}

const mapSchema = z.looseObject({
  version: z.literal(3),
  sources: z.array(z.string().nullable()).max(maxSources),
  mappings: z.string(),
  sourceRoot: z.string().nullish(),
});

interface LoadedMap {
  map: SourceMap;
  /** Absolute files of the map's sources that exist. */
  files: Map<string, string>;
}

/**
 * Finds for places in loaded scripts where they come from. Only sources that exist as files count: a frame should lead somewhere. A map that is
 * missing, broken or too large is as good as none, and {@link broken} names its script.
 */
export class SourceMaps {
  readonly #maps = new Map<string, LoadedMap | null>();
  readonly #lines = new Map<string, LineStarts>();
  readonly #ends = new Map<string, number | null>();
  #bytes = 0;
  /** URLs of scripts that name a map which cannot be used. */
  readonly broken: string[] = [];

  /** @param baseDir folder of the app, absolute: from there bundlers name the sources (`webpack://app/./src/a.ts`) of a script that is in no package */
  constructor(
    private readonly scripts: Pick<ReadonlyMap<string, LoadedScript>, 'get' | 'has'>,
    private readonly baseDir: string | null = null,
  ) {}

  /** Where a place in a script (line and column from 0) comes from; null where no map has it. */
  original(url: string, line: number, column: number): OriginalPlace | null {
    const loaded = this.#mapOf(url);
    if (loaded === null || line < 0) return null;
    const at = Math.max(0, column);
    // A place before the first one that is mapped in its line would be found in a line above.
    const entry = entryIn(loaded.map, line, at) ?? entryIn(loaded.map, line, Math.max(at, this.#firstColumn(url, line)));
    if (entry === null) return null;
    const file = loaded.files.get(entry.originalSource);
    return file === undefined ? null : { file, line: entry.originalLine, column: entry.originalColumn };
  }

  /** The name of a function in its source, where its name in the script is another and the map has it; null elsewhere. */
  originalName({ functionName, url, lineNumber, columnNumber }: V8CallFrame): string | null {
    const loaded = this.#mapOf(url);
    const start = columnNumber - functionName.length;
    if (loaded === null || functionName === '' || lineNumber < 0 || start < 0) return null;
    const at = (this.#linesOf(url).startOf(lineNumber) ?? 0) + start;
    if (this.scripts.get(url)?.text.startsWith(functionName, at) !== true) return null;
    const entry = loaded.map.findEntry(lineNumber, start);
    const isHere = 'generatedColumn' in entry && entry.generatedLine === lineNumber && entry.generatedColumn === start;
    return isHere && 'name' in entry && typeof entry.name === 'string' && entry.name !== '' ? entry.name : null;
  }

  /**
   * The line ticks of a function that count: those within its own lines, as V8 also adds lines of functions that were inlined into it, which may be in other
   * files. Where the script has a map, the lines are those of the source. In a script whose functions are all on one line the lines show nothing.
   */
  ticks(frame: V8CallFrame, ticks: readonly V8PositionTick[]): V8PositionTick[] {
    const { url, lineNumber, columnNumber } = frame;
    const script = this.scripts.get(url);
    if (script === undefined || lineNumber < 0) return [...ticks];
    const end = this.#endOf(url, frame);
    const lastLine = end === null ? Infinity : this.#linesOf(url).lineAt(end - 1);
    const own = ticks.filter(({ line }) => line - 1 >= lineNumber && line - 1 <= lastLine);
    if (this.#mapOf(url) === null) return own;
    const first = this.original(url, lineNumber, columnNumber);
    if (first === null) return own;
    if (end !== null && lastLine === lineNumber) {
      const last = this.original(url, lineNumber, end - 1 - (this.#linesOf(url).startOf(lineNumber) ?? 0));
      if (last === null || last.line !== first.line) return [];
    }
    const merged = new Map<number, number>();
    for (const { line, ticks: count } of own) {
      const column = line - 1 === lineNumber ? columnNumber : this.#firstColumn(url, line - 1);
      const place = this.original(url, line - 1, column);
      if (place?.file === first.file) merged.set(place.line + 1, (merged.get(place.line + 1) ?? 0) + count);
    }
    return [...merged].map(([line, count]) => ({ line, ticks: count }));
  }

  /** The lines of the script, from 1, on which a function begins and ends; null where that is unknown. */
  lines(frame: V8CallFrame): { first: number; last: number } | null {
    if (!this.scripts.has(frame.url) || frame.lineNumber < 0) return null;
    const end = this.#endOf(frame.url, frame);
    return end === null ? null : { first: frame.lineNumber + 1, last: this.#linesOf(frame.url).lineAt(end - 1) + 1 };
  }

  #mapOf(url: string): LoadedMap | null {
    return remembered(this.#maps, url, () => {
      const mapUrl = this.scripts.get(url)?.sourceMapUrl ?? '';
      try {
        return mapUrl === '' ? null : this.#load(url, mapUrl);
      } catch {
        this.broken.push(url);
        return null;
      }
    });
  }

  #load(url: string, mapUrl: string): LoadedMap {
    const { text, base } = mapUrl.startsWith('data:') ? { text: dataText(mapUrl), base: url } : mapFile(mapUrl, url);
    this.#bytes += text.length;
    if (this.#bytes > maxAllMapsBytes) throw new Error('too many maps');
    // Some servers put this in front, so that the map cannot be run as a script.
    const payload = mapSchema.parse(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')));
    const folder = url.startsWith('file:') ? (packageAbove(fileURLToPath(url))?.folder ?? null) : null;
    // The sources of what is installed are its own, whatever the same names lead to in the app.
    const within = folder !== null && installed.test(folder) ? `${folder}${path.sep}` : '';
    const files = new Map<string, string>();
    for (const source of payload.sources) {
      if (source === null) continue;
      const at = (from: string | null): string | null => sourceFile(source, payload.sourceRoot ?? '', base, from);
      const named = at(folder);
      const file = within === '' && (named === null || !existsSync(named)) ? (at(this.baseDir) ?? named) : named;
      // The origin of what a bundler included from a package is still known when the package is gone.
      if (file?.startsWith(within) === true && (existsSync(file) || (within === '' && installed.test(file)))) files.set(source, file);
    }
    return { map: new SourceMap(payload as unknown as SourceMapPayload), files };
  }

  #linesOf(url: string): LineStarts {
    return remembered(this.#lines, url, () => new LineStarts(this.scripts.get(url)?.text ?? ''));
  }

  #firstColumn(url: string, line: number): number {
    const lines = this.#linesOf(url);
    const { text } = lines;
    const start = lines.startOf(line) ?? text.length;
    let at = start;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    return at - start;
  }

  #endOf(url: string, { functionName, lineNumber, columnNumber }: V8CallFrame): number | null {
    return remembered(this.#ends, `${lineNumber}:${columnNumber}:${url}`, () => {
      const lines = this.#linesOf(url);
      const { text } = lines;
      const start = (lines.startOf(lineNumber) ?? text.length) + columnNumber;
      const isWhole = functionName === '' && lineNumber === 0 && columnNumber <= 0;
      return isWhole ? text.length : attempt(() => functionEnd(text, start), null);
    });
  }
}

/** The absolute path that a map's name for a source means. `folder`: from where bundlers name theirs. */
function sourceFile(source: string, root: string, base: string, folder: string | null): string | null {
  const bundled = /^webpack:\/\/[^/]*\/(?:\.\/)?([^?]+)/.exec(source)?.[1];
  if (bundled !== undefined) return folder === null ? null : path.resolve(folder, bundled);
  const rooted =
    root === '' || /^[a-z][a-z0-9+.-]+:/i.test(source) || path.isAbsolute(source) ? source : `${root.replace(/\/?$/, '/')}${source}`;
  if (path.isAbsolute(rooted)) return rooted;
  const resolved = new URL(rooted, base);
  return resolved.protocol === 'file:' ? fileURLToPath(resolved) : null;
}

function entryIn(
  map: SourceMap,
  line: number,
  column: number,
): { originalSource: string; originalLine: number; originalColumn: number } | null {
  const entry = map.findEntry(line, column);
  if (!('originalSource' in entry) || typeof entry.originalSource !== 'string' || entry.generatedLine !== line) return null;
  return entry;
}

function dataText(url: string): string {
  const comma = url.indexOf(',');
  if (comma === -1 || url.length > maxMapBytes * 1.4) throw new Error('no data');
  const body = url.slice(comma + 1);
  return /;base64$/i.test(url.slice(0, comma)) ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
}

function mapFile(mapUrl: string, scriptUrl: string): { text: string; base: string } {
  const base = new URL(mapUrl, scriptUrl);
  if (base.protocol !== 'file:') throw new Error('not a file');
  const file = fileURLToPath(base);
  return { text: readBoundedText(file, { largestBytes: maxMapBytes }), base: base.href };
}

const maxBrokenNamed = 3;

/** Says that maps of these scripts could not be used. */
export function brokenNote(urls: readonly string[]): RecordingNote {
  const names = urls.slice(0, maxBrokenNamed).map((url) => decodeURIComponent(url.split('/').at(-1) ?? url));
  return { code: 'source-maps-broken', names, more: urls.length - names.length };
}

/** Replaces a call frame's place and name by those of the source, where a map has them. Returns whether it did. */
export function mapCallFrame(frame: V8CallFrame, maps: SourceMaps): boolean {
  if (frame.url === '' || frame.url.startsWith('node:')) return false;
  const place = maps.original(frame.url, frame.lineNumber, frame.columnNumber);
  if (place === null) return false;
  frame.functionName = maps.originalName(frame) ?? frame.functionName;
  frame.url = pathToFileURL(place.file).href;
  frame.lineNumber = place.line;
  frame.columnNumber = place.column;
  return true;
}

/** Makes the frames and line ticks of a CPU profile speak of sources, in place. */
export function mapCpuProfile(profile: CpuProfile, maps: SourceMaps): void {
  for (const node of profile.nodes) {
    if (node.positionTicks !== undefined) node.positionTicks = maps.ticks(node.callFrame, node.positionTicks);
    mapCallFrame(node.callFrame, maps);
  }
}
