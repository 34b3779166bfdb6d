import { readJfr } from '../jfr/readJfr.ts';
import type { ProfileFormat } from './profileFormat.ts';

export const flightRecorder: ProfileFormat = {
  id: 'jfr',
  label: 'Java Flight Recorder',
  endings: { '.jfr': 'opens' },
  sniff: ({ text }) => text.startsWith('FLR\0'),
  read: (bytes) => readJfr(bytes),
};
