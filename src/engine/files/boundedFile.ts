import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { statOrNull, thenClosed } from './safeFiles.ts';

/** Flags absent on Windows count as 0 there. Without O_NONBLOCK a pipe under a file's name would be waited for without end. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
const pieceBytes = 64 * 1024;

/** What may be read of a file that is not Benchside's own. */
export interface FileBounds {
  /** What is larger is refused before it is read, and what grows beyond this meanwhile, too. */
  largestBytes: number;
  /** The file may be a link, but only to one in this folder or below it. */
  within?: string;
}

/** A file was not read; the message continues from its name. */
export class UnreadFile extends Error {
  constructor(
    readonly reason: 'missing' | 'link' | 'not-a-file' | 'too-large',
    message: string,
  ) {
    super(message);
  }
}

/** For what people write themselves: declarations, load profiles, experiments. */
export const largestTextBytes = 4 * 1024 * 1024;

/**
 * The contents of a file that comes from a workspace or from its user: of a regular file, through links where they lead to one, of a bounded size.
 * A device, a pipe or a folder in its place is refused and never waited for. Throws {@link UnreadFile}, or the system's own
 * error.
 */
export function readBoundedSync(file: string, { largestBytes, within }: FileBounds): Buffer {
  return withOpened(file, within, (descriptor, size) => {
    if (size > largestBytes) throw tooLarge(size, largestBytes);
    // One byte more than expected shows that it has grown; files of /proc say that they are empty.
    const pieces: Buffer[] = [];
    for (let total = 0; ;) {
      const piece = Buffer.allocUnsafe(total < size ? size - total + 1 : pieceBytes);
      const count = readSync(descriptor, piece, 0, piece.length, null);
      if (count === 0) return Buffer.concat(pieces);
      total += count;
      if (total > largestBytes) throw tooLarge(total, largestBytes);
      pieces.push(piece.subarray(0, count));
    }
  });
}

/** As {@link readBoundedSync}, as text, without the byte order mark with which some editors begin a file. */
export function readBoundedText(file: string, bounds: FileBounds): string {
  const text = readBoundedSync(file, bounds).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The first bytes of a file, however large it is; otherwise as {@link readBoundedSync}. */
export function readHead(file: string, bytes: number): Buffer {
  return withOpened(file, undefined, (descriptor) => {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(descriptor, head, 0, bytes, 0));
  });
}

/**
 * Pieces of a file of any size, by offset and length; a piece is shorter where the file ends. `within`: a link may lead out of no such folder. Otherwise as
 * {@link readBoundedSync}.
 */
export function readPieces<T>(
  file: string,
  within: string | null,
  use: (piece: (offset: number, length: number) => Buffer, fileBytes: number) => T,
): T {
  return withOpened(file, within ?? undefined, (descriptor, size) =>
    use((offset, length) => {
      const piece = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return piece.subarray(0, readSync(descriptor, piece, 0, piece.length, offset));
    }, size),
  );
}

function withOpened<T>(file: string, within: string | undefined, use: (descriptor: number, size: number) => T): T {
  if (within !== undefined) assertWithin(file, within);
  const descriptor = openSync(file, constants.O_RDONLY | nonBlocking);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw notAFile();
    return use(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

/** As {@link readBoundedSync}, without blocking other work of this process. */
export async function readBounded(file: string, { largestBytes }: Pick<FileBounds, 'largestBytes'>): Promise<Buffer> {
  return thenClosed(await open(file, constants.O_RDONLY | nonBlocking), async (handle) => {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notAFile();
    return readHandle(handle, stats.size, largestBytes);
  });
}

/** Opens a file that Benchside wrote, which is never a link: refused are links, devices, pipes and folders. */
export async function openRegular(file: string): Promise<{ handle: FileHandle; bytes: number }> {
  const before = await statOrNull(file);
  if (before === null) throw new UnreadFile('missing', 'is missing');
  if (before.isSymbolicLink()) throw new UnreadFile('link', 'is a link, which is not followed');
  if (!before.isFile()) throw notAFile();
  const handle = await open(file, constants.O_RDONLY | noFollow | nonBlocking);
  const stats = await handle.stat().catch(() => null);
  if (stats === null || !stats.isFile()) {
    await handle.close();
    throw notAFile();
  }
  return { handle, bytes: stats.size };
}

/** The contents of a file that Benchside wrote; refusals as in {@link openRegular}. */
export async function readRegular(file: string, largestBytes: number): Promise<Buffer> {
  const { handle, bytes } = await openRegular(file);
  return thenClosed(handle, () => readHandle(handle, bytes, largestBytes));
}

/** The sha256 of a file that Benchside wrote, in hex, read piece by piece; refusals as in {@link openRegular}. */
export async function hashFile(path: string): Promise<string> {
  const { handle } = await openRegular(path);
  return thenClosed(handle, async () => {
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  });
}

async function readHandle(handle: FileHandle, size: number, largestBytes: number): Promise<Buffer> {
  if (size > largestBytes) throw tooLarge(size, largestBytes);
  const pieces: Buffer[] = [];
  for (let total = 0; ;) {
    // Not from the pool of small buffers: a profile's bytes go to another thread.
    const piece = Buffer.allocUnsafeSlow(total < size ? size - total + 1 : pieceBytes);
    const { bytesRead } = await handle.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    total += bytesRead;
    if (total > largestBytes) throw tooLarge(total, largestBytes);
    pieces.push(piece.subarray(0, bytesRead));
  }
}

function assertWithin(file: string, folder: string): void {
  const below = path.relative(realpathSync(folder), realpathSync(file));
  if (below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below))
    throw new UnreadFile('link', 'is a link to a file outside of this folder, which is not followed');
}

function notAFile(): Error {
  return new UnreadFile('not-a-file', 'is not a file');
}

function tooLarge(bytes: number, largestBytes: number): Error {
  return new UnreadFile('too-large', `is too large (${bytes} bytes; at most ${largestBytes} are read)`);
}
