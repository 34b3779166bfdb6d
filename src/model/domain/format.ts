import type { SettingValues } from './setting.ts';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A whole number with thousands separated: 7940.1 → "7,940". */
export function wholeNumber(value: number): string {
  return grouped.format(value);
}

/** Three significant digits, as figures in a table want: 0.1234 → "0.123", 9.81 → "9.81", 41.04 → "41.0", 7940 → "7,940". */
export function figure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 100) return wholeNumber(value);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 1 ? 2 : 3);
}

/** Settings as a phrase: "pool 8 · threads 50". */
export function settingsPhrase(settings: SettingValues): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
}

/** A span of time as a person says it: "12 h 5 min", "1 min 51 s", "4.0 s", "320 ms". */
export function durationPhrase(durationMs: number): string {
  if (Math.round(durationMs) < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "40 s" or "3 min": a span that is not known to the second. */
export function spanPhrase(seconds: number): string {
  const rounded = seconds < 90 ? Math.ceil(seconds / 10) * 10 : Math.ceil(seconds / 60) * 60;
  return durationPhrase(rounded * 1000)
    .replace(/ 0 s$/, '')
    .replace('.0 s', ' s');
}

/** Bytes in binary units: "84 MiB". */
export function bytesPhrase(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? 'TiB'}`;
}

/** Shown in place of a missing figure. */
export const noFigure = '–';

/** A figure or a dash. */
export function orDash(value: number | null | undefined, format: (value: number) => string = figure): string {
  return value === null || value === undefined ? noFigure : format(value);
}

/** "7,790 – 8,100", or a dash where there are too few blocks for an interval. */
export function intervalPhrase({ ciLow, ciHigh }: { ciLow: number | null; ciHigh: number | null }): string {
  return ciLow === null || ciHigh === null ? noFigure : `${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}`.replaceAll('-', '−');
}

/** A percentage with one decimal below ten: 2.61 → "2.6 %", 12.4 → "12 %". */
export function percentPhrase(percent: number): string {
  return `${Math.abs(percent) < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** A ratio as a change: 1.043 → "+4.3 %", 0.5 → "−50 %". */
export function changePhrase(ratio: number): string {
  const size = changeSize(ratio);
  return size === '0 %' ? size : `${ratio < 1 ? '−' : '+'}${size}`;
}

/** The same without its sign, for words that say the direction: 0.98 → "2.0 %". */
export function changeSize(ratio: number): string {
  const size = Math.abs(ratio - 1) * 100;
  const text = size >= 9.95 ? size.toFixed(0) : size.toFixed(1);
  return Number(text) === 0 ? '0 %' : `${text} %`;
}

/** The interval of a ratio as changes: "+1.2 % to +3.4 %"; empty where there is none. */
export function changeRange({ ciLow, ciHigh }: { ciLow: number | null; ciHigh: number | null }): string {
  return ciLow === null || ciHigh === null ? '' : `${changePhrase(ciLow)} to ${changePhrase(ciHigh)}`;
}

/** The same after a change: " (+1.2 % to +3.4 %)". */
export function bracketedRange(ratio: { ciLow: number | null; ciHigh: number | null }): string {
  const range = changeRange(ratio);
  return range === '' ? '' : ` (${range})`;
}

/** "32" or "16, 32 and 64". */
export function listPhrase(items: readonly (string | number)[]): string {
  const words = items.map(String);
  const last = words.pop();
  return last === undefined ? '' : words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** "loses 21 %", from the ratio to the best. */
export function lossPhrase(ratio: number): string {
  return ratio < 1 ? `loses ${oneDecimal(100 * (1 - ratio))} %` : 'loses nothing';
}

/** One decimal, and none where it is zero: 5 → "5", 20.86 → "20.9". */
export function oneDecimal(value: number): string {
  return String(Number(value.toFixed(1)));
}
