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
  let left = mostEntries;
  for (const { folder, entries } of foldersBelow(roots, (name, depth) => depth < deepest && !ignored.has(name) && !name.startsWith('.'))) {
    for (const { name } of entries.filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))))
      found.set(name, [...(found.get(name) ?? []), path.join(folder, name)]);
    left -= entries.length;
    if (left <= 0) break;
  }
  return found;
}

/**
 * Some folders and those below them, at most so many, each once and the nearest first, with what is in them; nothing where one cannot be read. Links are not followed: they may
 * lead round in a circle.
 *
 * @param isEntered by the name of a folder, and how far below the first ones the folder is that it is in
 */
export function* foldersBelow(
  roots: readonly string[],
  isEntered: (name: string, depth: number) => boolean,
  most = Infinity,
): Generator<{ folder: string; entries: Dirent[] }> {
  const open = roots.map((root) => ({ folder: path.resolve(root), depth: 0 }));
  const seen = new Set<string>();
  for (let next = open.shift(); next !== undefined && seen.size < most; next = open.shift()) {
    const { folder, depth } = next;
    if (seen.has(folder)) continue;
    seen.add(folder);
    const entries = attempt(() => readdirSync(folder, { withFileTypes: true }), []);
    yield { folder, entries };
    for (const entry of entries)
      if (entry.isDirectory() && isEntered(entry.name, depth)) open.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
  }
}

function isFile(file: string): boolean {
  return attempt(() => statSync(file).isFile(), false);
}

/** The beginning of a text file; '' where it cannot be read. */
function headOf(file: string): string {
  return attempt(() => readHead(file, headBytes).toString('utf8'), '');
}
