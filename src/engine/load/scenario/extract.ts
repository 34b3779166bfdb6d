/** The parts of an answer that values are extracted from. Header names are lower case. */
export interface AnswerParts {
  headers: ReadonlyMap<string, string>;
  /** The body as text, read when it is asked for; null when it was longer than is kept. */
  text: () => string | null;
}

/** Takes one value out of an answer; a phrase such as “no /id in the answer” when it is not there. */
export type Extractor = (answer: AnswerParts) => { value: string } | { missing: string };

export interface ParsedExtractor {
  extract: Extractor;
  readsBody: boolean;
}

/** Values are for paths and bodies of later requests; a longer text is not one. */
const longestValue = 4096;

/** The extractor in `source`: a JSON pointer (RFC 6901), `header:Name`, or `regex:…` with one group; or a phrase of what is wrong with it. */
export function parseExtractor(source: string): ParsedExtractor | string {
  if (source.startsWith('header:')) return headerExtractor(source.slice('header:'.length).trim());
  if (source.startsWith('regex:')) return regexExtractor(source.slice('regex:'.length));
  if (source === '' || source.startsWith('/')) return { extract: pointerExtractor(source), readsBody: true };
  return `“${source.slice(0, 80)}” is not a JSON pointer such as /id, header:Location, or regex:id=([0-9]+)`;
}

function headerExtractor(name: string): ParsedExtractor | string {
  if (!/^[A-Za-z0-9-]+$/.test(name)) return `“header:${name.slice(0, 80)}” does not name a header`;
  const key = name.toLowerCase();
  return {
    readsBody: false,
    extract: ({ headers }) => found(headers.get(key), `no header ${name} in the answer`),
  };
}

function regexExtractor(source: string): ParsedExtractor | string {
  let expression: RegExp;
  try {
    expression = new RegExp(source, 'u');
    // With an empty alternative it matches everything, and the result shows how many groups there are.
    if (new RegExp(`${source}|`, 'u').exec('')?.length !== 2) return `regex:${source.slice(0, 80)} has not exactly one group`;
  } catch {
    return `regex:${source.slice(0, 80)} is not a regular expression`;
  }
  return {
    readsBody: true,
    extract: bodyExtractor((text) => found(expression.exec(text)?.[1], `no match of ${source.slice(0, 80)} in the answer`)),
  };
}

function pointerExtractor(pointer: string): Extractor {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return bodyExtractor((text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { missing: 'the answer is not JSON' };
    }
    for (const step of steps) value = member(value, step);
    const missing = `no ${pointer === '' ? 'value' : pointer} in the answer`;
    if (typeof value === 'object') return value === null ? { missing } : { missing: `${pointer} in the answer is not a single value` };
    return found(value === undefined ? undefined : String(value), missing);
  });
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function bodyExtractor(read: (text: string) => ReturnType<Extractor>): Extractor {
  return (answer) => {
    const text = answer.text();
    return text === null ? { missing: 'the answer is too long to be read' } : read(text);
  };
}

function found(value: string | undefined, missing: string): ReturnType<Extractor> {
  if (value === undefined) return { missing };
  return value.length > longestValue ? { missing: `the value is longer than ${longestValue} characters` } : { value };
}
