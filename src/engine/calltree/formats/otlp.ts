import { readOtlp } from '../readOtlp.ts';
import { writeOtlp } from '../writeOtlp.ts';
import type { ProfileFormat } from './profileFormat.ts';

/** A message that begins with profiles of a resource has messages in it where pprof's first field has numbers. */
function looksLikeOtlp(bytes: Uint8Array): boolean {
  const inner = (bytes[1] ?? 0) < 0x80 ? 2 : (bytes[2] ?? 0) < 0x80 ? 3 : (bytes[3] ?? 0) < 0x80 ? 4 : 5;
  return bytes[0] === 0x0a && [0x0a, 0x12, 0x1a].includes(bytes[inner] ?? 0);
}

export const otlp: ProfileFormat = {
  id: 'otlp',
  label: 'OpenTelemetry profiles (OTLP)',
  endings: { '.otlp': 'opens', '.otlp.pb': 'asked' },
  sniff: ({ bytes }) => looksLikeOtlp(bytes),
  read: readOtlp,
  write: ({ tree, events }) => writeOtlp(tree, events),
};
