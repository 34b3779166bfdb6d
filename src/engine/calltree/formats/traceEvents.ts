import { readTraceEvents } from '../readTraceEvents.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const traceEvents: ProfileFormat = {
  id: 'trace',
  label: 'performance trace (Chrome, Node)',
  endings: { '.trace.json': 'offers', '.json': 'asked' },
  sniff: ({ json, has, text }) => has('traceEvents') || (json === 'list' && /"ph"\s*:\s*"/.test(text)),
  read: (bytes, { scripts }) => readTraceEvents(bytes, scripts),
};
