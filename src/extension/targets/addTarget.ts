import * as vscode from 'vscode';
import { findingsOf, lacking } from '../../model/discovery.ts';
import type { FoundService } from '../../model/discovery.ts';
import { listPhrase } from '../../model/format.ts';
import { workspaceText } from '../../model/workspaceText.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { inform } from '../kit/words/messages.ts';
import { exists, workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { workspaceTemplate } from './workspaceTemplate.ts';

/** Opens benchside.json of the workspace; where there is none, writes first what is found of the services in the folder, or an example. */
export async function createWorkspaceFile(services: Services): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) {
    const chosen = await inform('Targets of your own stand in a folder’s benchside.json. Open the folder first.', 'Open Folder');
    if (chosen !== undefined) await vscode.commands.executeCommand('workbench.action.files.openFolder');
    return;
  }
  const uri = vscode.Uri.joinPath(folder, workspaceFileName);
  if (await exists(uri)) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const found = await usableServices(services);
  const text = found.length === 0 ? workspaceTemplate() : workspaceText(found.map((service) => ({ service, findings: service.findings })));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
  // Not awaited: the file is there, whether or not the message is read.
  if (found.length > 0) void inform(foundSentence(found));
}

/** Those of which enough is known; none where the folder cannot be looked through, for which an example is as good as ever. */
async function usableServices(services: Services): Promise<FoundService[]> {
  try {
    const { services: found } = await services.engine.request('workspace/discover', {});
    return found.filter(({ findings }) => lacking(findings) === null);
  } catch (error) {
    services.log.warn(`The folder was not looked through: ${String(error)}`);
    return [];
  }
}

function foundSentence(found: readonly FoundService[]): string {
  const told = found.slice(0, 3).map(({ label, findings, questions }) => {
    const routes = findingsOf(findings, 'route').length;
    const open = questions.length === 0 ? '' : `, ${questions.length} to be looked at`;
    return `${label} (${routes} ${routes === 1 ? 'route' : 'routes'}${open})`;
  });
  const more = found.length - told.length;
  return `Found ${listPhrase(more > 0 ? [...told, `${more} more`] : told)}. Beside each part stands how it is known; look through it, then run a benchmark.`;
}
