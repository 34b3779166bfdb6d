import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { readHead } from '../files/boundedFile.ts';
import {
  type SourceTarget,
  declaresPackage,
  isPlatformPackage,
  jvmExtensions,
  jvmFileNames,
  pathCandidates,
} from '../../calltree/sourceLocation.ts';

/** Folders that hold no sources of the user's own. */
const ignored = new Set(['node_modules', 'target', 'build', 'out', 'dist']);
const mostEntries = 100_000;
const deepest = 24;
const headBytes = 64 * 1024;

/**
 * Finds the sources of functions below some folders, as “Open source” in the editor does, but asks nobody: where several files could hold a class, none is
 * found. The folders are searched once, when the first class is asked for; 100,000 entries at most.
 */
export class SourceFinder {
  /** Files of JVM languages by their name. */
  #files: Map<string, string[]> | null = null;
  readonly #found = new Map<string, string | null>();

  /** @param roots absolute paths of folders; those that are not there hold nothing. */
  constructor(private readonly roots: readonly string[]) {}

  /** The absolute path of a source that is there, or null. */
  find(target: SourceTarget): string | null {
    if (target.kind === 'none') return null;
    const key = target.kind === 'path' ? target.path : `${target.packagePath}:${target.className}`;
    return remembered(this.#found, key, () =>
      target.kind === 'path' ? (pathCandidates(target.path, this.roots).find(isFile) ?? null) : this.#class(target),
    );
  }

  #class({ packagePath, className }: Extract<SourceTarget, { kind: 'java' }>): string | null {
    if (isPlatformPackage(packagePath)) return null;
    const files = (this.#files ??= jvmFiles(this.roots));
    const named = jvmFileNames(className).flatMap((name) => files.get(name) ?? []);
    const fitting = named.filter((file) => declaresPackage(headOf(file), packagePath));
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  }
}

function jvmFiles(roots: readonly string[]): Map<string, string[]> {
  const endings = jvmExtensions.map((ending) => `.${ending}`);
  const found = new Map<string, string[]>();
  const seen = new Set<string>();
  const open = roots.map((folder) => ({ folder: path.resolve(folder), depth: 0 }));
  let left = mostEntries;
  for (let next = open.shift(); next !== undefined && left > 0; next = open.shift()) {
    if (seen.has(next.folder)) continue;
    seen.add(next.folder);
    for (const entry of entriesOf(next.folder)) {
      left -= 1;
      const file = path.join(next.folder, entry.name);
      // Links are not followed: they may lead round in a circle.
      if (entry.isDirectory() && next.depth < deepest && !ignored.has(entry.name) && !entry.name.startsWith('.'))
        open.push({ folder: file, depth: next.depth + 1 });
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
        found.set(entry.name, [...(found.get(entry.name) ?? []), file]);
    }
  }
  return found;
}

/** What is in a folder; nothing where it cannot be read. */
export function entriesOf(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}

function isFile(file: string): boolean {
  return attempt(() => statSync(file).isFile(), false);
}

/** The beginning of a text file; '' where it cannot be read. */
function headOf(file: string): string {
  return attempt(() => readHead(file, headBytes).toString('utf8'), '');
}
