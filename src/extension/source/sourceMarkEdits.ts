import type * as vscode from 'vscode';

/** One change of a document, in lines and characters before it, from 0; as the editor reports it. */
export interface LineChange {
  startLine: number;
  startCharacter: number;
  endLine: number;
  endCharacter: number;
  text: string;
}

/** A line that is followed through edits: where it is now, from 0 (null: cut away), and its text when it was seen last. */
export interface TrackedLine {
  line: number | null;
  text: string;
}

/** Lines shorter than this (such as "}") are not recognised when they are inserted again. */
const shortestRecognised = 4;

/**
 * Where the lines are after changes that were made one after the other. A line stays with its text: it moves down when something is put before
 * it, is found again in a block that was replaced (a formatter does that) or pasted, and is null while it is cut away.
 */
export function trackLines<T extends TrackedLine>(tracked: readonly T[], changes: readonly LineChange[]): T[] {
  let lines = tracked.map((line) => ({ ...line }));
  for (const change of changes) {
    const inserted = change.text.split(/\r\n|\r|\n/);
    lines = lines.map((line) => ({ ...line, line: moved(line, change, inserted) }));
  }
  return lines;
}

function moved({ line, text }: TrackedLine, change: LineChange, inserted: readonly string[]): number | null {
  const { startLine, startCharacter, endLine, endCharacter } = change;
  const added = inserted.length - 1;
  const removed = endLine - startLine;
  if (line === null) {
    const again = text.trim().length < shortestRecognised ? -1 : nearest(inserted, text, 0);
    return again < 0 ? null : startLine + again;
  }
  if (line < startLine) return line;
  if (line > endLine) return line + added - removed;
  if (added === 0 && removed === 0) return line;
  const indent = text.length - text.trimStart().length;
  // The visible part of the line is wholly behind the change, or wholly before it.
  if (line === endLine && endCharacter <= indent) return startLine + added;
  if (line === startLine && startCharacter >= text.trimEnd().length) return line;
  const same = nearest(inserted, text, line - startLine);
  if (same >= 0) return startLine + same;
  if (line === startLine && startCharacter > indent) return line;
  if (line === endLine && endCharacter < text.trimEnd().length) return startLine + added;
  return added === removed ? line : null;
}

/** The line with this text that is nearest to `expected`; -1 where there is none. */
function nearest(lines: readonly string[], text: string, expected: number): number {
  const wanted = text.trim();
  if (wanted === '') return -1;
  let best = -1;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === wanted && (best < 0 || Math.abs(index - expected) < Math.abs(best - expected))) best = index;
  }
  return best;
}

/** What an edit changed, in lines and characters. */
export function lineChanges({ contentChanges }: Pick<vscode.TextDocumentChangeEvent, 'contentChanges'>): LineChange[] {
  return contentChanges.map(({ range: { start, end }, text }) => ({
    startLine: start.line,
    startCharacter: start.character,
    endLine: end.line,
    endCharacter: end.character,
    text,
  }));
}
