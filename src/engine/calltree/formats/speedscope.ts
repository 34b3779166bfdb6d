import { parseJsonDocument } from '../jsonDocument.ts';
import { readSpeedscope } from '../readSpeedscope.ts';
import { writeSpeedscope } from '../writeSpeedscope.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const speedscope: ProfileFormat = {
  id: 'speedscope',
  label: 'speedscope',
  endings: { '.speedscope.json': 'opens', '.speedscope': 'asked' },
  sniff: ({ has }) => has('shared', 'profiles'),
  read: (bytes) => readSpeedscope(parseJsonDocument(bytes, 'speedscope')),
  write: ({ tree, events, title }) => writeSpeedscope(tree, events, title),
};
