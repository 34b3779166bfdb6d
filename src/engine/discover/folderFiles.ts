import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readBoundedText } from '../files/boundedFile.ts';

/** Folders that hold what others wrote, or what was built. */
const passedOver = new Set(['node_modules', 'dist', 'build', 'out', 'target', 'coverage', 'vendor', '__pycache__', 'bin', 'obj']);
const limits = { files: 4_000, depth: 12, bytes: 512 * 1024 } as const;

/** The files of a folder that a person wrote, each read at most once. Links are not followed, and no file outside of the folder is read. */
export class FolderFiles {
  readonly notes: string[] = [];
  readonly #texts = new Map<string, string | null>();
  /** Relative paths with `/`, sorted. */
  readonly paths: readonly string[];

  constructor(readonly dir: string) {
    const found: string[] = [];
    this.#walk('', 0, found);
    this.paths = found.sort();
  }

  /** Those that lie in a folder (`.`: all). */
  under(folder: string): readonly string[] {
    return folder === '.' ? this.paths : this.paths.filter((file) => file.startsWith(`${folder}/`));
  }

  has(file: string): boolean {
    return this.paths.includes(file);
  }

  /** What stands in a file; null when there is none, or when it is too large or cannot be read. */
  text(file: string): string | null {
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = this.has(file) ? this.#read(file) : null;
    this.#texts.set(file, text);
    return text;
  }

  #read(file: string): string | null {
    try {
      const whole = path.join(this.dir, file);
      const { size } = lstatSync(whole);
      if (size > limits.bytes) {
        this.notes.push(`${file} was not read: it has more than ${limits.bytes / 1024} KiB.`);
        return null;
      }
      return readBoundedText(whole, { largestBytes: limits.bytes, within: this.dir });
    } catch {
      this.notes.push(`${file} cannot be read.`);
      return null;
    }
  }

  #walk(folder: string, depth: number, found: string[]): void {
    let entries;
    try {
      entries = readdirSync(path.join(this.dir, folder), { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name))) {
      if (found.length >= limits.files) {
        if (!this.notes.some((note) => note.startsWith('Only'))) this.notes.push(`Only the first ${limits.files} files were looked at.`);
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

/** A path within a service’s folder, as one from the folder that is looked through. */
export function within(folder: string, file: string): string {
  return folder === '.' ? file : `${folder}/${file}`;
}

/** A path as seen from a service’s folder. */
export function seenFrom(folder: string, file: string): string {
  return folder === '.' ? file : path.posix.relative(folder, file);
}

/** The line, from 1, on which an offset of a text lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
