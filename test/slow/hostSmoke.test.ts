import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { type VsCodeServer, startVsCode } from '../editor/support/vscodeServer.ts';
import { WorkbenchPage } from '../editor/support/workbenchPage.ts';

const EXTENSION_FOLDER = resolve(import.meta.dirname, '../fixtures/hostExtension');
const EXTENSION_ID = 'benchside-test.host-fixture';

describe('a real VS Code window', { timeout: 90_000 }, () => {
  let workspaceDir: string;
  let vsixDir: string;
  let server: VsCodeServer;
  let window: WorkbenchPage;

  beforeAll(async () => {
    workspaceDir = await mkdtemp(join(tmpdir(), 'benchside-smoke-'));
    await writeFile(join(workspaceDir, 'readme.txt'), 'A folder to open.\n');
    vsixDir = await mkdtemp(join(tmpdir(), 'benchside-vsix-'));
    const vsix = join(vsixDir, 'host-fixture.vsix');
    await createVSIX({ cwd: EXTENSION_FOLDER, packagePath: vsix, dependencies: false, allowMissingRepository: true, skipLicense: true });
    server = await startVsCode({ workspaceDir, vsix: [vsix] });
    window = await WorkbenchPage.launch(server);
    await window.open();
  }, 600_000);

  afterAll(async () => {
    await window?.close();
    await server?.stop();
    for (const folder of [workspaceDir, vsixDir]) if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('runs a command of the extension from the palette and shows its webview', async () => {
    await window.runCommand('Host Fixture: Greet Someone');
    const rows = await window.waitForQuickPick('Whom to greet');
    expect(rows.map(({ label, checked }) => ({ label, checked }))).toEqual(
      ['Ada', 'Grace', 'Linus'].map((label) => ({ label, checked: undefined })),
    );
    await window.quickInput.pick('Grace');
    const panel = await window.panelFrame('Greeting');
    await panel.getByText('Hello, Grace').waitFor();
    expect(await window.tabTitles()).toEqual(['Greeting']);
    expect(window.cspViolations()).toEqual([]);
  });

  it('brings messages from the webview to the extension and back as a notification', async () => {
    const panel = await window.panelFrame(EXTENSION_ID);
    await panel.getByText('Thank you').click();
    const notification = await window.waitForNotification(/You are welcome/);
    expect(notification).toEqual({ text: 'You are welcome', buttons: ['Bye'] });
    await window.pressNotificationButton(/You are welcome/, 'Bye');
    await waitFor(async () => (await window.notifications()).length === 0);
  });

  it('gives the webview the colors of each theme', async () => {
    const backgrounds = new Map<string, string>();
    for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast', 'Default High Contrast Light'] as const) {
      await window.setTheme(theme);
      const body = (await window.panelFrame('Greeting')).locator('body');
      const color = await waitFor(async () => {
        const current = await body.evaluate((element) => getComputedStyle(element).backgroundColor);
        return [...backgrounds.values()].at(-1) === current ? undefined : current;
      });
      backgrounds.set(theme, color);
      expect(existsSync(await window.screenshot(`host-${theme.toLowerCase().replaceAll(' ', '-')}`))).toBe(true);
    }
    expect(Object.fromEntries(backgrounds)).toEqual({
      'Default Dark Modern': 'rgb(31, 31, 31)',
      'Default Light Modern': 'rgb(255, 255, 255)',
      'Default High Contrast': 'rgb(0, 0, 0)',
      'Default High Contrast Light': 'rgb(255, 255, 255)',
    });
  });

  it('picks exactly the named rows of a multiple pick, types into an input box and reads the status bar', async () => {
    await window.runCommand('Host Fixture: Greet Several');
    const rows = await window.waitForQuickPick('Whom to greet');
    expect(rows.map(({ label, checked }) => [label, checked])).toEqual([
      ['Ada', true],
      ['Grace', false],
      ['Linus', false],
    ]);
    await window.quickInput.pickRows(['Grace', 'Linus']);
    await window.quickInput.accept();
    await window.waitForQuickPick('By which name');
    expect(await window.quickInput.value()).toBe('Host');
    await window.quickInput.fill('Nobody');
    await window.quickInput.accept();
    await waitFor(async () => (await window.statusBarText()).includes('Nobody greets Grace and Linus'));
  });

  it('tells whether the palette offers a command', async () => {
    expect(await window.offersCommand('Host Fixture: Greet Someone')).toBe(true);
    expect(await window.offersCommand('Host Fixture: Greet Nobody')).toBe(false);
    expect(await window.offersCommand('Qxzw')).toBe(false);
  });

  it('reads trees, empty views and inline actions of a view container', async () => {
    await window.openContainer('Host Fixture');
    await waitFor(async () => (await window.treeRows('People')).length === 3);
    expect((await window.treeRows('People'))[0]).toEqual({ label: 'Ada', description: '3 letters', level: 1, expanded: undefined });
    expect(await window.welcomeText('Places')).toBe('No places yet.');
    await window.pressRowAction('People', 'Linus', 'Wave');
    await window.waitForNotification(/Linus waves/);
  });

  it('shows an open webview again, with its state, after the window is reloaded', async () => {
    await window.reload();
    const panel = await window.panelFrame('Greeting');
    await panel.getByText('Hello, Grace').waitFor();
    expect(window.consoleErrors()).toEqual([]);
  });

  it('notices a webview that breaks its own content policy', async () => {
    expect(window.cspViolations()).toEqual([]);
    await window.runCommand('Host Fixture: Break the Content Policy');
    await window.panelFrame('Broken');
    await waitFor(() => window.cspViolations().length >= 2);
    expect(window.cspViolations()).toContainEqual(expect.stringMatching(/^style-src-attr blocked inline/));
    expect(window.cspViolations()).toContainEqual(expect.stringMatching(/violates the following Content Security Policy directive/));
  });

  it('leaves no process and no file after it is stopped', async () => {
    expect(server.extensionHosts()).not.toEqual([]);
    await window.close();
    await server.stop();
    expect(server.processes()).toEqual([]);
    expect(existsSync(dirname(server.homeDir))).toBe(false);
  });
});
