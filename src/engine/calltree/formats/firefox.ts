import { parseJsonDocument } from '../jsonDocument.ts';
import { readFirefox } from '../readFirefox.ts';
import { writeFirefox } from '../writeFirefox.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const firefox: ProfileFormat = {
  id: 'firefox',
  label: 'Firefox Profiler',
  endings: { '.firefox.json': 'opens', '.json.gz': 'asked' },
  sniff: ({ has, text }) => has('threads') || (has('profile') && /"(?:libs|threads|meta)"/.test(text)),
  write: ({ tree, events, title }) => writeFirefox(tree, events, title),
  read: (bytes) => readFirefox(parseJsonDocument(bytes, 'Firefox Profiler')),
};
