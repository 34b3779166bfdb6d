import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitIn } from '../support/gitRepository.ts';
import { exampleRunId } from '../support/runRecords.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { exampleVersionRun, exampleVersions } from '../support/versionRecords.ts';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';

const service = (work: string): string => `const http = require('node:http');
http.createServer((_, response) => {
  ${work}
  response.end('ok');
}).listen(process.env.PORT);
`;
const declaration = {
  targets: [{ id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }], build: [] }],
  loadProfiles: [
    { name: 'steady', connections: 4, durationS: 0.5, settleS: 0.1, rounds: 2, warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 }, timeoutMs: 1000 },
  ],
};

/** Line 3 takes 0.9 ms more for a request. */
function whyByLine(): NonNullable<ReturnType<typeof exampleVersions>['why']> {
  const { why } = exampleVersions();
  if (why === null) throw new Error('the example is explained');
  return { ...why, lines: [{ file: 'server.js', line: 3, base: 1e6, head: 1.9e6 }] };
}

/** A repository with one commit, and a comparison that was stored earlier. */
function prepare(workspaceDir: string): void {
  gitIn(workspaceDir, 'init', '--quiet', '--initial-branch=main');
  gitIn(workspaceDir, 'add', '--all');
  gitIn(workspaceDir, 'commit', '--quiet', '--message=first');
  const folder = path.join(workspaceDir, '.benchside/runs', exampleRunId);
  mkdirSync(folder, { recursive: true });
  const base = { ...exampleVersions().base, commit: gitIn(workspaceDir, 'rev-parse', 'HEAD') };
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(exampleVersionRun({ base, why: whyByLine() })));
}

