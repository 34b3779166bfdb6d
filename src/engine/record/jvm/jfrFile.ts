import type { FileHandle } from 'node:fs/promises';

const headerBytes = 68;
/** "FLR" and a zero byte. */
const magic = 0x464c5200;
const maxChunks = 100_000;

/**
 * How many bytes from the beginning of a Flight Recorder file are whole chunks. A process that was killed leaves its last chunk without a size.
 * Header of a chunk: magic, version, then 8 bytes each: size, position of the constants, position of the types.
 */
export async function completeJfrBytes(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const header = Buffer.alloc(headerBytes);
  let end = 0;
  for (let chunk = 0; chunk < maxChunks && end + headerBytes <= size; chunk += 1) {
    const { bytesRead } = await file.read(header, 0, headerBytes, end);
    if (bytesRead < headerBytes || header.readUInt32BE(0) !== magic) break;
    const [length, constants, types] = [header.readBigInt64BE(8), header.readBigInt64BE(16), header.readBigInt64BE(24)];
    if (length < headerBytes || BigInt(end) + length > BigInt(size)) break;
    if (constants < headerBytes || constants >= length || types < headerBytes || types >= length) break;
    end += Number(length);
  }
  return end;
}
