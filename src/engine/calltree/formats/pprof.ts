import { readPprof } from '../readPprof.ts';
import { writePprof } from '../writePprof.ts';
import type { ProfileFormat } from './profileFormat.ts';

/** Messages and texts; all other fields are numbers. Comments are a list of numbers, packed or not. */
const lengths: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 11, 13]);
const lookedFields = 16;

/** Whether a message of pprof begins here, by the kinds of its first fields. */
function looksLikePprof(bytes: Uint8Array): boolean {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  for (let count = 0; count < lookedFields && at < bytes.length; count += 1) {
    const key = varint();
    const [field, wireType] = [Math.floor(key / 8), key % 8];
    if (field < 1 || field > 15 || (wireType !== 0 && wireType !== 2)) return false;
    if (wireType === 2 && !lengths.has(field)) return false;
    if (wireType === 0 && lengths.has(field) && field !== 13) return false;
    const value = varint();
    if (wireType === 2) at += value;
  }
  return bytes.length > 0;
}

export const pprof: ProfileFormat = {
  id: 'pprof',
  label: 'pprof',
  endings: { '.pb.gz': 'opens', '.pprof': 'opens', '.pprof.gz': 'asked', '.pb': 'asked' },
  sniff: ({ bytes }) => looksLikePprof(bytes),
  read: readPprof,
  write: ({ tree, events }) => writePprof(tree, events),
};
