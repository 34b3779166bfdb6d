import { parseJsonDocument } from '../jsonDocument.ts';
import { readOldCpuProfile } from '../readOldCpuProfile.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const v8OldCpuProfile: ProfileFormat = {
  id: 'cpuprofile-tree',
  label: 'V8 CPU profile, old form',
  endings: { '.cpuprofile': 'offers' },
  // A heap profile has a head too, whose nodes have call frames and sizes.
  sniff: ({ has, text }) => has('head') && !text.includes('"callFrame"') && !text.includes('"selfSize"') && text.includes('"functionName"'),
  read: (bytes, { scripts }) => readOldCpuProfile(parseJsonDocument(bytes, '.cpuprofile'), scripts),
};
