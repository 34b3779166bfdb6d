import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { exampleRunId } from '../../support/runRecords.ts';
import { exampleAnswer, exampleTuning } from '../../support/tuningRecords.ts';
import { waitFor } from '../../support/waitFor.ts';
import { commandId } from '../../../src/extension/kit/commandId.ts';
import { panelViewType, workspaceFileName } from '../../../src/extension/kit/ids.ts';
import { workspaceTemplate } from '../../../src/extension/targets/workspaceTemplate.ts';
import { runRecordSchema } from '../../../src/model/domain/run.ts';

const target = 'my-service';

function at(...parts: string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, ...parts);
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** A stored tuning that recommends a pool size for the target of the example file. */
function tunedRun(pool: number): string {
  const answer = exampleAnswer({ target, targetLabel: 'My service', values: { pool } });
  return JSON.stringify(runRecordSchema.parse(exampleTuning([answer], { files: [] })));
}

async function closeEverything(): Promise<void> {
  await vscode.commands.executeCommand('notifications.clearAll');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Tuning commands inside a real extension host, on a real engine. Nothing here starts an app. */
export function registerTuningSuite(): void {
  describe('tuning', () => {
    afterEach(closeEverything);

    it('opens the panel for a live session', async () => {
      await vscode.commands.executeCommand(commandId('live'));
      const tabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await waitFor(() => tabs().some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelViewType)), {
        timeoutMs: 10_000,
      });
    });

    it('writes the answer of a tuning into benchside.json where the person says so, as an edit that can be undone', async () => {
      const file = at(workspaceFileName);
      const original = workspaceTemplate();
      await write(at('.benchside', 'runs', exampleRunId, 'run.json'), tunedRun(16));
      await write(file, original);
      try {
        await vscode.commands.executeCommand(commandId('refresh'));
        await vscode.commands.executeCommand(commandId('applyTuning'), exampleRunId);
        // The first button of the notification is the one that writes; it comes a moment after the command is done.
        await waitFor(
          async () => {
            await vscode.commands.executeCommand('notification.acceptPrimaryAction');
            return (await read(file)) === original.replace('"default": 8', '"default": 16');
          },
          { timeoutMs: 30_000 },
        );
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), file.toString());
        await vscode.commands.executeCommand('undo');
        assert.equal(vscode.window.activeTextEditor.document.getText(), original);
        await vscode.window.activeTextEditor.document.save();
      } finally {
        await vscode.commands.executeCommand(commandId('forgetApplied'), target);
        await vscode.workspace.fs.delete(at('.benchside', 'runs', exampleRunId), { recursive: true });
        await vscode.workspace.fs.delete(file);
      }
    }).timeout(60_000);

    it('pins a run as the baseline and unpins it, beside the record, which stays as it is', async () => {
      const record = at('.benchside', 'runs', exampleRunId, 'run.json');
      await write(record, tunedRun(16));
      try {
        const before = await read(record);
        const marks = async (): Promise<string> => {
          const entries = await vscode.workspace.fs.readDirectory(at('.benchside', 'runs', exampleRunId));
          const others = entries
            .filter(([name]) => name !== 'run.json')
            .map(([name]) => read(at('.benchside', 'runs', exampleRunId, name)));
          return (await Promise.all(others)).join('\n');
        };
        await vscode.commands.executeCommand(commandId('refresh'));
        await vscode.commands.executeCommand(commandId('pinBaseline'), exampleRunId);
        assert.match(await marks(), /"baseline":\s*true/);
        await vscode.commands.executeCommand(commandId('unpinBaseline'), exampleRunId);
        assert.doesNotMatch(await marks(), /"baseline":\s*true/);
        assert.equal(await read(record), before);
      } finally {
        await vscode.workspace.fs.delete(at('.benchside', 'runs', exampleRunId), { recursive: true });
      }
    }).timeout(60_000);
  });
}
