import path from 'node:path';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';

/**
 * The changed file of this number, absolute, and what Git calls the versions, null for the working tree; null where there is none, where it is not one of the folder’s, or where a version is no commit. A stored run may be
 * somebody else’s: what it names goes to Git as an argument, and must be neither an option nor another place.
 */
export function changedFile(
  folder: string,
  { files, base, head }: Pick<VersionDiff, 'files' | 'base' | 'head'>,
  number: number,
): { file: string; base: string | null; head: string | null } | null {
  const changed = files[number];
  if (changed === undefined || ![base.commit, head.commit].every(isCommit)) return null;
  const file = path.resolve(folder, changed.path);
  const below = path.relative(folder, file);
  if (below === '' || below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below)) return null;
  return { file, base: base.commit, head: head.commit };
}

function isCommit(commit: string | null): boolean {
  return commit === null || /^[0-9a-f]{7,64}$/.test(commit);
}
