import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { runProgram, toolSpec } from '../supervise/runTool.ts';
import type { Supervisor } from '../supervise/supervisor.ts';

/** Flags absent on Windows count as 0 there. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const directory = constants.O_DIRECTORY ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
const mostBytes = 65_536;

/** The user that runs another program and owns some of our folders. */
export interface Owner {
  uid: number;
  gid: number;
}

/** `nobody`, the user for other programs when we are root, which PostgreSQL and PgBouncer refuse to be; null when we are not. */
export function ownerBesideRoot(): Owner | null {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
}

/** Whether a user other than the owner can get at a folder: every folder above it must let others pass. */
export function reachableByOthers(folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** Where temporary files that this user reads may be: in our temporary folder, unless only we may enter it. */
export function temporaryParentFor(owner: Owner | null): string {
  return owner === null || reachableByOthers(tmpdir()) ? tmpdir() : '/tmp';
}

function refused(folder: string, why: string): Error {
  return failure(
    'postgres-folder',
    `Benchside does not keep a database in ${folder}: ${why}.`,
    'Move it away, or name another folder in the variable BENCHSIDE_POSTGRES_HOME.',
  );
}

/**
 * Makes a folder if it is missing, and verifies that nobody but us could have put anything into it: no link, our own, not writable by others. `from`: an
 * existing folder in this user's name is adopted, as earlier versions left it; its contents then still have to be checked.
 */
export function ensurePrivateFolder(folder: string, mode: number, from: Owner | null = null): void {
  mkdirSync(folder, { recursive: true, mode });
  let descriptor: number;
  try {
    descriptor = openSync(folder, constants.O_RDONLY | directory | noFollow);
  } catch {
    throw refused(folder, 'a link or a file stands there');
  }
  try {
    const uid = process.getuid?.();
    if (uid === undefined) return;
    const stats = fstatSync(descriptor);
    if (stats.uid !== uid) {
      if (from === null || stats.uid !== from.uid) throw refused(folder, 'it belongs to another user');
      fchownSync(descriptor, uid, process.getgid?.() ?? 0);
    }
    if (from === null && (stats.mode & 0o022) !== 0) throw refused(folder, 'others may write into it');
    if (from !== null || (stats.mode & 0o777 & ~mode) !== 0) fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

/** A folder that the user has chosen, made if it is missing and checked at its real path: they may have moved it to another disk by a link. */
export function ensureHome(home: string, mode: number): string {
  mkdirSync(home, { recursive: true, mode });
  const real = realpathSync(home);
  ensurePrivateFolder(real, mode);
  return real;
}

/** Makes a new folder for another user in one that we own, where they cannot put anything in its place. */
export function makeFolderFor(owner: Owner | null, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (owner === null) return;
  const descriptor = openSync(folder, constants.O_RDONLY | directory | noFollow);
  try {
    fchownSync(descriptor, owner.uid, owner.gid);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a small file in a folder that we own, which nobody else can have written or can read; null when it is not such a one. */
export function readPrivateFile(file: string): string | null {
  return readSmall(
    file,
    ({ uid, nlink, mode }) => nlink === 1 && (mode & 0o077) === 0 && (process.getuid === undefined || uid === process.getuid()),
  );
}

/** The text of a small file in another user's folder: no link is followed, and no pipe is waited for. Null when there is none. */
export function readForeignFile(file: string): string | null {
  return readSmall(file, () => true);
}

function readSmall(file: string, trusted: (stats: { uid: number; nlink: number; mode: number }) => boolean): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | noFollow | nonBlocking);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    // Windows has no such rights; what its files say of them is made up.
    const ours = process.platform === 'win32' || trusted(stats);
    return stats.isFile() && stats.size <= mostBytes && ours ? readFileSync(descriptor, 'utf8') : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether it is a real folder, of this user when one is named. */
export function isFolderOf(owner: Owner | null, folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (owner === null || stats.uid === owner.uid);
}

/** Removes a folder of another user's with all that is in it: as that user, since a tree that others can change while we walk it could lead us anywhere. */
export async function removeFolderOf(owner: Owner | null, folder: string, supervisor: Supervisor): Promise<void> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (owner === null || !stats.isDirectory() || stats.uid !== owner.uid) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  // The folder itself is in one that we own and stays until we remove it.
  const spec = { ...toolSpec('rm', ['rm', '-rf', '--', folder], '/'), runAs: owner };
  await runProgram(supervisor, spec, { timeoutMs: 60_000 });
  rmdirSync(folder);
}
