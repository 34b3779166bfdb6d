import { looksCollapsed, readCollapsed } from '../readCollapsed.ts';
import { writeCollapsed } from '../writeCollapsed.ts';
import { writeDiffCollapsed } from '../writeDiff.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const collapsed: ProfileFormat = {
  id: 'collapsed',
  label: 'Collapsed stacks',
  endings: { '.collapsed': 'opens', '.folded': 'opens', '.txt': 'asked' },
  sniff: ({ json, bytes }) => json === null && looksCollapsed(bytes),
  read: readCollapsed,
  write: ({ tree, event }) => writeCollapsed(tree, event),
  writeDiff: (diff) => writeDiffCollapsed(diff),
};