describe('Two versions of the code in a real VS Code', longTest, () => {
  const start = useEditor({
    files: { 'benchside.json': JSON.stringify(declaration), 'server.js': service(';'), '.gitignore': '.benchside\n' },
    prepare,
    settings: { 'git.enabled': true, 'git.openRepositoryInParentFolders': 'never', 'scm.alwaysShowRepositories': true },
  });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });
  const panel = (): Promise<FrameLocator> => editor.panel();
  const compare = async (): Promise<void> => {
    await window.runCommandFor('Benchside: Compare Code…', 'Which versions');
    await window.quickInput.acceptFirst();
    await window.quickInput.waitForOpen('Enter compares');
    await window.quickInput.acceptFirst();
  };

  it('that are the same code are told so without measuring', { timeout: 120_000 }, async () => {
    await compare();
    await window.waitForNotification(/the same code/);
    expect(editor.runs()).toHaveLength(1);
  });

  it('that were compared earlier are opened with the answer, and the change is opened at its line', { timeout: 120_000 }, async () => {
    await window.runCommandFor('Benchside: Open Result', 'Open which run?');
    await window.quickInput.acceptFirst();
    const frame = await panel();
    await frame.getByRole('tab', { name: 'Compare code', selected: true }).waitFor();
    await frame.getByRole('heading', { name: /^The working tree is 12 % slower than HEAD/ }).waitFor();
    await frame.getByRole('table', { name: /What it costs/ }).waitFor();
    await window.pictures('versions-answer');
    await frame.getByRole('button', { name: 'Open the change at this line' }).click();
    const titles = await waitFor(
      async () => {
        const found = await window.tabTitles();
        return found.some((title) => title.startsWith('server.js')) ? found : null;
      },
      { timeoutMs: 30_000, what: 'the change is opened' },
    );
    expect(titles.join('\n')).toMatch(/server\.js/);
    await window.pictures('versions-change');
  });

  /** What is before the code of the lines in sight. */
  const marks = (): Promise<string[]> =>
    window.page.evaluate(() =>
      [...document.querySelectorAll('.view-line span')]
        .map((span) => getComputedStyle(span, '::before').content)
        .filter((content) => content.includes('ms')),
    );

  it('stand before the code of the line that takes more, until the marks are turned off', { timeout: 120_000 }, async () => {
    await waitFor(async () => (await marks()).some((text) => text.includes('+0.900')), {
      timeoutMs: 30_000,
      what: 'the mark of the change',
    });
    await waitFor(async () => /server\.js: \+0\.900 ms\?? at line 3/.test(await window.statusBarText()), { timeoutMs: 15_000 });
    await window.page.locator('.statusbar-item', { hasText: 'server.js: +0.900' }).click();
    await waitFor(async () => (await marks()).length === 0, { timeoutMs: 15_000, what: 'no mark' });
    await window.page.locator('.statusbar-item', { hasText: 'server.js: marks off' }).click();
    await waitFor(async () => (await marks()).length > 0, { timeoutMs: 15_000, what: 'the mark again' });
  });

  it(
    'leave the way to two settings of a run open, which leads to Compare with both chosen',
    { timeout: 120_000, ...slowHalf },
    async () => {
      await window.runCommandFor('Benchside: Compare Settings of a Result…', 'Compare settings of which run?');
      await window.quickInput.acceptFirst();
      await window.quickInput.waitForOpen('Compare which setting?');
      await window.quickInput.pick('Java · pool 2');
      await window.quickInput.waitForOpen('with which setting?');
      await window.quickInput.pick('Java · pool 8');
      const frame = await panel();
      await frame.getByRole('tab', { name: 'Compare', selected: true, exact: true }).waitFor();
      await frame.getByRole('heading', { name: /^Pool 8 is .* times as fast as pool 2/ }).waitFor();
      const chosen = async (label: string): Promise<string> =>
        frame.getByLabel(label, { exact: true }).evaluate((field) => (field as HTMLElement & { value: string }).value);
      await expect.poll(() => chosen('Setting of the base')).toMatch(/^java\|.*pool=2/);
      await expect.poll(() => chosen('Setting compared with it')).toMatch(/^java\|.*pool=8/);
    },
  );

  it('are compared in the way that was chosen last, which each target keeps', { timeout: 120_000, ...slowHalf }, async () => {
    const { quickInput } = window;
    const now = async (label: string): Promise<string> => (await quickInput.rows()).find((row) => row.label === label)?.description ?? '';
    const type = async (option: string, prompt: string, wrong: string, text: string): Promise<void> => {
      await quickInput.pick(option);
      await waitFor(async () => (await quickInput.message()).includes(prompt), { timeoutMs: 30_000, what: `“${prompt}” is asked` });
      await quickInput.fill(wrong);
      const refused = async (): Promise<boolean> => !(await quickInput.message()).includes(prompt);
      await waitFor(refused, { timeoutMs: 10_000, what: `${option}: “${wrong}” is refused` });
      await quickInput.fill(text);
      await quickInput.accept();
      await quickInput.waitForOpen('Enter compares');
    };
    await window.runCommandFor('Benchside: Compare Code…', 'Which versions');
    await quickInput.acceptFirst();
    await quickInput.waitForOpen('Enter compares');
    expect(await now('Time')).toBe('2 min at the most');
    await type('Connections', 'Connections', 'many', '3');
    await type('The same', 'Within how many percent', '90', '8');
    await type('Time', 'How long may it take', 'soon', '30 s');
    await quickInput.pick('p99');
    await quickInput.waitForOpen('What of p99');
    await quickInput.pick('not at a fixed rate');
    await quickInput.waitForOpen('Enter compares');
    expect(await now('Compare')).toMatch(/3 connections · 30 s at the most · within ±8 % · .*p99 not at a fixed rate/);
    // Both are the same code: nothing is measured, and what was chosen is kept.
    await quickInput.acceptFirst();
    await window.waitForNotification(/the same code/);
    await window.runCommandFor('Benchside: Compare Code…', 'Which versions');
    await quickInput.acceptFirst();
    await quickInput.waitForOpen('Enter compares');
    expect(await now('Compare')).toMatch(/3 connections · 30 s at the most/);
    await quickInput.cancel();
  });

  /** Chooses Compare Code… in a context menu. The editor does not take a click on an entry that comes right after its menu has opened. */
  const fromMenuOf = (place: string, asked: string): Promise<unknown> =>
    waitFor(
      async () => {
        const entry = window.page.getByRole('menuitem', { name: 'Compare Code…' });
        if (!(await entry.isVisible())) await window.page.locator(place).first().click({ button: 'right', timeout: 5_000 });
        await entry.click({ timeout: 5_000 });
        await window.quickInput.waitForOpen(asked, 2_000);
        return true;
      },
      { timeoutMs: 60_000, what: `“${asked}” is asked from the menu of ${place}` },
    );

  it(
    'are chosen from branches and commits of the repository, and from the menus of a repository and of the page that the source-control graph opens for a commit',
    { timeout: 180_000, ...slowHalf },
    async () => {
      const { quickInput } = window;
      gitIn(editor.workspaceDir, 'branch', 'feature/side');
      await window.runCommandFor('Benchside: Compare Code…', 'Which versions');
      await quickInput.pick('Working tree against another commit…');
      await quickInput.waitForOpen('The older version');
      const rows = (await quickInput.rows()).map(({ label }) => label);
      expect(rows).toEqual(expect.arrayContaining(['HEAD~1', 'Another name…', 'feature/side', 'main', 'first']));
      await quickInput.pick('feature/side');
      await quickInput.waitForOpen('Enter compares');
      await quickInput.cancel();
      // What the editor opens for a commit of its graph.
      await window.openContainer('Source Control');
      await window.page.locator('.scm-history-view .monaco-list-row', { hasText: 'first' }).first().click();
      // Which versions is no question: it is that commit.
      await fromMenuOf('.editor-group-container.active .tab.active', 'Enter compares');
      await quickInput.cancel();
      await fromMenuOf('.scm-view .scm-provider .name', 'Which versions');
      await quickInput.cancel();
    },
  );

  it(
    'are compared from the palette after a line was changed: its marks are there at the end, and the answer leads to that line',
    { timeout: 400_000, ...slowHalf },
    async () => {
      const before = editor.runs().length;
      const slower = 'for (let n = 0, sum = 0; n < 3e5; n += 1) sum += Math.sqrt(n);';
      writeFileSync(path.join(editor.workspaceDir, 'server.js'), service(slower));
      await compare();
      // What was marked before came from another run: its figure is not that of this one.
      const fresh = async (): Promise<boolean> => (await marks()).some((text) => /\+\d/.test(text) && !text.includes('+0.900'));
      await waitFor(() => editor.runs().length > before, { timeoutMs: 360_000, everyMs: 500, what: 'the comparison is stored' });
      const frame = await panel();
      await frame.getByRole('heading', { name: /^The working tree is .* slower than HEAD/ }).waitFor();
      await frame
        .getByText(/server\.js:3/)
        .first()
        .waitFor();
      await frame.getByRole('button', { name: 'Open the change at this line' }).click();
      await waitFor(async () => (await window.tabTitles()).some((title) => title.startsWith('server.js')), {
        timeoutMs: 30_000,
        what: 'the change is opened',
      });
      await waitFor(fresh, { timeoutMs: 30_000, what: 'the marks of the comparison that has just ended' });
    },
  );
});
