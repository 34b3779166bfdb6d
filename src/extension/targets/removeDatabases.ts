import * as vscode from 'vscode';
import { bytesPhrase } from '../../model/format.ts';
import type { Services } from '../services/services.ts';

/** Lets a person choose among the databases that Benchside has made on a server of theirs, and removes them once that was confirmed. */
export async function removeDatabases({ engine }: Services): Promise<void> {
  const { server, databases } = await engine.request('databases/list', {});
  if (databases.length === 0) {
    void vscode.window.showInformationMessage(`Benchside has made no databases on ${server}.`);
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    databases.map(({ name, folder, bytes, madeAt, sessions }) => ({
      label: name,
      description: `${bytesPhrase(bytes)} · ${new Date(madeAt).toLocaleDateString()}${sessions === 0 ? '' : ` · ${sessions} connected`}`,
      detail: folder,
    })),
    { canPickMany: true, placeHolder: `Which databases on ${server} are to be removed?`, matchOnDetail: true },
  );
  if (chosen === undefined || chosen.length === 0) return;
  const names = chosen.map(({ label }) => label);
  const answer = await vscode.window.showWarningMessage(
    names.length === 1 ? `Remove the database “${names[0] ?? ''}” from ${server}?` : `Remove ${names.length} databases from ${server}?`,
    { modal: true, detail: `${names.join(', ')}. This cannot be undone; a run that needs one makes it anew.` },
    'Remove',
  );
  if (answer !== 'Remove') return;
  const { removed } = await engine.request('databases/remove', { names });
  void vscode.window.showInformationMessage(`Removed ${removed.join(', ')} from ${server}.`);
}
