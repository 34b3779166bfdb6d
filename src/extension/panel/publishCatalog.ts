import * as vscode from 'vscode';
import type { Inventory } from '../connection/inventory.ts';
import type { WorkbenchPanel } from './workbenchPanel.ts';

/** Sends the panel what there is to choose from. */
export async function publishCatalog({ panel, inventory }: { panel: WorkbenchPanel; inventory: Inventory }): Promise<void> {
  if (!panel.isOpen) return;
  const catalog = await inventory.catalog.get();
  await panel.send({
    type: 'catalog',
    catalog,
    trusted: vscode.workspace.isTrusted,
    hasWorkspace: (vscode.workspace.workspaceFolders ?? []).length > 0,
  });
}
