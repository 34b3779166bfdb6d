import { existsSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { largestTextBytes, readBoundedSync } from './boundedFile.ts';

/** A package of npm, as its package.json says. */
export interface NpmPackage {
  /** Absolute. */
  folder: string;
  /** '' where it has none that is one. */
  name: string;
  /** '' where it has none. */
  version: string;
}

const packageName = /^(?:@[\w.~-]{1,100}\/)?[\w.~-]{1,214}$/;

/** What the package.json of a folder says; null where there is none, or none that can be read. */
export function packageOf(folder: string): NpmPackage | null {
  return attempt(() => {
    const text = readBoundedSync(path.join(folder, 'package.json'), { largestBytes: largestTextBytes }).toString('utf8');
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown };
    const ownName = typeof name === 'string' && packageName.test(name) ? name : '';
    return { folder, name: ownName, version: typeof version === 'string' ? version : '' };
  }, null);
}

/**
 * The package that a file belongs to: the nearest above it with a name, since a package.json within a package may only say how its modules are
 * loaded; else the nearest. Null where there is none.
 *
 * @param file absolute path
 */
export function packageAbove(file: string): NpmPackage | null {
  let nearest: NpmPackage | null = null;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = existsSync(path.join(folder, 'package.json')) ? packageOf(folder) : null;
    if (found !== null && found.name !== '') return found;
    nearest ??= found;
    // What lies in node_modules belongs to nobody above.
    if (folder === path.dirname(folder) || path.basename(path.dirname(folder)) === 'node_modules') return nearest;
  }
}
