import * as vscode from 'vscode';
import type { Services } from '../services.ts';

/** Tells the panel what there is to choose from. */
export async function publishCatalog(services: Services): Promise<void> {
  if (!services.panel.isOpen) return;
  const catalog = await services.inventory.catalog();
  await services.panel.send({
    type: 'catalog',
    catalog,
    trusted: vscode.workspace.isTrusted,
    hasWorkspace: (vscode.workspace.workspaceFolders ?? []).length > 0,
  });
}
