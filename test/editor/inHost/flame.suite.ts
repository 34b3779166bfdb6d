import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from '../../support/waitFor.ts';
import { commandId } from '../../../src/extension/kit/commandId.ts';
import { configurationSection, flameViewTypes, recordingScheme } from '../../../src/extension/kit/ids.ts';
import type { SettingName } from '../../../src/extension/kit/manifest/settings.ts';

const extensionId = 'benchside.benchside';
const lensSetting: SettingName = 'sourceMarks.codeLens';
const source = ['// a small server', 'export function handle(ad) {', '  const text = render(ad);', '  return text.trim();', '}', ''].join(
  '\n',
);
/** From 1. */
const hotLine = 3;
const warmLine = 4;

function folder(): vscode.Uri {
  const opened = vscode.workspace.workspaceFolders?.[0];
  assert.ok(opened);
  return opened.uri;
}

/** A profile of V8 in which `handle` of server.js was seen 80 times on one line and 20 times on another. */
function cpuProfile(script: vscode.Uri): string {
  const frame = (functionName: string, url: string, lineNumber: number): object => ({
    functionName,
    url,
    lineNumber,
    scriptId: '1',
    columnNumber: 0,
  });
  const ticks = [
    { line: hotLine, ticks: 80 },
    { line: warmLine, ticks: 20 },
  ];
  return JSON.stringify({
    nodes: [
      { id: 1, callFrame: frame('(root)', '', -1), hitCount: 0, children: [2] },
      { id: 2, callFrame: frame('handle', `file://${script.fsPath}`, 1), hitCount: 100, children: [], positionTicks: ticks },
    ],
    startTime: 0,
    endTime: 100_000,
    samples: Array.from({ length: 100 }, () => 2),
    timeDeltas: Array.from({ length: 100 }, () => 1000),
  });
}

async function write(name: string, text: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder(), name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

function flameTabs(): { label: string; viewType: string; uri: vscode.Uri }[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ label, input }) =>
    input instanceof vscode.TabInputCustom && input.viewType.startsWith('benchside.flame')
      ? [{ label, viewType: input.viewType, uri: input.uri }]
      : [],
  );
}

/** Waits until the first hot line is this one. */
async function firstHotLineIs(editor: vscode.TextEditor, line: number): Promise<void> {
  let seen = 0;
  // Each look that comes too early leaves a message on the screen: a flood of them keeps the window from loading the flame graph.
  const look = async (): Promise<boolean> => {
    seen = await firstHotLine(editor);
    return seen === line;
  };
  const where = (): string => `line ${seen} of ${JSON.stringify(editor.document.getText())} is not the hot line ${line}`;
  await waitFor(look, { everyMs: 500 }).catch((error: unknown) => assert.fail(`${where()}: ${String(error)}`));
}

/** Goes to the next hot line from the top of the file; the line from 1, as people count, or 1 when there is none. */
async function firstHotLine({ document, viewColumn }: vscode.TextEditor): Promise<number> {
  // VS Code gives the focus to a flame graph that it has just loaded. An editor that was covered by it has ended, and another shows the text.
  const editor = await vscode.window.showTextDocument(document, viewColumn);
  editor.selection = new vscode.Selection(0, 0, 0, 0);
  await vscode.commands.executeCommand(commandId('nextHotLine'));
  return editor.selection.active.line + 1;
}

