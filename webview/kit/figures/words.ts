import { bytesPhrase, noFigure } from '../../../src/model/domain/format.ts';

/** "84 MiB" or a dash. */
export function memoryPhrase(bytes: number | null): string {
  return bytes === null ? noFigure : bytesPhrase(bytes);
}

/** "14:02", with the day when it is not today's. */
export function clockPhrase(iso: string, now: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date);
  if (date.toDateString() === now.toDateString()) return time;
  return `${new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format(date)}, ${time}`;
}

/** The words as they are within a sentence. */
export function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The same words, in which a figure and its unit stay on one line, and so do "4 min 31 s" and "35 – 56 %". */
export function unbroken(words: string): string {
  return words
    .replace(/(\d) (?=%|(?:s|ms|µs|min|h|B|[KMG]iB)\b)/g, '$1\u00a0')
    .replace(/(\d\u00a0(?:min|h)) (?=\d+\u00a0(?:s|min)\b)/g, '$1\u00a0')
    .replace(/(\d) – (?=[−\d])/g, '$1\u00a0–\u00a0');
}
