import { looksLikePerfScript, readPerfScript } from '../readPerfScript.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const perfScript: ProfileFormat = {
  id: 'perf',
  label: 'perf script',
  endings: { '.perf': 'offers', '.txt': 'asked' },
  sniff: ({ json, text }) => json === null && looksLikePerfScript(text),
  read: readPerfScript,
};