/** Flame graphs and marks inside a real extension host, with the real engine. */
export function registerFlameSuite(): void {
  describe('flame graphs', () => {
    let script: vscode.Uri;
    let profile: vscode.Uri;
    let editor: vscode.TextEditor;

    before(async () => {
      await vscode.extensions.getExtension(extensionId)?.activate();
      // In a browser VS Code saves a second after an edit, and a file is reverted to what was saved.
      await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
      script = await write('server.js', source);
      profile = await write('server.cpuprofile', cpuProfile(script));
    });

    after(async () => {
      await vscode.commands.executeCommand(commandId('clearSourceMarks'));
      await vscode.workspace.getConfiguration(configurationSection).update(lensSetting, undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.getConfiguration('files').update('autoSave', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      for (const uri of [script, profile]) await vscode.workspace.fs.delete(uri);
    });

    it('opens a V8 profile from the explorer’s menu in an editor of its own', async () => {
      await vscode.commands.executeCommand(commandId('openFlameGraph'), profile);
      const [tab] = await waitFor(() => (flameTabs().length === 1 ? flameTabs() : undefined));
      assert.deepEqual(
        [tab?.label, tab?.viewType, tab?.uri.toString()],
        ['server.cpuprofile', flameViewTypes.v8Profile, profile.toString()],
      );
      await vscode.commands.executeCommand(commandId('openFlameGraph'), profile);
      assert.equal(flameTabs().length, 1);
    });

    it('then leads through the hot lines of its source, hottest or not, in the order of the file', async () => {
      editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(script), vscode.ViewColumn.Beside);
      await firstHotLineIs(editor, hotLine);
      await vscode.commands.executeCommand(commandId('nextHotLine'));
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, warmLine - 1);
      await vscode.commands.executeCommand(commandId('previousHotLine'));
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, hotLine - 1);
    }).timeout(60_000);

    it('shows what a function takes above it, once that is turned on', async () => {
      const lenses = (): Thenable<vscode.CodeLens[]> => vscode.commands.executeCommand('vscode.executeCodeLensProvider', script);
      assert.deepEqual(await lenses(), []);
      await vscode.workspace.getConfiguration(configurationSection).update(lensSetting, true, vscode.ConfigurationTarget.Global);
      const [lens] = await waitFor(async () => ((await lenses()).length > 0 ? lenses() : undefined));
      assert.deepEqual([lens?.range.start.line, lens?.command?.title], [1, '100.0 % · 100.0 % itself · 100 ms']);
      assert.deepEqual(lens?.command?.arguments?.[0], 'handle');
    });

    /** Runs a command on the text: while that is not done, the focus went to a flame graph that was loaded in between. */
    async function whileFocused(command: string, pending: () => boolean): Promise<void> {
      await waitFor(
        async () => {
          await vscode.window.showTextDocument(editor.document, editor.viewColumn);
          if (!pending()) return true;
          await vscode.commands.executeCommand(command);
          // The text arrives after the command is done. Where another editor had the focus nothing happens, and it is asked for again.
          return waitFor(() => !pending(), { timeoutMs: 3_000 }).catch(() => false);
        },
        { timeoutMs: 30_000, everyMs: 100, what: `“${command}” is done` },
      );
    }

    it('moves its marks with edits, and back with undo', async () => {
      await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '// one\n// two\n'));
      assert.equal(await firstHotLine(editor), hotLine + 2);
      await editor.edit((edit) => edit.delete(editor.document.lineAt(hotLine + 1).rangeIncludingLineBreak));
      assert.equal(await firstHotLine(editor), warmLine + 1);
      const { lineCount } = editor.document;
      await whileFocused('undo', () => editor.document.lineCount === lineCount);
      assert.equal(editor.document.lineCount, lineCount + 1);
      await firstHotLineIs(editor, hotLine + 2);
      await whileFocused('workbench.action.files.revert', () => editor.document.isDirty);
      await firstHotLineIs(editor, hotLine);
    }).timeout(60_000);

    it('removes all marks with one command', async () => {
      await vscode.commands.executeCommand(commandId('clearSourceMarks'));
      assert.equal(await firstHotLine(editor), 1);
    });

    it('shows them again when the flame graph is shown again', async () => {
      await vscode.commands.executeCommand(commandId('openFlameGraph'), profile);
      editor = await vscode.window.showTextDocument(editor.document, { viewColumn: vscode.ViewColumn.Two });
      await firstHotLineIs(editor, hotLine);
    }).timeout(30_000);

    it('names the tab of a recording before anything is known of it', async () => {
      const uri = vscode.Uri.from({
        scheme: recordingScheme,
        path: '/m8z1qk00-0123456789abcdef01234567.benchside-recording',
        query: JSON.stringify({ title: 'java · pool 2 · 14:02' }),
      });
      await vscode.commands.executeCommand('vscode.openWith', uri, flameViewTypes.recording);
      const found = await waitFor(() => flameTabs().find(({ viewType }) => viewType === flameViewTypes.recording));
      assert.equal(found.label, 'java · pool 2 · 14:02');
    });

    it('opens what only it can read by default', async () => {
      const collapsed = await write('stacks.collapsed', 'main;handle;render 80\nmain;handle;trim 20\n');
      try {
        await vscode.commands.executeCommand('vscode.open', collapsed);
        const found = await waitFor(() => flameTabs().find(({ label }) => label === 'stacks.collapsed'));
        assert.equal(found.viewType, flameViewTypes.profile);
      } finally {
        await vscode.workspace.fs.delete(collapsed);
      }
    });

    it('takes no key that VS Code uses', async () => {
      const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON as {
        contributes: { keybindings: { key: string; command: string }[] };
      };
      const defaults = await vscode.workspace.openTextDocument(vscode.Uri.parse('vscode://defaultsettings/keybindings.json'));
      const text = defaults.getText();
      assert.ok(text.includes('"ctrl+k f"'), 'the editor’s own keys are listed');
      const taken = manifest.contributes.keybindings.filter(({ key, command }) =>
        [...text.matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)].some(([, other, theirs]) => other === key && theirs !== command),
      );
      assert.deepEqual(taken, []);
    });
  });
}
