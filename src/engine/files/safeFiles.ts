import { type Stats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';

/** Runs may hold logs and command lines: only their owner reads them. */
export const folderMode = 0o700;
export const fileMode = 0o600;

/** Flags absent on Windows count as 0 there. */
const noFollow = constants.O_NOFOLLOW ?? 0;

const plainName = /^[A-Za-z0-9][A-Za-z0-9._=,+-]{0,119}$/;

/** Throws `run-file-name` unless `name` is a plain file name: no folder, no leading dot. */
export function assertFileName(name: string): void {
  if (!plainName.test(name)) {
    throw failure(
      'run-file-name',
      `“${name.slice(0, 60)}” cannot be the name of a file in a run.`,
      'Use letters, digits and . _ = , + - only, at most 120.',
    );
  }
}

/** The code of a failed system call, such as ENOENT; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a failed write into `folder` means to a person. A {@link FailureError} passes unchanged. */
export function writeFailure(error: unknown, folder: string): FailureError {
  if (error instanceof FailureError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return failure(
        'disk-full',
        `The disk that holds ${folder} is full: this run was not stored; earlier runs are intact.`,
        'Free some space there (old runs can be deleted), then run again.',
        detail,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return failure(
        'store-not-writable',
        `${folder} cannot be written.`,
        'Make that folder writable for your user, or open a folder that is.',
        detail,
      );
    default:
      return failure('store-write', `Writing into ${folder} failed.`, 'Check the disk that holds it, then run again.', detail);
  }
}

/** `lstat`, with `null` for what does not exist. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Makes a private folder if it is missing. Throws `store-link` when a link or a file is in its place. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: folderMode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    await assertRealFolder(path);
  }
}

/** Throws `store-link` when something other than a real folder is at `path`; nothing at all is fine. */
export async function assertRealFolder(path: string): Promise<void> {
  const stats = await statOrNull(path);
  if (stats !== null && !stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? 'a link' : 'not a folder';
    throw failure(
      'store-link',
      `${path} is ${what}; Benchside keeps runs only in a real folder.`,
      'Remove or rename it; the folder is made again by the next run.',
    );
  }
}

/** Writes all of `bytes`. One write may take only a part and report no error (seen on a disk that fills up), so it continues until done. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.byteLength - offset);
    if (bytesWritten === 0) throw Object.assign(new Error('ENOSPC: nothing was written'), { code: 'ENOSPC' });
    offset += bytesWritten;
  }
}

/** Opens a file that must not exist yet, readable by its owner only. */
export function createFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, fileMode);
}

/** What is done with an open file, which is closed then. */
export async function thenClosed<T>(handle: FileHandle, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Writes a new file and waits until it is on the disk. */
export async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  await thenClosed(await createFile(path), async (handle) => {
    await writeFully(handle, bytes);
    await handle.sync();
  });
}

/** Replaces a file as a whole: after a crash there is the old one or the new one. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}-${randomBytes(6).toString('hex')}`);
  try {
    await writeNewFile(temporary, bytes);
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Waits until what others wrote into a file is on the disk. */
export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+');
}

/** Makes the names in a folder durable. Windows cannot fsync a folder and needs not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await sync(path, 'r');
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  await thenClosed(await open(path, flags), (handle) => handle.sync());
}

/** sha256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
