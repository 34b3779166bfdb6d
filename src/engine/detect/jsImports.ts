import path from 'node:path';
import type { FolderFiles } from './folderFiles.ts';

/** What a name of a file stands for. */
export interface Imported {
  file: string;
  /** The name that the other file exports it by; null: all that it exports, or its default. */
  member: string | null;
}

// Each is tried at few places and reads on from there to the next bracket or quote, as in jsRoutes.

/** What follows the names of an import. */
const importedFrom = /\bfrom\s*(['"`])(\.[^'"`]+)\1|=\s*require\s*\(\s*(['"`])(\.[^'"`]+)\3\s*\)/g;
/** A list of imported names is shorter. */
const longestImport = 2_000;
const mostImports = 1_000;
/** The arguments of a call that registers a handler by its name are shorter. */
const longestArguments = 500;
/** The last argument, if it is a name, or a name that is wrapped. */
const lastName = /(?:^|[,(\s])([A-Za-z_$][\w$]*)(?:\s*\.\s*([A-Za-z_$][\w$]*))?\s*\)*\s*,?\s*$/;

/** What a file imports from others of these, by the names that it has there. */
export function importsOf(files: FolderFiles, sources: readonly string[], file: string): ReadonlyMap<string, Imported> {
  const known = new Set(sources);
  const text = files.source(file);
  const imports = new Map<string, Imported>();
  let readTo = 0;
  for (const match of firstOf(text.matchAll(importedFrom), mostImports)) {
    const before = text.slice(Math.max(readTo, match.index - longestImport), match.index);
    readTo = match.index + match[0].length;
    const resolved = resolveImport(known, file, match[2] ?? match[4] ?? '');
    if (resolved === null) continue;
    const names = match[2] === undefined ? requiredNames(before) : importedNames(before);
    for (const { local, member } of boundBy(names)) imports.set(local, { file: resolved, member });
  }
  return imports;
}

/** Where another file has the function that the last argument of a call names; null where the call names none of another file. */
export function handlerPlace(
  files: FolderFiles,
  imports: ReadonlyMap<string, Imported> | undefined,
  text: string,
  from: number,
): { file: string; line: number } | null {
  const [, name = '', property] = lastName.exec(argumentsFrom(text.slice(from, from + longestArguments))) ?? [];
  const imported = imports?.get(name);
  const exported = property ?? imported?.member ?? null;
  if (imported === undefined || exported === null) return null;
  const at = definedAt(files.source(imported.file), exported);
  return at === null ? null : { file: imported.file, line: files.lineAt(imported.file, at) };
}

export function resolveImport(sources: ReadonlySet<string>, from: string, to: string): string | null {
  const base = path.posix.join(path.posix.dirname(from), to);
  const stem = base.replace(/\.[cm]?[jt]s$/, '');
  const endings = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts'];
  const candidates = [base, ...endings.map((ending) => `${stem}${ending}`), ...endings.map((ending) => `${base}/index${ending}`)];
  return candidates.find((candidate) => sources.has(candidate)) ?? null;
}

export function* firstOf<T>(all: Iterable<T>, most: number): Iterable<T> {
  let count = 0;
  for (const one of all) {
    if (count === most) return;
    count += 1;
    yield one;
  }
}

/** What a call is given, up to its closing bracket; empty where that is not near. */
function argumentsFrom(text: string): string {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth < 0) return text.slice(0, index);
  }
  return '';
}

/** Where a file defines a function of this name: as a function, a constant, an export, or a method. */
function definedAt(text: string, name: string): number | null {
  const word = name.replaceAll('$', '\\$');
  const whole = new RegExp(
    `\\bfunction\\s*\\*?\\s*${word}\\s*\\(|\\b(?:const|let|var)\\s+${word}\\s*[=:]|\\bexports\\s*\\.\\s*${word}\\s*=[^=]`,
  ).exec(text);
  const found =
    whole ?? new RegExp(`^[ \\t]*(?:(?:public|static|async)[ \\t]+)*${word}[ \\t]*(?:=|:|\\([^()]*\\)[^;]{0,80}\\{)`, 'm').exec(text);
  return found?.index ?? null;
}

/** The names of the import statement at whose `from` this ends. */
function importedNames(before: string): string {
  const names = before.slice(before.lastIndexOf('import'));
  return /['"`;]/.test(names) || !names.startsWith('import') ? '' : names.slice('import'.length);
}

/** The names that are declared by the statement at whose `=` this ends. */
function requiredNames(before: string): string {
  const names = before.slice(Math.max(...['const', 'let', 'var'].map((word) => before.lastIndexOf(word)), 0));
  return /[=;]/.test(names) ? '' : names.replace(/^\w+/, '');
}

/** The names that `users`, `* as users`, `{ one, two as other }` or `{ two: other }` bind. */
function boundBy(names: string): { local: string; member: string | null }[] {
  const [outside = '', inside = ''] = names.split(/[{}]/);
  const whole = /(?:^|as)\s+([\w$]+)\s*,?\s*$/.exec(outside);
  const members = inside.split(',').flatMap((one) => {
    const [, member, local = member] = /^\s*(?:type\s+)?([\w$]+)(?:\s*(?::|as\s)\s*([\w$]+))?\s*$/.exec(one) ?? [];
    return member === undefined || local === undefined ? [] : [{ local, member }];
  });
  return [...(whole?.[1] === undefined ? [] : [{ local: whole[1], member: null }]), ...members];
}
