import { readPprof } from '../readPprof.ts';
import { writePprof } from '../writePprof.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const pprof: ProfileFormat = {
  id: 'pprof',
  label: 'pprof',
  endings: { '.pb.gz': 'opens', '.pprof': 'opens', '.pprof.gz': 'asked', '.pb': 'asked' },
  // A message begins with one of its fields, of a length or a number.
  sniff: ({ bytes }) => {
    const [field, wireType] = [(bytes[0] ?? 0) >> 3, (bytes[0] ?? 0) & 7];
    return field >= 1 && field <= 15 && (wireType === 0 || wireType === 2);
  },
  read: readPprof,
  write: ({ tree, events }) => writePprof(tree, events),
};
