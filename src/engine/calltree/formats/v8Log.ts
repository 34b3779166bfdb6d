import { parseJsonDocument } from '../jsonDocument.ts';
import { readStackTicks, readV8Log } from '../readV8Log.ts';
import type { ProfileFormat } from './profileFormat.ts';

const readProcessed = (bytes: Uint8Array): ReturnType<typeof readV8Log> => readV8Log(parseJsonDocument(bytes, 'V8 log'));

/** What `node --prof` writes: addresses, which Node itself has to resolve first. */
export const v8Log: ProfileFormat = {
  id: 'v8-log',
  label: 'V8 log (node --prof)',
  endings: { '-v8.log': 'offers' },
  sniff: ({ text }) => text.startsWith('v8-version,'),
  prepare: async (bytes) => (await import('../preprocessV8Log.ts')).preprocessV8Log(bytes),
  read: readProcessed,
};

/** The same, resolved already. */
export const v8ProcessedLog: ProfileFormat = {
  id: 'v8-processed-log',
  label: 'V8 log, preprocessed',
  endings: { '.json': 'asked' },
  sniff: ({ has }) => has('ticks') && has('code'),
  read: readProcessed,
};

/** The same as whole stacks: `ticks.json` of 0x, `….clinic-flame-samples` of Clinic. */
export const stackTicks: ProfileFormat = {
  id: 'stack-ticks',
  label: 'Ticks of 0x or Clinic Flame',
  endings: { '.clinic-flame-samples': 'asked' },
  sniff: ({ json, text }) => json === 'list' && /^\s*\[\s*(?:\[\s*\]\s*,\s*)*\[\s*\{[^{}]{0,2000}"name"/.test(text),
  read: readStackTicks,
};
