import { type Dirent, type Stats, existsSync, lstatSync, opendirSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { readBoundedText, readHead } from '../files/boundedFile.ts';
import { LineStarts } from '../files/lineStarts.ts';
import { withoutComments } from './sourceText.ts';

/** Folders that hold what others wrote, or what was built. */
const passedOver = new Set(['node_modules', 'dist', 'build', 'out', 'target', 'coverage', 'vendor', '__pycache__', 'bin', 'obj']);
const limits = {
  files: 4_000,
  /** Files and folders that are listed by name, including those that are skipped. */
  entries: 40_000,
  depth: 12,
  bytes: 512 * 1024,
  allBytes: 16 * 1024 * 1024,
} as const;

const headBytes = 2_000;

/** The files of a folder that a person wrote, each read at most once. Links are not followed, and no file outside of the folder is read. */
export class FolderFiles {
  readonly #notes = new Set<string>();
  readonly #texts = new Map<string, string | null>();
  readonly #sources = new Map<string, string>();
  /** Relative paths with `/`, sorted. */
  readonly paths: readonly string[];
  readonly #known: ReadonlySet<string>;
  /** Entries of folders that are skipped, where they were asked for. */
  readonly #listed = new Set<string>();
  #entries = 0;
  #bytes = 0;
  #lines: LineStarts | null = null;

  constructor(readonly dir: string) {
    const found: string[] = [];
    this.#walk('', 0, found);
    this.paths = found.sort();
    this.#known = new Set(found);
  }

  /** Those that lie in a folder (`.`: all). */
  under(folder: string): readonly string[] {
    return folder === '.' ? this.paths : this.paths.filter((file) => file.startsWith(`${folder}/`));
  }

  has(file: string): boolean {
    return this.#known.has(file);
  }

  /** Whether there is a file or folder of this path, also one that is skipped. */
  isThere(file: string): boolean {
    return existsSync(path.join(this.dir, file));
  }

  /** The folders above the one that is searched, seen from it: `..`, `../..`. */
  above(): string[] {
    const depth = path.resolve(this.dir).split(path.sep).filter(Boolean).length;
    return Array.from({ length: depth }, (_, index) => Array.from({ length: index + 1 }, () => '..').join('/'));
  }

  /** Whether there is a file of this path, also in a folder that is skipped. */
  isFile(file: string): boolean {
    return this.has(file) || this.#statsOf(file)?.isFile() === true;
  }

  /** How a file begins, whatever its size; empty where there is none. */
  head(file: string): string {
    return this.has(file) ? attempt(() => readHead(path.join(this.dir, file), headBytes).toString('utf8'), '') : '';
  }

  /** Whether its owner may run a file. */
  isExecutable(file: string): boolean {
    return ((this.#statsOf(file)?.mode ?? 0) & 0o100) !== 0;
  }

  /** Whether a file was last written before another; false where one of them is not there. */
  isOlder(file: string, than: string): boolean {
    return (this.#statsOf(file)?.mtimeMs ?? Infinity) < (this.#statsOf(than)?.mtimeMs ?? 0);
  }

  /** The files that lie in a folder itself, sorted, also in one that is skipped; none by a link. Relative paths, as in `paths`. */
  filesIn(folder: string): string[] {
    const parts = folder === '.' ? [] : folder.split('/');
    if (!parts.every((_, index) => this.#statsOf(parts.slice(0, index + 1).join('/'))?.isDirectory())) return [];
    const found = this.#entriesOf(folder).flatMap((entry) => (entry.isFile() ? [within(folder, entry.name)] : []));
    for (const file of found) this.#listed.add(file);
    return found;
  }

  /** The contents of a file; null when there is none, or when it is too large or cannot be read. */
  text(file: string): string | null {
    return remembered(this.#texts, file, () => (this.has(file) || this.#listed.has(file) ? this.#read(file) : null));
  }

  /** A program's text with its comments blanked; empty where there is none. Offsets are those of the file. */
  source(file: string): string {
    return remembered(this.#sources, file, () => withoutComments(this.text(file) ?? ''));
  }

  /** The line, from 1, on which an offset of a file lies. */
  lineAt(file: string, offset: number): number {
    const text = this.text(file) ?? '';
    if (this.#lines?.text !== text) this.#lines = new LineStarts(text);
    return this.#lines.lineAt(offset) + 1;
  }

  #statsOf(file: string): Stats | null {
    return attempt(() => lstatSync(path.join(this.dir, file)), null);
  }

  #read(file: string): string | null {
    try {
      const whole = path.join(this.dir, file);
      const { size } = lstatSync(whole);
      if (size > limits.bytes) {
        this.note(`${file} was not read: it has more than ${limits.bytes / 1024} KiB.`);
        return null;
      }
      if (this.#bytes + size > limits.allBytes) {
        this.note(`Only ${limits.allBytes / 2 ** 20} MiB were read: open the folder of one service to have all of it looked through.`);
        return null;
      }
      this.#bytes += size;
      return readBoundedText(whole, { largestBytes: limits.bytes, within: this.dir });
    } catch {
      this.note(`${file} cannot be read.`);
      return null;
    }
  }

  /** What was left out or could not be read, each once. */
  get notes(): string[] {
    return [...this.#notes];
  }

  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  /** The entries of a folder, sorted, up to the limit. */
  #entriesOf(folder: string): Dirent[] {
    const entries: Dirent[] = [];
    try {
      const opened = opendirSync(path.join(this.dir, folder));
      try {
        for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
          this.#entries += 1;
          if (this.#entries > limits.entries) {
            this.note(`Only the first ${limits.entries} files and folders were looked at.`);
            break;
          }
          entries.push(entry);
        }
      } finally {
        opened.closeSync();
      }
    } catch {
      // It may not be entered, or has gone.
    }
    return entries.sort((a, b) => a.name.localeCompare(b.name));
  }

  #walk(folder: string, depth: number, found: string[]): void {
    if (this.#entries > limits.entries) return;
    for (const entry of this.#entriesOf(folder)) {
      if (found.length >= limits.files) {
        this.note(`Only the first ${limits.files} files were looked at.`);
        return;
      }
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(relative);
      else if (
        entry.isDirectory() &&
        depth < limits.depth &&
        !passedOver.has(entry.name) &&
        (!entry.name.startsWith('.') || entry.name === '.vscode')
      )
        this.#walk(relative, depth + 1, found);
    }
  }
}

/** A path within a service’s folder, as one from the folder that is searched. */
export function within(folder: string, file: string): string {
  return folder === '.' ? file : `${folder}/${file}`;
}

/** A path as seen from a service’s folder. */
export function seenFrom(folder: string, file: string): string {
  return folder === '.' ? file : path.posix.relative(folder, file);
}
