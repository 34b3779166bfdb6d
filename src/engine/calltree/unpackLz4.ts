import { longer } from '../../calltree/growingColumn.ts';

/** Too much is in it, or what is in it does not fit together. */
const tooMuch = (): Error => new RangeError('too much');
const broken = (): Error => new Error('broken');

/**
 * Unpacks a frame of LZ4 (its block format within its frame format, version 1). Checksums are skipped: what is unpacked is checked by its reader.
 *
 * @throws RangeError where it becomes larger than `largest`, Error where it is damaged.
 */
export function unpackLz4(bytes: Uint8Array, largest: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(4);
  if (flags >> 6 !== 1) throw broken();
  const [hasBlockSums, hasSize, hasDictionary] = [(flags & 0x10) !== 0, (flags & 0x08) !== 0, (flags & 0x01) !== 0];
  let at = 6 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0) + 1;
  let out = new Uint8Array(Math.min(largest, Math.max(1 << 16, bytes.byteLength * 4)));
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= out.length) return;
    if (length + more > largest) throw tooMuch();
    out = longer(out, Math.min(largest, Math.max(length + more, out.length * 2)));
  };
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return out.subarray(0, length);
    const isStored = size > 0x7fffffff;
    const end = at + (size & 0x7fffffff);
    if (end > bytes.byteLength) throw broken();
    if (isStored) {
      reserve(end - at);
      out.set(bytes.subarray(at, end), length);
      length += end - at;
    } else {
      while (at < end) {
        const token = bytes[at++] as number;
        let literals = token >> 4;
        if (literals === 15) for (let more = 255; more === 255 && at < end; literals += more) more = bytes[at++] as number;
        if (at + literals > end) throw broken();
        reserve(literals);
        out.set(bytes.subarray(at, at + literals), length);
        length += literals;
        at += literals;
        // The last sequence of a block is literals alone.
        if (at >= end) break;
        const offset = view.getUint16(at, true);
        at += 2;
        let match = (token & 15) + 4;
        if (match === 19) for (let more = 255; more === 255 && at < end; match += more) more = bytes[at++] as number;
        if (offset === 0 || offset > length) throw broken();
        reserve(match);
        // What is copied may overlap what it is copied to.
        for (let from = length - offset, left = match; left > 0; left -= 1) out[length++] = out[from++] as number;
      }
    }
    at = end + (hasBlockSums ? 4 : 0);
  }
}
