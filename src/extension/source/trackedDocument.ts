import type { LineTable } from '../../model/domain/flame.ts';
import { trackLines, type LineChange, type TrackedLine } from './sourceMarkEdits.ts';

type TableFile = LineTable['files'][number];

/** Why a mark may be wrong by now; null: nothing speaks against it. */
export type Staleness = 'lineChanged' | 'fileChanged' | null;

interface Followed extends TrackedLine {
  /** The visible text of the line when it was followed for the first time. */
  original: string;
}

/** The lines of one document that a recording knows, followed through its edits. All line numbers from 0. */
export class TrackedDocument {
  /** The file was written after the recording was made. */
  fileChanged = false;
  #lines: Followed[];
  #functions: Followed[];

  constructor(
    readonly file: TableFile,
    lineCount: number,
    textOf: (line: number) => string,
  ) {
    const follow = (line: number): Followed => {
      const there = line >= 1 && line <= lineCount;
      const text = there ? textOf(line - 1) : '';
      return { line: there ? line - 1 : null, text, original: text.trim() };
    };
    this.#lines = file.lines.map(({ line }) => follow(line));
    this.#functions = file.functions.map(({ line }) => follow(line));
  }

  /** Follows changes; `textOf` gives the lines as they are after them. */
  change(changes: readonly LineChange[], lineCount: number, textOf: (line: number) => string): void {
    this.#lines = trackLines(this.#lines, changes);
    this.#functions = trackLines(this.#functions, changes);
    this.look(lineCount, textOf);
  }

  /** Reads the texts of the lines again, also when the document was opened again. */
  look(lineCount: number, textOf: (line: number) => string): void {
    for (const followed of [...this.#lines, ...this.#functions]) {
      if (followed.line === null) continue;
      if (followed.line >= lineCount) followed.line = null;
      else followed.text = textOf(followed.line);
    }
  }

  /** Where the file's line of this index is now; null: cut away. */
  lineOf(index: number): number | null {
    return this.#lines[index]?.line ?? null;
  }

  functionLineOf(index: number): number | null {
    return this.#functions[index]?.line ?? null;
  }

  staleness(index: number): Staleness {
    const followed = this.#lines[index];
    if (followed !== undefined && followed.text.trim() !== followed.original) return 'lineChanged';
    return this.fileChanged ? 'fileChanged' : null;
  }
}
