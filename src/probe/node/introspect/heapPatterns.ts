import { types } from 'node:util';
import { runInNewContext } from 'node:vm';
import { noSuchPath } from '../../../model/domain/noSuchPath.ts';
import { quietly } from '../objects.ts';

const mostMembers = 40;
const mostOfOneObject = 3;
const longestPath = 300;
const longestPattern = 1_000;
/** For all patterns together: one that backtracks without end is broken off, with those after it. */
const longestMs = 250;
const pathLike = /^\/[\w.~:{}<>@/[\]=-]*$/;
const parameter = /:\w+|\{\w+\}|<\w+>|\[{1,2}(?:\.{3})?\w[\w=-]*\]{1,2}/g;
const sourceOf = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')?.get;

/** A path with its parameters filled, and a regular expression that is kept in the same object. */
export interface PatternPair {
  path: string;
  filled: string;
  pattern: RegExp;
}

/** The paths among the members of an object, each with a regular expression, or the text of one, among its other members. Nothing is matched yet. */
export function patternPairs(holder: unknown): PatternPair[] {
  if (typeof holder !== 'object' || holder === null || types.isProxy(holder)) return [];
  if (Array.isArray(holder) || ArrayBuffer.isView(holder)) return [];
  const names = Object.keys(holder);
  if (names.length < 2 || names.length > mostMembers) return [];
  const [paths, sources]: [string[], string[]] = [[], []];
  for (const name of names) {
    const value: unknown = Object.getOwnPropertyDescriptor(holder, name)?.value;
    const source = sourceIn(value);
    if (source !== null) sources.push(source);
    else if (typeof value === 'string' && value.startsWith('/') && value.length <= longestPath && pathLike.test(value)) paths.push(value);
  }
  if (paths.length === 0) return [];
  const patterns = sources.slice(0, mostOfOneObject).flatMap(compiled);
  return patterns.flatMap((pattern) =>
    paths.slice(0, mostOfOneObject).map((path) => ({ path, filled: path.replace(parameter, '1'), pattern })),
  );
}

/** The paths that their own pattern matches, and it does not match any other path as well. */
export function matchedPaths(pairs: readonly PatternPair[]): string[] {
  const matched: string[] = [];
  const code = 'for (const { path, filled, pattern } of pairs) if (pattern.test(filled) && !pattern.test(other)) matched.push(path);';
  quietly(() => void runInNewContext(code, { pairs, matched, other: `/${noSuchPath}` }, { timeout: longestMs }), undefined)();
  return matched;
}

/** The text of a regular expression from the start of its input on. */
function sourceIn(value: unknown): string | null {
  const source: unknown = types.isRegExp(value) && sourceOf !== undefined ? Reflect.apply(sourceOf, value, []) : value;
  return typeof source === 'string' && source.startsWith('^') && source.length <= longestPattern ? source : null;
}

/** One of its own: what the service does with its pattern changes the place where that goes on. */
function compiled(source: string): RegExp[] {
  return quietly(() => [new RegExp(source)], [])();
}
