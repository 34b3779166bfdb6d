import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, toFailure } from '../../model/domain/failure.ts';

interface Reading<T> {
  /** No more files than this are read of a folder. */
  most: number;
  /** Throws for a file that is none; `earlier` are those that were read of the same folder. */
  read: (file: string, earlier: readonly T[]) => T | Promise<T>;
  /** One of the workspace takes the place of a bundled one of the same name. */
  nameOf: (one: T) => string;
}

/** What the JSON files of this relative folder hold, below a workspace and below what comes with Benchside, and what is wrong with the rest. */
export async function readOwnAndBundled<T>(
  folder: string,
  { assetsDir, workspaceDir }: { assetsDir: string; workspaceDir: string | null },
  reading: Reading<T>,
): Promise<{ own: T[]; bundled: T[]; problems: Failure[] }> {
  const problems: Failure[] = [];
  const isSame = workspaceDir === null || path.resolve(workspaceDir) === path.resolve(assetsDir);
  const own = isSame ? [] : await readFolder(path.join(workspaceDir, folder), reading, problems);
  const bundled = await readFolder(path.join(assetsDir, folder), reading, problems);
  const names = new Set(own.map(reading.nameOf));
  return { own, bundled: bundled.filter((one) => !names.has(reading.nameOf(one))), problems };
}

async function readFolder<T>(folder: string, { most, read }: Reading<T>, problems: Failure[]): Promise<T[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const found: T[] = [];
  for (const name of names.slice(0, most)) {
    try {
      found.push(await read(path.join(folder, name), found));
    } catch (error) {
      problems.push(toFailure(error));
    }
  }
  return found;
}
