import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { parsedJson } from '../files/parsedJson.ts';

/** What a body says: JSON, whose numbers are {@link NumberText}; or text, as lines of words. */
export interface AnswerContent {
  kind: 'json' | 'text';
  value: unknown;
}

/** A number as it was written: 12.50 is not 12.5 for everyone who reads it. */
export class NumberText {
  constructor(readonly text: string) {}
}

/** A body that decompresses to more is left compressed. */
const mostBytes = 16 * 2 ** 20;
const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** A body as it can be compared with another: decompressed, decoded, without the `port` that the process listens on. */
export function answerContent(bytes: Buffer, headers: Readonly<Record<string, string>>, port: number): AnswerContent {
  const text = textOf(decompressed(bytes, headers['content-encoding'] ?? ''), headers['content-type'] ?? '')?.replace(
    new RegExp(`(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):${port}\\b`, 'g'),
    'localhost',
  );
  if (text === undefined) return { kind: 'text', value: [[`bytes with SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`]] };
  const json = /^\s*[[{"\d-]/.test(text) ? jsonOf(text) : undefined;
  return json === undefined ? { kind: 'text', value: text.split(/\r?\n/).map(wordsOf) } : { kind: 'json', value: json };
}

function decompressed(bytes: Buffer, encoding: string): Buffer {
  const decode = decoders[encoding.trim().toLowerCase()];
  if (decode === undefined) return bytes;
  try {
    return decode(bytes, { maxOutputLength: mostBytes });
  } catch {
    return bytes;
  }
}

/** Undefined of what is no text in the declared encoding. */
function textOf(bytes: Buffer, type: string): string | undefined {
  if (isUtf8(bytes)) return bytes.includes(0) ? undefined : bytes.toString();
  const declared = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(declared, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What no JSON text has in a string as it is. */
const mark = '\u0000';

/** JSON whose numbers keep their text; undefined for other text. */
function jsonOf(text: string): unknown {
  if (parsedJson(text) === undefined) return undefined;
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? new NumberText(value.slice(1)) : value,
  ) as unknown;
}

function wordsOf(line: string): string[] {
  return line.match(/\s+|[^\s,;<>="'(){}[\]]+|[,;<>="'(){}[\]]/g) ?? [];
}
