import { redactText } from '../files/redact.ts';
import { jsonOf } from './knownValues.ts';

/** The replacement for a value of a body; null: it stays. */
export type Replaced = (field: string, value: string) => string | null;

const most = { values: 5_000, depth: 30 } as const;
const mark = '\u0001';

/** A body as a template: values that `replaced` knows become holes, and all else stays unchanged. Null where it cannot be sent so. */
export function bodyTemplate(body: string, contentType: string, replaced: Replaced): string | null {
  const document = jsonOf(body);
  if (document !== undefined) return jsonTemplate(document, replaced);
  if (/x-www-form-urlencoded/i.test(contentType)) {
    return [...new URLSearchParams(body)]
      .map(([name, value]) => `${encodeURIComponent(name)}=${replaced(name, value) ?? encodeURIComponent(value)}`)
      .join('&');
  }
  // Its parts are bytes, which a recording holds as text at best.
  if (/multipart\//i.test(contentType)) return null;
  return withoutHoles(redactText(body));
}

function jsonTemplate(document: unknown, replaced: Replaced): string {
  let values = 0;
  const holes: string[] = [];
  const held = (field: string, value: string | number, depth: number): unknown => {
    values += 1;
    const hole = values > most.values || depth > most.depth ? null : replaced(field, String(value));
    if (hole === null) return value;
    holes.push(hole);
    return `${mark}${typeof value === 'number' ? 'n' : 's'}${holes.length - 1}${mark}`;
  };
  const copy = (value: unknown, field: string, depth: number): unknown => {
    if (typeof value === 'string' || typeof value === 'number') return held(field, value, depth);
    if (depth > most.depth || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => copy(one, field, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one, key, depth + 1)]));
  };
  const text = withoutHoles(JSON.stringify(copy(document, '', 0)));
  const written = JSON.stringify(mark).slice(1, -1);
  return text
    .replace(new RegExp(`"\\${written}n(\\d+)\\${written}"`, 'g'), (_, at: string) => holes[Number(at)] ?? '')
    .replace(new RegExp(`\\${written}s(\\d+)\\${written}`, 'g'), (_, at: string) => holes[Number(at)] ?? '');
}

/** Two braces would begin a hole. In JSON two come together only within strings, or where objects begin and end. */
function withoutHoles(text: string): string {
  return jsonOf(text) === undefined ? text.replaceAll('{{', '{ {').replaceAll('}}', '} }') : spaced(text);
}

/** Within strings a brace is escaped, between them braces are set apart. */
function spaced(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}]/g, (part) =>
    part.startsWith('"') ? part.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d') : part === '{' ? '{ ' : ' }',
  );
}
