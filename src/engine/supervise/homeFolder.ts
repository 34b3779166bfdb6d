import { userInfo } from 'node:os';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';

/**
 * The user's home: what the environment says, else what the system knows; null where there is none, as for a user of a container that has no entry. A path that
 * is not whole is none: it would lead into the folder that a command happens to run in.
 * @param systemHome throws where the system knows no such user
 */
export function homeFolder(env: Readonly<NodeJS.ProcessEnv>, systemHome: () => string = () => userInfo().homedir): string | null {
  const said = wholePath(env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME']);
  if (said !== null) return said;
  return attempt(() => wholePath(systemHome()), null);
}

/** A path from the root on; null for any other, and for none. */
export function wholePath(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null;
}
