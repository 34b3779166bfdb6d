import { type ParseError, parse } from 'jsonc-parser';
import { isObject } from '../../model/domain/isObject.ts';
import { sha256 } from './safeFiles.ts';

/** What a `benchside.json` starts, for a person to look through. */
export interface StartedBy {
  /** By target, in the order of the file: everything of it that reaches a process, a line each, whole. */
  targets: { id: string; lines: string[] }[];
  /** What reaches the processes of all targets, such as the server. */
  shared: string[];
  /** Changes with every one of these lines, and with nothing else; of a file that is no JSON with the text. */
  sha256: string;
}

/** Words about a target and what it is asked: they reach no process. */
const harmless = ['label', 'description', 'routes', 'ready', 'requiresCure'];

/** What a text of `benchside.json` starts; an empty one starts nothing. */
export function startedBy(text: string): StartedBy {
  try {
    return startedByJson(text);
  } catch (error) {
    // Nested beyond what can be read: nothing of it can be started.
    if (!(error instanceof RangeError)) throw error;
    return { targets: [], shared: [], sha256: sha256(text) };
  }
}

function startedByJson(text: string): StartedBy {
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const file = isObject(content) ? content : {};
  const targets = Array.isArray(file['targets']) ? (file['targets'] as unknown[]).filter(isObject) : [];
  const starting = targets.map((target) => Object.fromEntries(Object.entries(target).filter(([name]) => !harmless.includes(name))));
  const postgres = file['postgres'] ?? null;
  const told = errors.length > 0 ? text : JSON.stringify([starting, postgres]);
  return {
    // As JSON, so that the borders between arguments are unambiguous.
    targets: starting.map(({ id, ...rest }) => ({
      id: String(id),
      lines: Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    })),
    shared: postgres === null ? [] : [`postgres of all targets: ${JSON.stringify(postgres)}`],
    sha256: sha256(told),
  };
}
