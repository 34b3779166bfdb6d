import { parseJsonDocument } from '../jsonDocument.ts';
import { readHeapSnapshot } from '../readHeapSnapshot.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const v8HeapSnapshot: ProfileFormat = {
  id: 'heapsnapshot',
  label: 'V8 heap snapshot',
  endings: { '.heapsnapshot': 'offers', '.heaptimeline': 'offers' },
  sniff: ({ has }) => has('snapshot'),
  read: (bytes, { scripts }) => readHeapSnapshot(parseJsonDocument(bytes, 'heap snapshot'), scripts),
};
