import * as vscode from 'vscode';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import { profileExtensions } from '../kit/manifestEditors.ts';
import { runCommand } from '../kit/runCommand.ts';
import type { Services } from '../services/services.ts';
import { recordingRow, recordingTitle } from './recordingRows.ts';
import { type Choice, choose, offer } from '../kit/safeUi/dialogs.ts';

/** What a flame graph can be compared with, and its name. */
export interface OtherRecording {
  source: ProfileSource;
  title: string;
}

type Item = Choice & { recording?: RecordingSummary; file?: true };

/** Asks for one of these recordings. Where there is none, offers to make one. */
export async function chooseRecording(placeholder: string, recordings: readonly RecordingSummary[]): Promise<RecordingSummary | undefined> {
  if (recordings.length === 0) {
    await offerRecording('There are no recordings yet.');
    return undefined;
  }
  return (await choose(items(recordings), placeholder))?.recording;
}

/** Says that there is none, and offers to make one. */
export function offerRecording(message: string): Promise<void> {
  return offer(message, { 'Record Flame Graph': () => runCommand('recordFlameGraph') });
}

/** The recording of that id, or what the person chooses to compare `own` with: another recording, or a file. */
export async function chooseOther(services: Services, own: ProfileSource | null, id: string | null): Promise<OtherRecording | undefined> {
  const all = await services.inventory.recordings.get();
  const others = all.filter((recording) => own?.kind !== 'recording' || recording.id !== own.id);
  const named = others.find((recording) => recording.id === id);
  if (named !== undefined) return other(named);
  const fileItem: Item = { label: 'Choose a file…', icon: 'folder-opened', file: true };
  const chosen = await choose([...items(others), fileItem], 'Compare with which recording?');
  if (chosen?.recording !== undefined) return other(chosen.recording);
  return chosen?.file === true ? chooseFile(services) : undefined;
}

async function chooseFile({ context }: Services): Promise<OtherRecording | undefined> {
  const filters = { Profiles: profileExtensions(context.extension), 'All files': ['*'] };
  const [uri] = (await vscode.window.showOpenDialog({ title: 'Compare With', filters })) ?? [];
  if (uri?.scheme !== 'file') return undefined;
  return { source: { kind: 'file', path: uri.fsPath }, title: uri.path.slice(uri.path.lastIndexOf('/') + 1) };
}

function other(recording: RecordingSummary): OtherRecording {
  return { source: { kind: 'recording', id: recording.id }, title: recordingTitle(recording) };
}

function items(recordings: readonly RecordingSummary[]): Item[] {
  const now = new Date();
  return recordings.map((recording) => {
    const row = recordingRow(recording, now);
    return { label: row.label, icon: row.icon, description: row.description, recording };
  });
}
