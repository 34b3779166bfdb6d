import { inflateRawSync } from 'node:zlib';
import { readPieces } from './boundedFile.ts';
import type { FileBounds } from './boundedFile.ts';

/** What ends an archive, what begins an entry of its list, and what stands before a packed file. Source: APPNOTE.TXT of PKWARE, 4.3. */
const [endRecord, listEntry, localEntry] = [0x06054b50, 0x02014b50, 0x04034b50];
const [endBytes, entryBytes, localBytes] = [22, 46, 30];
const longestComment = 0xffff;
/** The list of an archive of some hundred thousand files. */
const largestListBytes = 16 * 1024 * 1024;
const [stored, deflated] = [0, 8];

/**
 * One file of a zip archive, such as a jar, of which nothing but its list is read beside it. Null where there is no such file or it is larger than
 * `largestBytes`, packed or not, and of what is no archive, or a damaged one. Throws as {@link readPieces}.
 */
export function readZipEntry(file: string, name: string, { largestBytes, within }: Required<FileBounds>): Buffer | null {
  return readPieces(file, within, (piece, fileBytes) => {
    try {
      const tailBytes = Math.min(fileBytes, endBytes + longestComment);
      const tail = piece(fileBytes - tailBytes, tailBytes);
      let end = tail.length - endBytes;
      while (end >= 0 && tail.readUInt32LE(end) !== endRecord) end -= 1;
      if (end < 0) return null;
      const listBytes = tail.readUInt32LE(end + 12);
      if (listBytes > largestListBytes) return null;
      // What stands before the archive, such as the script that starts it, is not counted by its offsets.
      const listAt = fileBytes - tailBytes + end - listBytes;
      const before = listAt - tail.readUInt32LE(end + 16);
      const list = piece(listAt, listBytes);
      const wanted = Buffer.from(name, 'utf8');
      for (let at = 0; at + entryBytes <= list.length && list.readUInt32LE(at) === listEntry;) {
        const [nameBytes, extra, comment] = [list.readUInt16LE(at + 28), list.readUInt16LE(at + 30), list.readUInt16LE(at + 32)];
        if (list.subarray(at + entryBytes, at + entryBytes + nameBytes).equals(wanted)) {
          const [method, packed] = [list.readUInt16LE(at + 10), list.readUInt32LE(at + 20)];
          if (packed > largestBytes) return null;
          const localAt = before + list.readUInt32LE(at + 42);
          const local = piece(localAt, localBytes);
          if (local.readUInt32LE(0) !== localEntry) return null;
          const content = piece(localAt + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28), packed);
          if (method === stored) return content;
          return method === deflated ? inflateRawSync(content, { maxOutputLength: largestBytes }) : null;
        }
        at += entryBytes + nameBytes + extra + comment;
      }
      return null;
    } catch (error) {
      // Offsets that lead nowhere, and what cannot be unpacked.
      if (error instanceof RangeError || (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true) return null;
      throw error;
    }
  });
}
