import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const [endRecord, centralEntry, localEntry] = [0x06054b50, 0x02014b50, 0x04034b50];
const endBytes = 22;
/** The longest comment of an archive stands behind its end record. */
const longestEnd = endBytes + 65_535;
const mostDirectoryBytes = 32 * 1024 * 1024;
const mostEntries = 200_000;

/** A file in an archive. `start` and `bytes` are where its content lies in the outermost file, where it is stored as it is; else null. */
export interface ArchiveEntry {
  name: string;
  stored: { start: number; bytes: number } | null;
}

/** An archive that is open for its lists of files, of itself and of archives that are stored in it. Nothing is unpacked. */
export class Archive {
  private constructor(
    private readonly descriptor: number,
    private readonly bytes: number,
  ) {}

  /** Calls `use` with the archive; null where there is no such regular file, or where it is none. */
  static read<T>(file: string, use: (archive: Archive) => T): T | null {
    let descriptor: number;
    try {
      descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    } catch {
      return null;
    }
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() ? use(new Archive(descriptor, stats.size)) : null;
    } catch {
      return null;
    } finally {
      closeSync(descriptor);
    }
  }

  /** The files of the archive, or of one that is stored in it; fails where it is none. Source: APPNOTE.TXT of PKWARE, 4.3. */
  entries({ start, bytes }: { start: number; bytes: number } = { start: 0, bytes: this.bytes }): ArchiveEntry[] {
    const tailBytes = Math.min(bytes, longestEnd);
    const tail = this.#slice(start + bytes - tailBytes, tailBytes);
    let end = tail.length - endBytes;
    while (end >= 0 && tail.readUInt32LE(end) !== endRecord) end -= 1;
    if (end < 0) throw new Error('no directory');
    const [count, size, offset] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
    if (size > mostDirectoryBytes) throw new Error('too large');
    const directory = this.#slice(start + offset, size);
    const entries: ArchiveEntry[] = [];
    for (let at = 0; entries.length < Math.min(count, mostEntries) && at + 46 <= directory.length;) {
      if (directory.readUInt32LE(at) !== centralEntry) break;
      const [method, length] = [directory.readUInt16LE(at + 10), directory.readUInt16LE(at + 28)];
      const name = directory.toString('utf8', at + 46, at + 46 + length);
      const content = { start: start + directory.readUInt32LE(at + 42), bytes: directory.readUInt32LE(at + 20) };
      entries.push({ name, stored: method === 0 ? content : null });
      at += 46 + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    }
    return entries;
  }

  /** The files of an archive that is stored in this one; empty where it is none. */
  nested({ stored }: ArchiveEntry): ArchiveEntry[] {
    if (stored === null) return [];
    try {
      const head = this.#slice(stored.start, 30);
      if (head.readUInt32LE(0) !== localEntry) return [];
      return this.entries({ start: stored.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), bytes: stored.bytes });
    } catch {
      return [];
    }
  }

  #slice(start: number, bytes: number): Buffer {
    if (start < 0 || bytes < 0 || start + bytes > this.bytes) throw new Error('outside of the file');
    const slice = Buffer.alloc(bytes);
    if (readSync(this.descriptor, slice, 0, bytes, start) !== bytes) throw new Error('cut short');
    return slice;
  }
}
