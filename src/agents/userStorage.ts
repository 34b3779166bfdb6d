import path from 'node:path';
import { homeFolder, wholePath } from '../engine/supervise/homeFolder.ts';
import { failure } from '../model/domain/failure.ts';

/** The user’s own folder for what Benchside keeps outside of workspaces: the storage of the terminal, and the place where all agents take turns. */
export function userStorageDir(): string {
  return storageDirIn(process.env);
}

/**
 * The same for an environment. A path that is not whole would lead into the folder that a command happens to run in, where somebody else may have put consents:
 * an empty one counts as not said, and of the others only the one that is Benchside’s own is refused, with `storage-not-usable`.
 * @param systemHome the user’s home as the system knows it; it throws where it knows no such user
 */
export function storageDirIn(env: Readonly<NodeJS.ProcessEnv>, systemHome?: () => string): string {
  const asked = env['BENCHSIDE_STORAGE'] ?? '';
  if (asked !== '' && !path.isAbsolute(asked))
    throw failure(
      'storage-not-usable',
      `BENCHSIDE_STORAGE is “${asked}”, and “${asked}” is not the whole path of a folder.`,
      'Give it a path from the root on, or leave it out.',
    );
  if (asked !== '') return asked;
  const home = homeFolder(env, systemHome);
  const caches = wholePath(env['XDG_CACHE_HOME']) ?? (home === null ? null : path.join(home, '.cache'));
  if (caches === null)
    throw failure(
      'storage-not-usable',
      'This user has no home folder.',
      'Set HOME, or BENCHSIDE_STORAGE, to a folder that is writable for your user.',
    );
  return path.join(caches, 'benchside');
}
