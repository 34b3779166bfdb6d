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
