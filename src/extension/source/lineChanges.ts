import type * as vscode from 'vscode';
import type { LineChange } from './sourceMarkEdits.ts';

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
