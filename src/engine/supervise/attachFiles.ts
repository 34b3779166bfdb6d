import { lstatSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isGone, ownIdentityTag, parseIdentityTag, processIdentity } from './identity.ts';

/*
 * What attaching to a JVM puts next to its performance data, where no variable and no option moves it: the file that asks it to listen, and the socket on which
 * it then listens for as long as it lives. A JVM that is killed leaves the socket, an engine that is killed the file.
 */

const requestName = /^\.attach_pid\d{1,10}$/;

/** Makes the file that asks a JVM to listen. The file holds its owner; the JVM only looks whether it is there. Fails as `writeFileSync` does. */
export function writeAttachRequest(file: string): void {
  // Does not follow a link in its place.
  rmSync(file, { force: true });
  writeFileSync(file, ownIdentityTag(), { mode: 0o600, flag: 'wx' });
}

/** Whether a file of this name in this folder asks a JVM to listen for an engine that no longer runs. */
export function isForsakenRequest(folder: string, name: string): boolean {
  if (!requestName.test(name)) return false;
  const file = path.join(folder, name);
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > 200) return false;
    const owner = parseIdentityTag(readFileSync(file, 'latin1'));
    return owner !== null && isGone(owner);
  } catch {
    return false;
  }
}

/**
 * Removes the sockets of those of these JVMs that no longer run. They must have been Benchside's, and are identified by their pids, which may be another's by
 * now.
 */
export function clearAttachSockets(pids: Iterable<number>): void {
  for (const pid of pids) {
    for (const folder of new Set(['/tmp', tmpdir()])) {
      const file = path.join(folder, `.java_pid${pid}`);
      try {
        const stats = lstatSync(file, { throwIfNoEntry: false });
        const isOurs = stats?.isSocket() === true && [stats.uid, 0].includes(process.geteuid?.() ?? -1);
        if (isOurs && processIdentity(pid) === null) unlinkSync(file);
      } catch {
        // Somebody else has removed it.
      }
    }
  }
}
