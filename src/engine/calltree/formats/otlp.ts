import { ProtobufReader } from '../protobufReader.ts';
import { readOtlp } from '../readOtlp.ts';
import { writeOtlp } from '../writeOtlp.ts';
import type { ProfileFormat } from './profileFormat.ts';

const mostLengthBytes = 10;
const dictionaryTag = 0x12;

/** A message that begins with profiles of a resource has messages in it where pprof's first field has numbers. */
function looksLikeOtlp(bytes: Uint8Array): boolean {
  if (bytes[0] === dictionaryTag) return beginsWithDictionary(bytes);
  // Some write lengths with more bytes than these need.
  let last = 1;
  while (last < mostLengthBytes && (bytes[last] ?? 0) >= 0x80) last += 1;
  return bytes[0] === 0x0a && [0x0a, 0x12, 0x1a].includes(bytes[last + 1] ?? 0);
}

/** The dictionary (field 2) may precede the profiles (field 1), and no other field follows. In pprof field 2 is a sample, and other fields follow. */
function beginsWithDictionary(bytes: Uint8Array): boolean {
  try {
    const fields = new ProtobufReader(bytes, 0, bytes.byteLength, 'OTLP profiles');
    let [dictionaries, resources] = [0, 0];
    while (fields.next()) {
      fields.range();
      if (fields.field === 1) resources += 1;
      else if (fields.field !== 2 || (dictionaries += 1) > 1) return false;
    }
    return dictionaries === 1 && resources > 0;
  } catch {
    return false;
  }
}

export const otlp: ProfileFormat = {
  id: 'otlp',
  label: 'OpenTelemetry profiles (OTLP)',
  endings: { '.otlp': 'opens', '.otlp.pb': 'asked' },
  sniff: ({ bytes }) => looksLikeOtlp(bytes),
  read: readOtlp,
  write: ({ tree, events }) => writeOtlp(tree, events),
};
