import { gunzipSync, inflateRawSync } from 'node:zlib';
import { damaged, maxProfileBytes, tooLarge } from '../../calltree/treeLimits.ts';
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

const [endRecord, centralEntry] = [0x06054b50, 0x02014b50];
const [stored, deflated] = [0, 8];

/** The largest file in a zip: beside a recording there is at most what describes it. */
function unpackZip(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== endRecord) end -= 1;
  if (end < 0) throw new Error('no directory');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let largest = { size: -1, packed: 0, method: 0, start: 0 };
  for (let entry = 0; entry < count; entry += 1) {
    if (view.getUint32(at, true) !== centralEntry) throw new Error('no entry');
    const size = view.getUint32(at + 24, true);
    if (size > largest.size)
      largest = {
        size,
        packed: view.getUint32(at + 20, true),
        method: view.getUint16(at + 10, true),
        start: view.getUint32(at + 42, true),
      };
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (largest.size > maxProfileBytes) throw tooLarge(`more than ${largestMb} MB once it is unpacked`);
  const start = largest.start + 30 + view.getUint16(largest.start + 26, true) + view.getUint16(largest.start + 28, true);
  const content = bytes.subarray(start, start + largest.packed);
  if (largest.method === stored) return content;
  if (largest.method === deflated) return inflateRawSync(content, { maxOutputLength: maxProfileBytes });
  throw new Error('another method');
}
