/** The times that an app reported for one request, in µs; null where it reported none. */
export interface ServerTimes {
  appUs: number | null;
  poolUs: number | null;
  dbUs: number | null;
}

const metric = /(?:^|,)\s*(app|pool|db)\s*;[^,]*?\bdur\s*=\s*"?(\d{1,9}(?:\.\d{1,9})?)"?/gi;

/** Reads `app;dur=1.234, pool;dur=0.1, db;dur=0.9` (W3C Server Timing; durations in ms). Other content is skipped. */
export function parseServerTiming(text: string): ServerTimes {
  const times: ServerTimes = { appUs: null, poolUs: null, dbUs: null };
  for (const [, name = '', duration = ''] of text.matchAll(metric)) {
    const us = Math.round(Number(duration) * 1000);
    const key = `${name.toLowerCase()}Us` as keyof ServerTimes;
    times[key] ??= us;
  }
  return times;
}

/** The Server-Timing of a list of names and values in turn; several are joined, as HTTP has it. */
export function serverTimingOf(headers: readonly string[]): string | null {
  let found: string | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'server-timing') continue;
    found = found === null ? (headers[i + 1] ?? '') : `${found}, ${headers[i + 1] ?? ''}`;
  }
  return found;
}
