import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { namesIn } from './smallFile.ts';
import { isForsakenRequest } from './attachFiles.ts';
import { identityTagPattern, isAbandoned, ownIdentityTag, parseIdentityTag } from './identity.ts';

const ownName = new RegExp(String.raw`^benchside-[a-z]{1,12}-(?:\d+-)?${identityTagPattern}-[A-Za-z0-9]{6}$`);

/**
 * Makes a folder for temporary files that only its owner can enter. Its name holds its owner, so that a later engine can remove it when we cannot. Fails with
 * `storage-not-usable`.
 */
export function makeTemporaryFolder(purpose: string, parent = tmpdir()): string {
  try {
    return mkdtempSync(path.join(parent, `benchside-${purpose}-${ownIdentityTag()}-`));
  } catch (error) {
    throw failure(
      'storage-not-usable',
      `Benchside cannot make temporary files in ${parent}.`,
      'Make that folder, with room and writable for your user, or set TMPDIR to one that is.',
      String(error),
    );
  }
}

/**
 * The folder for sockets: their path may have about 100 bytes, of which Benchside's part takes 80, and macOS's folder of temporary files is too long for that.
 */
export function parentForSockets(): string {
  return process.platform !== 'win32' && Buffer.byteLength(tmpdir()) > 20 ? '/tmp' : tmpdir();
}

/**
 * Removes the temporary folders of this user whose engine provably no longer runs, and those of unknown engines that nobody has touched for a day; and the
 * files by which such an engine has asked a JVM to listen. Never fails. Returns how many there were.
 */
export async function sweepTemporaryFolders(parents: readonly string[] = [...new Set([tmpdir(), '/tmp'])]): Promise<number> {
  let count = 0;
  for (const parent of parents) {
    for (const name of namesIn(parent)) {
      const folder = path.join(parent, name);
      if (isForsakenRequest(parent, name)) rmSync(folder, { force: true });
      const owner = parseIdentityTag(ownName.exec(name)?.[1] ?? '');
      if (owner === null) continue;
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (stats?.isDirectory() !== true || stats.uid !== (process.geteuid?.() ?? stats.uid)) continue;
      if (!isAbandoned(owner, stats.mtimeMs)) continue;
      await rm(folder, { recursive: true, force: true }).then(
        () => (count += 1),
        () => undefined,
      );
    }
  }
  return count;
}
