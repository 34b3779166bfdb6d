import * as vscode from 'vscode';
import { attempt } from '../../model/domain/attempt.ts';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import { flameViewTypes, recordingScheme } from '../kit/ids.ts';
import { hasOtherViewer } from '../kit/manifestEditors.ts';
import { recordingTitle } from '../recordings/recordingRows.ts';

const recordingName = /^\/([a-z0-9]{6,12}-[a-f0-9]{24})\.benchside-recording$/;

/** The address of a recording of Benchside in the editor. It contains the tab's name, so that a tab is named before the engine runs. */
export function recordingUri(recording: Pick<RecordingSummary, 'id' | 'title' | 'startedAt'>): vscode.Uri {
  const query = JSON.stringify({ title: recordingTitle(recording) });
  return vscode.Uri.from({ scheme: recordingScheme, path: `/${recording.id}.benchside-recording`, query });
}

/** What the engine is to open for an address; null where it is neither a file of this machine nor a recording of Benchside. */
export function sourceOf(uri: vscode.Uri): ProfileSource | null {
  if (uri.scheme === 'file') return { kind: 'file', path: uri.fsPath };
  const id = uri.scheme === recordingScheme ? recordingName.exec(uri.path)?.[1] : undefined;
  return id === undefined ? null : { kind: 'recording', id };
}

/** The name of what is behind an address, for people. */
export function titleOf(uri: vscode.Uri): string {
  // Of an address typed by hand the name of the file is the best there is.
  const title = uri.scheme === recordingScheme && attempt(() => (JSON.parse(uri.query) as { title?: unknown }).title, undefined);
  return typeof title === 'string' ? title : uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** The custom editor that opens an address. */
export function viewTypeOf(uri: vscode.Uri, extension: vscode.Extension<unknown>): string {
  if (uri.scheme === recordingScheme) return flameViewTypes.recording;
  return hasOtherViewer(extension, uri.path) ? flameViewTypes.v8Profile : flameViewTypes.profile;
}
