import type * as vscode from 'vscode';
import { flameViewTypes } from './ids.ts';

interface Manifest {
  contributes: { customEditors: readonly { viewType: string; selector: readonly { filenamePattern: string }[] }[] };
}

/** The endings of the files that one of our editors is declared for, such as `.pb.gz`. The manifest has them from the list of formats. */
function declaredEndings(extension: vscode.Extension<unknown>, viewType: string): string[] {
  const { contributes } = extension.packageJSON as Manifest;
  const editor = contributes.customEditors.find((one) => one.viewType === viewType);
  return (editor?.selector ?? []).map(({ filenamePattern }) => filenamePattern.replace(/^\*/, ''));
}

/** Whether the editor, or another extension, has a viewer of its own for a file. */
export function hasOtherViewer(extension: vscode.Extension<unknown>, file: string): boolean {
  return declaredEndings(extension, flameViewTypes.v8Profile).some((ending) => file.toLowerCase().endsWith(ending));
}

/** What a dialog lists as profiles: it compares the text after the last dot. */
export function profileExtensions(extension: vscode.Extension<unknown>): string[] {
  const endings = [flameViewTypes.v8Profile, flameViewTypes.profile].flatMap((viewType) => declaredEndings(extension, viewType));
  return [...new Set(endings.map((ending) => ending.slice(ending.lastIndexOf('.') + 1)))];
}
