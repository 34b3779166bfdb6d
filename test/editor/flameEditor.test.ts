import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { extensionId, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';
import { waitFor } from '../support/waitFor.ts';

/** The extension itself, as F5 loads it. */
const extensionFolder = path.resolve(import.meta.dirname, '../..');
const source = [
  "import http from 'node:http';",
  '',
  'export function handle(ad) {',
  '  const text = render(ad);',
  '  return text.trim();',
  '}',
  '',
  'function render(ad) {',
  '  return JSON.stringify(ad);',
  '}',
  '',
].join('\n');

/** A profile of V8: `handle` (line 3) seen 10 times on line 5, and `render` (line 8) called by it 90 times on line 9. */
function cpuProfile(file: string): string {
  const frame = (functionName: string, url: string, line: number): object => ({
    functionName,
    url,
    lineNumber: line - 1,
    scriptId: '1',
    columnNumber: 0,
  });
  const url = `file://${file}`;
  return JSON.stringify({
    nodes: [
      { id: 1, callFrame: frame('(root)', '', 0), hitCount: 0, children: [2] },
      { id: 2, callFrame: frame('handle', url, 3), hitCount: 10, children: [3], positionTicks: [{ line: 5, ticks: 10 }] },
      { id: 3, callFrame: frame('render', url, 8), hitCount: 90, children: [], positionTicks: [{ line: 9, ticks: 90 }] },
    ],
    startTime: 0,
    endTime: 100_000,
    samples: Array.from({ length: 100 }, (_, index) => (index < 10 ? 2 : 3)),
    timeDeltas: Array.from({ length: 100 }, () => 1000),
  });
}

/** What a colleague's file or repository could hold: to the editor’s notifications a link that runs a command. */
const linkTo = (text: string): string => `[${text}](command:workbench.action.files.newUntitledFile)`;

const hostileProfile = JSON.stringify({
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1, columnNumber: 0, scriptId: '0' }, hitCount: 0, children: [2] },
    {
      id: 2,
      callFrame: {
        functionName: linkTo('Install'),
        url: `file:///nowhere/${linkTo('or this')}.js`,
        lineNumber: 1,
        columnNumber: 0,
        scriptId: '1',
      },
      hitCount: 9,
      children: [],
    },
  ],
  startTime: 0,
  endTime: 9_000,
  samples: Array.from({ length: 9 }, () => 2),
  timeDeltas: Array.from({ length: 9 }, () => 1000),
});

const hostileTarget = {
  id: 'mine',
  label: linkTo('Start it'),
  runtime: 'other',
  command: ['true'],
  routes: [{ path: '/' }],
  requires: ['not-there'],
  requiresCure: linkTo('Build it'),
};

