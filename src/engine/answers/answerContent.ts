import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { attempt } from '../../model/domain/attempt.ts';
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
/** A longer line counts as one word. */
const longestLine = 100_000;
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
  return attempt(() => decode(bytes, { maxOutputLength: mostBytes }), bytes);
}

/** Undefined of what is no text in the declared encoding. */
function textOf(bytes: Buffer, type: string): string | undefined {
  if (isUtf8(bytes)) return bytes.includes(0) ? undefined : bytes.toString();
  const declared = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  return attempt(() => new TextDecoder(declared, { fatal: true }).decode(bytes), undefined);
}

/** What no JSON text has in a string as it is. */
const mark = '\u0000';

/** What is nested more deeply is compared as text: a walk through it would need more stack than there is. */
const deepest = 200;

/** JSON whose numbers keep their text; undefined for other text. */
function jsonOf(text: string): unknown {
  const marked = parsedJson(text) === undefined ? undefined : withMarkedNumbers(text);
  if (marked === undefined) return undefined;
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? new NumberText(value.slice(1)) : value,
  ) as unknown;
}

/** The same with each number as a marked string; undefined where it is nested too deeply. Without regular expressions, whose stack long strings exhaust. */
function withMarkedNumbers(json: string): string | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at] ?? '';
    if (sign === '"') at = endOfString(json, at);
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      let end = at + 1;
      while (end < json.length && '0123456789.eE+-'.includes(json[end] ?? '')) end += 1;
      parts.push(json.slice(from, at), `"\\u0000${json.slice(at, end)}"`);
      from = end;
      at = end - 1;
    }
    if (depth > deepest) return undefined;
  }
  return [...parts, json.slice(from)].join('');
}

/** Where the string ends that begins there, in valid JSON. */
function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}

function wordsOf(line: string): string[] {
  if (line.length > longestLine) return [line];
  return line.match(/\s+|[^\s,;<>="'(){}[\]]+|[,;<>="'(){}[\]]/g) ?? [];
}
