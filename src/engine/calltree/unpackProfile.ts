import { gunzipSync } from 'node:zlib';
import { damaged, maxProfileBytes, tooLarge } from '../../calltree/treeLimits.ts';
import { type Piece, unpacked, zipEntries } from '../files/zipArchive.ts';
import { maxJsonBytes } from './jsonDocument.ts';
import { unpackLz4 } from './unpackLz4.ts';

const largestMb = maxProfileBytes / 1024 / 1024;
/** Packed within packed, such as a `.jfr.gz` in a zip. */
const mostLayers = 3;

/** What can be packed, by how it begins, and how it is unpacked. */
const packings: readonly { name: string; magic: readonly number[]; unpack: (bytes: Uint8Array) => Uint8Array }[] = [
  { name: 'gzip', magic: [0x1f, 0x8b], unpack: (bytes) => gunzipSync(bytes, { maxOutputLength: maxProfileBytes }) },
  { name: 'zip', magic: [0x50, 0x4b, 0x03, 0x04], unpack: unpackZip },
  { name: 'lz4', magic: [0x04, 0x22, 0x4d, 0x18], unpack: (bytes) => unpackLz4(bytes, maxProfileBytes) },
];

/**
 * A file as it was before it was packed with gzip, zip or lz4, and as UTF-8 where it is a text of another kind. Fails with `profile-damaged` or
 * `profile-too-large`.
 */
export function unpackProfile(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > maxProfileBytes) throw tooLarge(`more than ${largestMb} MB`);
  let unpacked = bytes;
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const packing = packings.find(({ magic }) => magic.every((byte, index) => unpacked[index] === byte));
    if (packing === undefined) break;
    try {
      unpacked = packing.unpack(unpacked);
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge(`more than ${largestMb} MB once it is unpacked`);
      throw damaged(packing.name, 'it is cut short or changed');
    }
  }
  return withoutMark(unpacked);
}

/** Some editors mark UTF-8 at its beginning, which is no part of the first name; PowerShell writes UTF-16, which becomes UTF-8. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    if (bytes.byteLength > maxJsonBytes) throw tooLarge(`more than ${maxJsonBytes / 1024 / 1024} MB of UTF-16`);
    return Buffer.from(new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes), 'utf8');
  }
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The largest file in a zip: apart from a recording there is at most a description of it. */
function unpackZip(bytes: Uint8Array): Uint8Array {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const piece: Piece = (offset, length) => whole.subarray(Math.max(0, offset), Math.max(0, offset + length));
  const [largest] = [...(zipEntries(piece, { start: 0, bytes: whole.length }) ?? [])].sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) throw new Error('no directory');
  if (largest.bytes > maxProfileBytes) throw tooLarge(`more than ${largestMb} MB once it is unpacked`);
  const content = unpacked(piece, largest, maxProfileBytes);
  if (content === null) throw new Error('damaged, or packed in another way');
  return content;
}
