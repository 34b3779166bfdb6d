import { inflateRawSync } from 'node:zlib';
import { type FileBounds, readPieces } from './boundedFile.ts';

/** The signatures of an archive's end, of an entry of its list, and of the header before a packed file. Source: APPNOTE.TXT of PKWARE, 4.3. */
const [endRecord, listEntry, localEntry] = [0x06054b50, 0x02014b50, 0x04034b50];
const [endBytes, entryBytes, localBytes] = [22, 46, 30];
const longestComment = 0xffff;
/** The list of an archive of some hundred thousand files. */
const largestListBytes = 16 * 1024 * 1024;
const [stored, deflated] = [0, 8];

/** Bytes of a file from an offset on; fewer where it ends. */
export type Piece = (offset: number, length: number) => Buffer;

export interface Span {
  start: number;
  bytes: number;
}

/** A file of an archive, as the archive’s list has it. */
export interface ZipEntry {
  name: string;
  isStored: boolean;
  bytes: number;
  packedBytes: number;
  /** Where the header before its content begins, in the outermost file. */
  at: number;
  method: number;
}

/** The list of an archive that fills this part of a file; null for other content, a damaged archive, or one of too many files. */
export function zipEntries(piece: Piece, { start, bytes }: Span): ZipEntry[] | null {
  return unlessDamaged(() => {
    const tailBytes = Math.min(bytes, endBytes + longestComment);
    const tail = piece(start + bytes - tailBytes, tailBytes);
    let end = tail.length - endBytes;
    while (end >= 0 && tail.readUInt32LE(end) !== endRecord) end -= 1;
    if (end < 0) return null;
    const listBytes = tail.readUInt32LE(end + 12);
    if (listBytes > largestListBytes) return null;
    // Bytes before the archive, such as the script that starts it, are not counted by its offsets.
    const listAt = start + bytes - tailBytes + end - listBytes;
    const before = listAt - tail.readUInt32LE(end + 16);
    const list = piece(listAt, listBytes);
    const entries: ZipEntry[] = [];
    for (let at = 0; at + entryBytes <= list.length && list.readUInt32LE(at) === listEntry;) {
      const [nameBytes, extra, comment] = [list.readUInt16LE(at + 28), list.readUInt16LE(at + 30), list.readUInt16LE(at + 32)];
      const method = list.readUInt16LE(at + 10);
      entries.push({
        name: list.toString('utf8', at + entryBytes, at + entryBytes + nameBytes),
        method,
        isStored: method === stored,
        packedBytes: list.readUInt32LE(at + 20),
        bytes: list.readUInt32LE(at + 24),
        at: before + list.readUInt32LE(at + 42),
      });
      at += entryBytes + nameBytes + extra + comment;
    }
    return entries;
  });
}

/** Where the content of a file of an archive lies, still packed; null for a damaged archive. */
export function contentOf(piece: Piece, { at, packedBytes }: ZipEntry): Span | null {
  return unlessDamaged(() => {
    const local = piece(at, localBytes);
    if (local.readUInt32LE(0) !== localEntry) return null;
    return { start: at + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28), bytes: packedBytes };
  });
}

/** A file of an archive; null for a damaged archive, or where it is packed in another way or larger than `largestBytes`, packed or not. */
export function unpacked(piece: Piece, entry: ZipEntry, largestBytes: number): Buffer | null {
  const place = entry.packedBytes > largestBytes ? null : contentOf(piece, entry);
  if (place === null) return null;
  const content = piece(place.start, place.bytes);
  if (entry.isStored) return content;
  return entry.method === deflated ? unlessDamaged(() => inflateRawSync(content, { maxOutputLength: largestBytes })) : null;
}

/**
 * One file of a zip archive, such as a jar. Apart from it only the archive's list is read. Null where there is no such file, as {@link unpacked}, and of what
 * is no archive. Throws as {@link readPieces}.
 */
export function readZipEntry(file: string, name: string, { largestBytes, within }: Required<FileBounds>): Buffer | null {
  return readPieces(file, within, (piece, bytes) => {
    const entry = zipEntries(piece, { start: 0, bytes })?.find((one) => one.name === name);
    return entry === undefined ? null : unpacked(piece, entry, largestBytes);
  });
}

function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    // Offsets that lead nowhere, and what cannot be unpacked.
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true) return null;
    throw error;
  }
}
