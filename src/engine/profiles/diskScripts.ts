import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProfileNote } from '../../model/domain/profileNoteKinds.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { readBoundedText } from '../files/boundedFile.ts';
import { type LoadedScript, brokenNote, mapCallFrame, SourceMaps } from '../record/node/sourceMaps.ts';
import type { V8CallFrame } from '../record/node/v8Profiles.ts';
import type { LineTicks, ScriptPlace, ScriptPlaces } from '../calltree/scriptPlaces.ts';

const maxScripts = 1_000;
const maxScriptBytes = 64 * 1024 * 1024;
const maxAllBytes = 256 * 1024 * 1024;
const maxNamed = 3;
/** What Node runs directly. A profile may name any file: others are not read. */
const scriptName = /\.(?:js|cjs|mjs|jsx)$/;

/**
 * The scripts of a profile that are on this disk with a source map, which is named at their end, inside them or next to them (`app.js.map`). All others are
 * left unchanged.
 */
export class DiskScripts implements ScriptPlaces {
  readonly #scripts = new Map<string, LoadedScript | null>();
  readonly #maps = new SourceMaps({ get: (url) => this.#script(url), has: (url) => this.#script(url) !== undefined });
  readonly #changed: string[] = [];
  #bytes = 0;

  /** @param recordedMs when the profile was written, in ms since 1970: what was built after that may be other code. */
  constructor(private readonly recordedMs: number) {}

  /** What must be known of the places that were found. */
  get notes(): ProfileNote[] {
    const names = this.#changed.slice(0, maxNamed).map((file) => path.basename(file));
    const more = this.#changed.length - names.length;
    return [
      ...(this.#maps.broken.length === 0 ? [] : [brokenNote(this.#maps.broken)]),
      ...(names.length === 0 ? [] : [{ code: 'built-since' as const, names, more }]),
    ];
  }

  sourceOf(place: ScriptPlace): ReturnType<ScriptPlaces['sourceOf']> {
    const frame = frameOf(place);
    if (!mapCallFrame(frame, this.#maps)) return null;
    return { functionName: frame.functionName, file: fileURLToPath(frame.url), line: frame.lineNumber };
  }

  ticksOf(place: ScriptPlace, ticks: readonly LineTicks[]): readonly LineTicks[] {
    return this.#script(place.url) === undefined ? ticks : this.#maps.ticks(frameOf(place), ticks);
  }

  #script(url: string): LoadedScript | undefined {
    return remembered(this.#scripts, url, () => (this.#scripts.size >= maxScripts ? null : this.#load(url))) ?? undefined;
  }

  /** Null for a script that is not there, or has no map. */
  #load(url: string): LoadedScript | null {
    // Three slashes: a file on another computer is not asked for.
    if (!url.startsWith('file:///') || !scriptName.test(url)) return null;
    try {
      const file = fileURLToPath(url);
      const text = readBoundedText(file, { largestBytes: Math.min(maxScriptBytes, maxAllBytes - this.#bytes) });
      const sourceMapUrl = mapUrlOf(text) ?? (existsSync(`${file}.map`) ? `${url}.map` : '');
      if (sourceMapUrl === '') return null;
      this.#bytes += text.length;
      if (statSync(file).mtimeMs > this.recordedMs) this.#changed.push(file);
      return { text, sourceMapUrl };
    } catch {
      return null;
    }
  }
}

/** What the last such comment of a script says. */
function mapUrlOf(text: string): string | null {
  const at = text.lastIndexOf('# sourceMappingURL=');
  if (at < 2 || !/\/[/*]$/.test(text.slice(at - 2, at))) return null;
  return /^\S+/.exec(text.slice(at + '# sourceMappingURL='.length))?.[0] ?? null;
}

function frameOf({ functionName, url, line, column }: ScriptPlace): V8CallFrame {
  return { functionName, scriptId: '', url, lineNumber: line, columnNumber: column };
}
