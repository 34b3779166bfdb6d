import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from '../../support/waitFor.ts';
import { commandId } from '../../../src/extension/kit/commandId.ts';
import { configurationSection, panelViewType, workspaceFileName } from '../../../src/extension/kit/ids.ts';

const extensionId = 'benchside.benchside';

/** Tabs of the Workbench panel. */
function panelTabs(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(panelViewType));
}

async function closeAllTabs(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** The extension inside a real extension host. Nothing here starts a benchmark. */
export function registerExtensionSuite(): void {
  describe('the extension', () => {
    afterEach(closeAllTabs);

    it('is there and activates within its budget', async () => {
      const extension = vscode.extensions.getExtension(extensionId);
      assert.ok(extension, `${extensionId} is not installed`);
      // Of the processor: how long others keep it is no property of the extension.
      const before = process.cpuUsage();
      await extension.activate();
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 1_000_000, `${user + system} µs`);
      assert.equal(extension.isActive, true);
    });

    it('registers every command that its manifest offers', async () => {
      const registered = new Set(await vscode.commands.getCommands(true));
      const extension = vscode.extensions.getExtension(extensionId);
      assert.ok(extension);
      const { contributes } = extension.packageJSON as {
        contributes: { commands: { command: string }[] };
      };
      assert.ok(contributes.commands.length > 40);
      assert.deepEqual(
        contributes.commands.filter(({ command }) => !registered.has(command)),
        [],
      );
    });

    it('opens one panel, however often it is asked to', async () => {
      await vscode.commands.executeCommand(commandId('openWorkbench'));
      await vscode.commands.executeCommand(commandId('openWorkbench'));
      await waitFor(() => panelTabs().length === 1, { timeoutMs: 5_000 });
      assert.deepEqual(
        panelTabs().map((tab) => tab.label),
        ['Benchside'],
      );
    });

    it('writes an example benchside.json for “Add a Target”, once, and opens it as JSON with comments', async () => {
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder);
      const uri = vscode.Uri.joinPath(folder.uri, workspaceFileName);
      try {
        await vscode.commands.executeCommand(commandId('createWorkspaceFile'));
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
        assert.equal(vscode.window.activeTextEditor.document.languageId, 'jsonc');
        const own = new TextEncoder().encode('{ "targets": [] }');
        await vscode.workspace.fs.writeFile(uri, own);
        await vscode.commands.executeCommand(commandId('createWorkspaceFile'));
        assert.deepEqual(new Uint8Array(await vscode.workspace.fs.readFile(uri)), own);
      } finally {
        await vscode.workspace.fs.delete(uri);
      }
    });

    it('declares the service that stands in the folder for “Add a Target”, with how each thing is known', async () => {
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder);
      const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, name);
      const write = (name: string, text: string): Thenable<void> => vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
      await write('package.json', JSON.stringify({ name: 'shop', main: 'shop.js', dependencies: { express: '5.1.0' } }));
      await write('shop.js', "app.get('/items/:id', one);\napp.listen(process.env.PORT);\n");
      try {
        await vscode.commands.executeCommand(commandId('createWorkspaceFile'));
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(at(workspaceFileName)));
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), at(workspaceFileName).toString());
        assert.match(text, /"id": "shop"/);
        assert.match(text, /"command": \["node", "shop.js"\]/);
        assert.match(text, /\/\/ shop.js:1\n\s*\{ "path": "\/items\/:id"/);
      } finally {
        for (const name of ['package.json', 'shop.js', workspaceFileName]) await vscode.workspace.fs.delete(at(name));
      }
    });

    it('takes tool paths and addresses from the user, never from a workspace', () => {
      const configuration = vscode.workspace.getConfiguration(configurationSection);
      for (const name of ['nodePath', 'javaPath', 'k6.path', 'postgres.url']) {
        const found = configuration.inspect<string>(name);
        assert.equal(found?.defaultValue, '');
        assert.equal(found?.workspaceValue, undefined);
      }
    });

    it('asks VS Code not to announce the ports of its own programs', () => {
      const ports = vscode.workspace.getConfiguration('remote').get<Record<string, { onAutoForward?: string }>>('portsAttributes') ?? {};
      const ours = Object.entries(ports).filter(([pattern]) => pattern.includes('benchside'));
      assert.deepEqual(
        ours.map(([, attributes]) => attributes.onAutoForward),
        ['ignore'],
      );
      assert.ok('443' in ports, 'VS Code’s own defaults are kept');
    });
  });
}
