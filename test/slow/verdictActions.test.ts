import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type NextAction, actionText, nextActionSchema } from '../../src/model/domain/verdict/nextActions.ts';
import { useEditor } from '../editor/support/editor.ts';
import { waitFor } from '../support/waitFor.ts';

const root = path.resolve(import.meta.dirname, '../..');
const documents = ['--target', 'lab-java', '--route', '/documents/:id', '--set', 'documentPool=2', '--connections', '32', '--raw'];
const report = ['--target', 'lab-java', '--route', '/report?category=3', '--connections', '16'];
const search = ['--target', 'lab-node', '--route', '/search?word=lantern', '--connections', '4'];

interface StoredRun {
  request: { settings: Record<string, (number | string)[]> };
  trials: { diagnosis: { kind: string; actions: unknown[] } | null }[];
}

describe('What a verdict proposes, and raw samples, in a real VS Code', () => {
  const start = useEditor({
    files: { 'benchside.json': '{}' },
    prepare: (workspaceDir) => {
      // Which of two limits is named on a busy machine is not what is asked here: the verdict of the first run was recorded.
      const recorded = readFileSync(path.join(root, 'test/fixtures/verdicts/documentPool.json'), 'utf8');
      const folder = path.join(workspaceDir, '.benchside', 'runs', (JSON.parse(recorded) as { id: string }).id);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'run.json'), recorded);
      for (const what of [documents, search, report]) {
        const words = [path.join(root, 'dist/cli.cjs'), 'run', ...what, '--rounds', '2', '--duration', '1'];
        execFileSync(process.execPath, words, { cwd: workspaceDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      }
    },
  });
  const runs = (): StoredRun[] => start().runs<StoredRun>();

  function offered<K extends NextAction['kind']>(run: number, kind: K): (Extract<NextAction, { kind: K }> & { words: string }) | undefined {
    const actions = nextActionSchema.array().parse(runs()[run]?.trials[0]?.diagnosis?.actions ?? []);
    const action = actions.find((one) => one.kind === kind);
    return action && ({ ...action, words: actionText(action) } as Extract<NextAction, { kind: K }> & { words: string });
  }

  const said = (): string =>
    runs()
      .map(({ trials }) => trials[0]?.diagnosis?.kind ?? 'no verdict')
      .join(' | ');

  /** Shows one of the first runs and gives the button of an action. */
  async function buttonOf(title: 'Java (lab)' | 'Node (lab)', label: string): Promise<{ frame: FrameLocator; button: Locator }> {
    const { window } = start();
    await window.runCommandFor('Benchside: Open Result', 'Open which run?');
    // The runs of an action are then above the first ones, which are the last of their title.
    const rows = window.quickInput.widget.locator('.monaco-list-row').filter({ hasText: title });
    await rows.last().click();
    const frame = await window.panelFrame('benchside.benchside');
    await frame.locator('benchside-cards .limit .toggle').first().waitFor();
    // It is open still where the run was shown before.
    const closed = frame.locator('benchside-cards .limit:not([open]) .toggle').first();
    if (await closed.isVisible()) await closed.click();
    const button = frame.locator('benchside-cards :is(vscode-button, button.linkButton)').filter({ hasText: label }).first();
    await button.waitFor();
    return { frame, button };
  }

  it('opens the SQL that took the database’s time, with its plan', { timeout: 120_000 }, async () => {
    const action = offered(3, 'sql');
    if (action === undefined) throw new Error(`the verdict proposes nothing of the kind: ${said()}`);
    const { window } = start();
    await window.runCommandFor('Benchside: Open Result', 'Open which run?');
    await window.quickInput.widget.locator('.monaco-list-row').filter({ hasText: 'Java (lab)' }).first().click();
    const frame = await window.panelFrame('benchside.benchside');
    await frame.locator('benchside-cards .limit:not([open]) .toggle').first().click();
    await frame.locator('benchside-cards :is(vscode-button, button.linkButton)').filter({ hasText: 'Open the SQL' }).first().click();
    const lines = window.page.locator('.monaco-editor .view-lines').first();
    await expect
      .poll(async () => (await lines.innerText()).replaceAll('\u00a0', ' '), { timeout: 30_000 })
      .toMatch(/SELECT seller\.id AS "sellerId"/);
    expect((await lines.innerText()).replaceAll('\u00a0', ' ')).toMatch(/-- 1\. \d+.* % of the time/);
    await window.pictures('action-sql');
    await window.runCommand('View: Close Editor');
  });

  async function rawChoice(label: string): Promise<void> {
    const { window } = start();
    await window.runCommandFor('Benchside: Query Raw Samples', 'Of which run');
    await window.quickInput.pick('Java (lab)');
    await window.quickInput.waitForOpen('Raw Samples: Java (lab)');
    await window.quickInput.fill(label);
    await window.quickInput.pick(label);
  }

  it('opens a view of the raw samples with its statement, and the statement alone', { timeout: 180_000 }, async () => {
    const { window } = start();
    await rawChoice('By route');
    await window.waitForNotification(/By route: 1 row\./);
    const editor = window.page.locator('.monaco-editor .view-lines').first();
    await expect.poll(() => editor.innerText()).toMatch(/FROM\sraw\.by_route/);
    await window.pictures('raw-by-route');
    await window.pressNotificationButton(/By route/, 'Open SQL');
    await waitFor(async () => (await window.tabTitles()).some((title) => title.startsWith('-- Database')), {
      timeoutMs: 30_000,
      what: 'the SQL is open',
    });
  });

  it.each(['CSV', 'Parquet'])('exports them as %s', { timeout: 180_000 }, async (format) => {
    const { window, workspaceDir } = start();
    await rawChoice(`Export as ${format}…`);
    await window.quickInput.waitForOpen('Export Raw Samples');
    await window.quickInput.accept();
    const ending = `.${format.toLowerCase()}`;
    await window.waitForNotification(new RegExp(`requests saved as .*\\${ending}`));
    const name = readdirSync(workspaceDir).find((file) => file.endsWith(ending)) ?? '';
    expect((await stat(path.join(workspaceDir, name))).size).toBeGreaterThan(1000);
    if (format === 'Parquet') expect((await readFile(path.join(workspaceDir, name))).subarray(0, 4).toString('latin1')).toBe('PAR1');
  });

  it('measures again with the value that the verdict proposes', { timeout: 300_000 }, async () => {
    const { window } = start();
    const action = offered(0, 'set');
    if (action === undefined) throw new Error(`the verdict proposes nothing of the kind: ${said()}`);
    expect(action.words).toContain('“Connections to the document store”');
    const before = runs().length;
    const { button } = await buttonOf('Java (lab)', action.words);
    await button.click();
    await waitFor(() => runs().length === before + 1, { timeoutMs: 240_000, everyMs: 250, what: 'the run with the new value is stored' });
    expect(runs().at(-1)?.request.settings['documentPool']).toEqual([action.value]);
    await window.pictures('action-set');
    await start().untilIdle();
  });

  it('records what the verdict asks for; nothing else is started or changed meanwhile', { timeout: 300_000 }, async () => {
    const { window } = start();
    const [action, other] = [offered(0, 'record'), offered(0, 'set')];
    if (action === undefined || other === undefined) throw new Error(`the verdict proposes nothing of the kind: ${said()}`);
    const { button, frame } = await buttonOf('Java (lab)', action.words);
    await button.click();
    await window.waitForNotification(/Recording Java \(lab\) · connections to the document store 2/);
    await frame.locator('benchside-cards :is(vscode-button, button.linkButton)').filter({ hasText: other.words }).first().click();
    await window.waitForNotification(/A flame graph is being recorded/);
    expect((await window.notifications()).map(({ text }) => text).join('\n')).not.toMatch(/from now on|running already/);
    const groups = window.page.locator('.editor-group-container');
    await waitFor(async () => (await groups.count()) === 2, {
      timeoutMs: 180_000,
      everyMs: 250,
      what: 'the flame graph is open beside the panel',
    });
    await window.picture('action-record');
    await start().untilIdle();
  });

  it('searches for the value that is enough', { timeout: 240_000 }, async () => {
    const { window } = start();
    const action = offered(0, 'tune');
    if (action === undefined) throw new Error(`the verdict proposes nothing of the kind: ${said()}`);
    const { frame, button } = await buttonOf('Java (lab)', action.words);
    await button.click();
    await frame.locator('benchside-status').getByRole('progressbar').waitFor({ timeout: 120_000 });
    await window.picture('action-tune');
    await window.runCommand('Benchside: Cancel Benchmark');
    await start().untilIdle();
  });

  it('fills the form with one more instance for an app whose event loop is full', { timeout: 120_000 }, async () => {
    const { window } = start();
    const action = offered(2, 'instances');
    if (action === undefined) throw new Error(`the verdict proposes nothing of the kind: ${said()}`);
    const { frame, button } = await buttonOf('Node (lab)', action.words);
    await button.click();
    const fields = frame.locator('benchside-form input');
    await expect.poll(() => fields.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).toContain('1, 2');
    await window.picture('action-instances');
  });
});
