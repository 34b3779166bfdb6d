import * as vscode from 'vscode';
import type { ReportFormat } from '../../model/protocol/protocol.ts';
import { askWhereToSave } from '../kit/workspaceFiles.ts';
import { offer } from '../kit/safeUi/dialogs.ts';

export const reportFormats: { label: string; description: string; format: ReportFormat; extension: string }[] = [
  { label: 'HTML', description: 'one page that opens in any browser', format: 'html', extension: 'html' },
  { label: 'Markdown', description: 'for an issue, a wiki or a pull request', format: 'markdown', extension: 'md' },
  { label: 'CSV', description: 'for a spreadsheet', format: 'csv', extension: 'csv' },
];

/** Writes a report to a file that the person names, and offers to open it. */
export async function saveReport(text: string, suggestedName: string, format: ReportFormat): Promise<void> {
  const { label, extension } = reportFormats.find((one) => one.format === format) ?? { label: format, extension: format };
  const target = await askWhereToSave('Export Report', suggestedName, { [label]: [extension] });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await offer(`Report saved as ${vscode.workspace.asRelativePath(target)}.`, { Open: () => openReport(target, format) });
}

async function openReport(uri: vscode.Uri, format: ReportFormat): Promise<void> {
  if (format === 'markdown') await vscode.commands.executeCommand('markdown.showPreview', uri);
  // A browser can open the file only where it is on the same machine as the window.
  else if (format === 'html' && vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop)
    await vscode.env.openExternal(uri);
  else await vscode.commands.executeCommand('vscode.open', uri);
}
