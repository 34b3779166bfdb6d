import { readOtlp } from '../readOtlp.ts';
import { writeOtlp } from '../writeOtlp.ts';
import type { ProfileFormat } from './profileFormat.ts';

const mostLengthBytes = 10;

/** A message that begins with profiles of a resource has messages in it where pprof's first field has numbers. */
function looksLikeOtlp(bytes: Uint8Array): boolean {
  // Some write lengths with more bytes than these need.
  let last = 1;
  while (last < mostLengthBytes && (bytes[last] ?? 0) >= 0x80) last += 1;
  return bytes[0] === 0x0a && [0x0a, 0x12, 0x1a].includes(bytes[last + 1] ?? 0);
}

export const otlp: ProfileFormat = {
  id: 'otlp',
  label: 'OpenTelemetry profiles (OTLP)',
  endings: { '.otlp': 'opens', '.otlp.pb': 'asked' },
  sniff: ({ bytes }) => looksLikeOtlp(bytes),
  read: readOtlp,
  write: ({ tree, events }) => writeOtlp(tree, events),
};
