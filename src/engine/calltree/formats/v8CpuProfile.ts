import { damaged } from '../../../calltree/treeLimits.ts';
import { maxJsonBytes, parseJsonDocument } from '../jsonDocument.ts';
import { readCpuProfile, readCpuProfileDocument } from '../readCpuProfile.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const v8CpuProfile: ProfileFormat = {
  id: 'cpuprofile',
  label: 'V8 CPU profile',
  endings: { '.cpuprofile': 'offers' },
  sniff: ({ has }) => has('nodes'),
  read: (bytes, { scripts }) => {
    const scanned = readCpuProfile(bytes, scripts);
    if (typeof scanned === 'object') return scanned;
    // A file that is too long for `JSON.parse` is only checked for faults of its JSON.
    if (scanned === 'invalid' && bytes.byteLength > maxJsonBytes) throw damaged('.cpuprofile', 'its JSON is cut short or not valid');
    return readCpuProfileDocument(parseJsonDocument(bytes, '.cpuprofile'), scripts);
  },
};
