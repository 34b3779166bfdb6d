import * as vscode from 'vscode';
import type { FromFlame } from '../../model/domain/flame.ts';
import type { Services } from '../services/services.ts';
import { askWhereToSave } from '../kit/workspaceFiles.ts';
import { inform, underWay } from '../kit/safeUi/messages.ts';

type Message<T extends FromFlame['type']> = Extract<FromFlame, { type: T }>;

/** Writes the recording in another format to a file that the person names. */
export async function exportFlameGraph(services: Services, profileId: string, { format, event }: Message<'export'>): Promise<void> {
  const { data, suggestedName } = await underWay('Exporting the flame graph', 'status bar', () =>
    services.engine.request('profile/export', { profileId, format, event }),
  );
  await saveAs(suggestedName, Buffer.from(data, 'base64'), 'Export Flame Graph');
}

/** Writes the picture that the page has drawn. */
export async function savePicture({ name, png }: Message<'savePicture'>): Promise<void> {
  await saveAs(`${name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').slice(0, 100)}.png`.replace(/\.png\.png$/, '.png'), png, 'Save Picture');
}

async function saveAs(suggestedName: string, bytes: Uint8Array, title: string): Promise<void> {
  const target = await askWhereToSave(title, suggestedName);
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  void inform(`Saved as ${vscode.workspace.asRelativePath(target)}.`);
}
