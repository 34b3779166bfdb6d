import { parseJsonDocument } from '../jsonDocument.ts';
import { readHeapProfile } from '../readHeapProfile.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const v8HeapProfile: ProfileFormat = {
  id: 'heapprofile',
  label: 'V8 heap profile',
  endings: { '.heapprofile': 'offers' },
  sniff: ({ has }) => has('head'),
  read: (bytes, { scripts }) => readHeapProfile(parseJsonDocument(bytes, '.heapprofile'), scripts),
};