describe('a flame graph and its source in a real VS Code', { timeout: 120_000 }, () => {
  const start = useEditor({
    files: {
      'server.js': source,
      'server.cpuprofile': (workspaceDir) => cpuProfile(path.join(workspaceDir, 'server.js')),
      'hostile.cpuprofile': hostileProfile,
      'benchside.json': JSON.stringify({ targets: [hostileTarget] }),
    },
    extensionDevelopmentPath: extensionFolder,
    settings: { 'benchside.sourceMarks.codeLens': true },
  });
  let window: WorkbenchPage;
  beforeAll(async () => {
    ({ window } = start());
    // The explorer's menu has an extension's items only once that is registered.
    await waitFor(() => window.offersCommand('Benchside: Record Flame Graph'), { timeoutMs: 60_000 });
    window.page.setDefaultTimeout(20_000);
  });

  /** The texts before lines: VS Code draws them as generated content. */
  const marks = (): Promise<string[]> =>
    window.page.evaluate(() =>
      [...document.querySelectorAll('.view-line span')]
        .map((span) => getComputedStyle(span, '::before').content)
        .filter((content) => content.includes('%'))
        .map((content) =>
          content
            .replace(/^"|"$/g, '')
            .replace(/\u00a0/g, ' ')
            .trim(),
        ),
    );

  it('opens a V8 profile from the explorer and draws it', async () => {
    const file = window.page.getByRole('treeitem', { name: 'server.cpuprofile' });
    await file.click({ button: 'right' });
    const item = window.page.getByRole('menuitem', { name: 'Open Flame Graph' });
    await item.waitFor();
    // A menu takes no click in its first moments, lest the one that opened it be meant for it.
    await waitFor(async () => {
      if (await item.isVisible()) await item.click();
      return (await window.tabTitles()).some((title) => title.includes('server.cpuprofile'));
    });
    const page = await window.panelFrame(extensionId);
    await page.getByRole('row', { name: /render/ }).waitFor();
    expect(window.consoleErrors()).toEqual([]);
  });

  it('opens the line of the hot function, with its mark', async () => {
    const page = await window.panelFrame(extensionId);
    await page.getByRole('row', { name: /render/ }).dblclick();
    await waitFor(async () => (await window.tabTitles()).some((title) => title.startsWith('server.js')), { timeoutMs: 15_000 });
    await waitFor(async () => (await marks()).length === 2, { timeoutMs: 15_000, what: 'the marks are there' });
    expect(await marks()).toEqual(['10 %', '90 %']);
    await window.page.getByText('100.0 % · 10.0 % itself · 100 ms').waitFor();
    expect(await window.statusBarText()).toContain('server.js: 90 % at line 9');
  });

  it('keeps the code of marked and other lines in one column', async () => {
    // What is before the code of each line: one thing, as wide with a mark as without.
    const columns = await window.page.evaluate(() =>
      [...document.querySelectorAll('.view-line')].map((line) =>
        [...line.querySelectorAll('span')]
          .map((span) => getComputedStyle(span, '::before'))
          .filter(({ content }) => content !== 'none')
          .map(({ width, marginRight }) => `${width} ${marginRight}`),
      ),
    );
    expect(columns).toHaveLength(source.split('\n').length);
    expect(columns.map((found) => found.length)).toEqual(columns.map(() => 1));
    expect(new Set(columns.flat()).size).toBe(1);
  });

  it('leads from the hover of a mark to the function in the flame graph', async () => {
    const line = window.page.locator('.view-line', { hasText: 'return JSON.stringify(ad)' }).getByText('JSON');
    const link = window.page.locator('.monaco-hover:visible a', { hasText: 'Show render in the flame graph' });
    const graph = window.page.getByRole('tab', { name: /server\.cpuprofile/, selected: true });
    // A click on a hover that the editor is closing leads nowhere, and a user clicks again.
    await waitFor(async () => {
      await line.hover();
      await link.waitFor();
      await link.click();
      return graph.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    const page = await window.panelFrame(extensionId);
    await page.getByRole('row', { name: /render/, selected: true }).waitFor();
    await window.page.getByRole('tab', { name: /server\.js/ }).click();
  });

  it('shows both side by side', async () => {
    await window.runCommand('View: Split Editor Right');
    await window.page
      .getByRole('tab', { name: /server\.cpuprofile/ })
      .first()
      .click();
    await (await window.panelFrame(extensionId)).getByRole('row', { name: /render/ }).waitFor();
    await window.pictures('flame-and-source');
  });

  const links = (): Promise<string[]> =>
    window.page
      .locator(
        '.notification-list-item-message a, .quick-input-widget a.monaco-link, .monaco-hover [data-href], .monaco-hover .rendered-markdown a',
      )
      .evaluateAll((found) => found.map((link) => link.textContent ?? ''));

  it('says a name that looks like a link to a command as text, and so the path', async () => {
    const file = window.page.getByRole('treeitem', { name: 'hostile.cpuprofile' });
    await file.click({ button: 'right' });
    const item = window.page.getByRole('menuitem', { name: 'Open Flame Graph' });
    await item.waitFor();
    await waitFor(async () => {
      if (await item.isVisible()) await item.click();
      return (await window.tabTitles()).some((title) => title.includes('hostile.cpuprofile'));
    });
    const page = await window.panelFrame(extensionId);
    await page.getByRole('row', { name: /Install/ }).dblclick();
    const { text } = await window.waitForNotification(/has no source in this workspace/);
    expect(text).toContain('[Install] (command:workbench.action.files.newUntitledFile) has no source');
    expect(text).toContain('[or this] (command:');
    expect(await links()).toEqual([]);
    await window.dismiss();
  });

  it('says a target’s name and its cure as text: in the list, in its hover, in the question and in the notification', async () => {
    await window.openContainer('Benchside');
    const row = window.page.getByRole('treeitem', { name: /Start it/ }).first();
    await row.waitFor();
    await row.hover();
    await window.page.locator('.monaco-hover:visible').filter({ hasText: 'Build it' }).waitFor();
    expect(await links()).toEqual([]);
    await window.runCommand('Benchside: Show Output of a Target');
    await window.quickInput.waitForOpen('Show the output of which target?');
    await window.page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Start it' }).click();
    const { text } = await window.waitForNotification(/has not written anything yet/);
    expect(text).toContain('[Start it] (command:workbench.action.files.newUntitledFile) has not written');
    expect(await links()).toEqual([]);
    await window.dismiss();
  });
});
