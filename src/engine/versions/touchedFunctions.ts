import type { CallTree } from '../../model/domain/callTree.ts';
import { grouped } from '../../model/domain/grouped.ts';
import { firstLines } from '../../calltree/functionLines.ts';
import { type SourceFile, sourceFileOf } from '../../calltree/sourceFile.ts';
import { type FileChange, touchedLines } from './changedLines.ts';
import { type LineRange, rangeAround, rangeFrom } from './functionRange.ts';

/** What is known of the code of both versions. */
export interface CodeChange {
  files: readonly FileChange[];
  /** A recorded path, relative to the repository’s top with slashes; null where it lies elsewhere. */
  relative: (file: string) => string | null;
  /** The one file of head that holds a class of the JVM, `shop/Orders.java`: below the top; null where there is none, or more than one. */
  sourceOf: (file: string) => string | null;
  /** Lines of a file of head, by its path below the top; null where they cannot be read. */
  linesOf: (path: string) => readonly string[] | null;
}

/** Where a function is in head. */
export interface FunctionPlace {
  /** Below the repository’s top; of a class of the JVM whose source is not found there, as far as its package says. Null: none. */
  file: string | null;
  /** From 1; null where not known. For a function that the change touched, the first line that it touched there. */
  line: number | null;
  touched: boolean;
}

/** The place of each function of head’s recording, by its number: the change touched the innermost function around each of its lines. */
export function functionPlaces(tree: CallTree, code: CodeChange): FunctionPlace[] {
  const { functions } = tree;
  const seen = firstLines(tree);
  const places = functions.name.map((_, func): FunctionPlace => {
    const line = functions.line[func] || seen[func] || null;
    return { file: fileOf(tree, func, code), line, touched: false };
  });
  for (const { path, hunks } of code.files) {
    const lines = code.linesOf(path);
    if (lines === null) continue;
    const ranges = places.flatMap(({ file, line }, func): { func: number; range: LineRange }[] => {
      if (file !== path || line === null) return [];
      return [{ func, range: functions.line[func] === 0 ? rangeAround(lines, line) : rangeFrom(lines, line) }];
    });
    const first = new Map<number, number>();
    for (const line of hunks.flatMap(touchedLines)) {
      const around = ranges.filter(({ range }) => line >= range.first && line <= range.last);
      const smallest = Math.min(...around.map(({ range }) => range.last - range.first));
      for (const { func, range } of around)
        if (range.last - range.first === smallest && !first.has(func) && lines[line - 1]?.trim() !== '') first.set(func, line);
    }
    for (const [func, line] of first) places[func] = { file: path, line, touched: true };
  }
  // A comparison knows functions of one name and file by the first of them.
  for (const same of grouped(functions.name.keys(), (func) => `${functions.name[func] ?? ''}\0${functions.file[func] ?? ''}`).values()) {
    const touched = same.map((func) => places[func]).find((place) => place?.touched === true);
    if (touched !== undefined) places[same[0]] = touched;
  }
  return places;
}

function fileOf(tree: CallTree, func: number, code: CodeChange): string | null {
  const source = sourceFileOf(tree.functions, func);
  return source && (pathOf(source, code) ?? (source.kind === 'path' ? null : source.file));
}

/** A source below the repository’s top. Of a class of the JVM its package is all that is known: a file that changed, before any other that ends so. */
export function pathOf({ file, kind }: SourceFile, { files, relative, sourceOf }: CodeChange): string | null {
  if (kind === 'path') return relative(file);
  return files.find(({ path }) => path === file || path.endsWith(`/${file}`))?.path ?? sourceOf(file);
}
