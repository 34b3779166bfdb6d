import { closeSync, constants, openSync, readSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { attempt } from '../../model/domain/attempt.ts';

const buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * The first 64 KiB of a file under /proc or /sys, or `null` when it is not there, may not be read, or its process ended meanwhile.
 * Synchronous on purpose: the kernel answers from memory in about 10 µs, a tenth of what the thread pool costs. Bytes above 127
 * (in the names of programs) become one character each.
 */
export function readSmallFile(path: string): string | null {
  const length = fill(path);
  return length === null ? null : buffer.toString('latin1', 0, length);
}

/** As {@link readSmallFile}, for binary content. */
export function readSmallBytes(path: string): Buffer | null {
  const length = fill(path);
  return length === null ? null : Buffer.from(buffer.subarray(0, length));
}

/** The names in a folder; none where it is not there or may not be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []);
}

/** Where a link of /proc leads; null where it is not there or may not be followed. */
export function linkTarget(file: string): string | null {
  return attempt(() => readlinkSync(file), null);
}

/** A path without links; null where nothing is there. */
export function realPath(file: string): string | null {
  return attempt(() => realpathSync(file), null);
}

/** The kernel hands out whole records until half a page or more is full: less than that is the end of the file. */
const halfPage = 2048;

function fill(path: string): number | null {
  let file: number;
  try {
    // Does not wait for a pipe in its place.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
  try {
    let length = 0;
    for (;;) {
      const count = readSync(file, buffer, length, buffer.length - length, null);
      length += count;
      if (count < halfPage || length === buffer.length) return length;
    }
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
