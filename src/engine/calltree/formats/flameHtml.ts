import { readFlameHtml } from '../readFlameHtml.ts';
import type { ProfileFormat } from './profileFormat.ts';

/** A page that async-profiler or its converter wrote. */
export const flameHtml: ProfileFormat = {
  id: 'async-profiler-html',
  label: 'Flame graph of async-profiler (HTML)',
  endings: { '.html': 'asked' },
  sniff: ({ text }) => /^\s*<!doctype html/i.test(text) && /\bfunction f\(|\bconst cpool\b/.test(text) && text.includes('async-profiler'),
  read: readFlameHtml,
};
