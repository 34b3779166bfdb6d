import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';

/** Short blocks: what is looked at here is the way from the palette to the figures, not the figures. */
const brief = {
  name: 'brief',
  description: 'Short, for tests.',
  connections: 8,
  durationS: 1,
  settleS: 0.2,
  rounds: 2,
  // No more rounds: nothing is to be decided.
  budgetS: 1,
  warmUp: { minS: 1, maxS: 1, jvmMinS: 1, jvmMaxS: 2 },
};

describe('Benchside in a real VS Code', () => {
  const start = useEditor({ files: { 'benchside.json': JSON.stringify({ loadProfiles: [brief] }) } });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });

  const panel = (): Promise<FrameLocator> => editor.panel();
  /** After a reload a tab that was closed just before it may be there again, and before the panel. */
  async function panelAgain(): Promise<FrameLocator> {
    await window.page.locator('.tabs-container .tab', { hasText: 'Benchside' }).first().click();
    return panel();
  }
  const runsStored = (): number => editor.runs().length;

  /** Asks in the palette for a run of both samples. */
  async function askForBoth(pools: () => Promise<void>): Promise<void> {
    await window.runCommandFor('Benchside: Run Benchmark', 'Run Benchmark (1/3)');
    await window.quickInput.pickRows(['Node', 'Java']);
    await window.quickInput.accept();
    await window.quickInput.waitForOpen('Run Benchmark (2/3)');
    await window.quickInput.pick('brief');
    await window.quickInput.waitForOpen('Run Benchmark (3/3)');
    await pools();
    await window.quickInput.accept();
  }

  /** Runs what was run last, until its first process is warmed up. How many runs were stored before. */
  async function runAgainUntilWarmingUp(): Promise<number> {
    // Where the tests before this one were left out.
    if (runsStored() === 0) {
      await askForBoth(() => window.quickInput.fill('2, 8'));
      await editor.untilBusy();
      await editor.untilIdle();
      await (await panel()).getByRole('button', { name: /^Change/ }).waitFor();
    }
    const before = runsStored();
    await window.runCommand('Benchside: Run Benchmark Again');
    const frame = await panel();
    await frame
      .getByText(/Warming up/)
      .first()
      .waitFor();
    return before;
  }

  it('shows targets and an empty list of runs that says what to do', async () => {
    await window.openContainer('Benchside');
    const rows = await waitFor(
      async () => {
        const all = await window.treeRows('Targets');
        return all.length >= 5 ? all : null;
      },
      { timeoutMs: 60_000, what: 'the targets are listed' },
    );
    expect(rows.map(({ label }) => label)).toEqual(expect.arrayContaining(['Node', 'Java', 'PostgreSQL']));
    expect(await window.welcomeText('Results')).toContain('No runs yet');
    await window.pictures('empty');
  });

  it('offers no command that the present state would make fail', async () => {
    expect(await window.offersCommand('Benchside: Run Benchmark')).toBe(true);
    expect(await window.offersCommand('Benchside: Cancel Benchmark')).toBe(false);
    expect(await window.offersCommand('Benchside: Compare Results')).toBe(false);
    expect(await window.offersCommand('Benchside: Stop Target')).toBe(false);
  });

  it('runs both samples from the palette, shows live figures, then the comparison', { timeout: 240_000 }, async () => {
    await askForBoth(async () => {
      await window.quickInput.fill('0');
      await waitFor(async () => (await window.quickInput.message()) !== '', { what: 'a size of 0 is refused' });
      await window.quickInput.fill('2, 8');
    });
    const frame = await panel();
    await frame.getByRole('tab', { name: /Tune/ }).waitFor();
    // The second figure of the run in progress: requests/s, a dash until there is load.
    const shown = frame.locator('benchside-while-it-runs dl.now dd').nth(1);
    const liveThroughput = async (): Promise<string | undefined> =>
      /^[\d,]+$/.exec((await shown.innerText({ timeout: 5_000 })).trim())?.[0];
    const first = await waitFor(liveThroughput, { timeoutMs: 60_000, what: 'a live throughput is shown' });
    await waitFor(async () => ![undefined, first].includes(await liveThroughput()), {
      timeoutMs: 60_000,
      what: 'the live throughput moves',
    });
    await window.pictures('live');
    await editor.untilIdle();
    await frame.getByRole('heading', { name: 'Throughput', exact: true }).waitFor();
    const table = frame.locator('benchside-figures').getByRole('table').first();
    await table.waitFor();
    const text = await table.innerText();
    expect(text).toContain('Node');
    expect(text).toContain('Java');
    expect(runsStored()).toBe(1);
    await window.pictures('result');
    await frame.locator('benchside-figures, table').first().scrollIntoViewIfNeeded();
    await window.pictures('result-table');
    await expect.poll(async () => (await window.treeRows('Results')).length, { timeout: 15_000 }).toBe(1);
  });

  it('opens the SQL of a row beside the panel, with what each statement took', { timeout: 60_000 }, async () => {
    const frame = await panel();
    await frame.locator('benchside-figures').getByRole('button', { name: 'Open the SQL' }).first().click();
    const lines = window.page.locator('.monaco-editor .view-lines').first();
    const text = async (): Promise<string> => (await lines.innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text, { timeout: 30_000 }).toMatch(/-- 1\. \d.* % of the time .* calls \(.* per request\)[^]*SELECT[^]*-- Plan:/);
    await window.pictures('statements');
    await window.closeEditor('SQL of');
  });

  it('remembers the form, runs again with another pool size, and compares the two runs', { timeout: 240_000 }, async () => {
    const frame = await panel();
    await frame.getByRole('button', { name: /^Change/ }).click();
    const pool = frame.locator('vscode-text-field').filter({ hasText: 'Pool size' }).locator('input');
    expect(await pool.inputValue()).toBe('2, 8');
    await pool.fill('8');
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    await editor.untilBusy();
    await editor.untilIdle();
    await waitFor(() => runsStored() === 2, { timeoutMs: 20_000, what: 'the second run is stored' });
    await frame.getByRole('tab', { name: 'Compare', exact: true }).click();
    // The shown run and the one before it are chosen already.
    await frame.getByRole('heading', { name: 'Figures side by side' }).waitFor({ timeout: 30_000 });
    expect(await frame.getByRole('table').last().innerText()).toContain('pool 8');
    await window.pictures('compare');
  });

  it('cancels a run half-way and leaves nothing running and nothing half-written', { timeout: 120_000 }, async () => {
    const before = await runAgainUntilWarmingUp();
    const frame = await panel();
    await frame.getByRole('button', { name: 'Cancel' }).click();
    await editor.untilIdle(10_000);
    expect(runsStored()).toBe(before);
    await waitFor(() => editor.processes().every((command) => /postgres|engine/.test(command)), {
      timeoutMs: 5_000,
      what: 'targets and load are gone',
    });
    await window.picture('cancelled');
  });

  it('tells its progress in a notification while the panel is hidden, and cancels from there', { timeout: 120_000 }, async () => {
    const before = runsStored();
    const progress = /Benchside: (Starting|Warming|Measuring)/;
    await runAgainUntilWarmingUp();
    expect((await window.notifications()).filter(({ text }) => progress.test(text))).toEqual([]);
    await window.runCommand('File: New Untitled Text File');
    await window.waitForNotification(progress);
    await window.picture('progress-notification');
    await window.pressNotificationButton(progress, 'Cancel');
    await editor.untilIdle(10_000);
    expect(runsStored()).toBe(before);
    await window.closeEditor('Untitled-1');
    await panel();
  });

  it(
    'ends a run when the window is reloaded in the middle of it, and shows the last result again',
    { timeout: 180_000, ...slowHalf },
    async () => {
      const before = await runAgainUntilWarmingUp();
      await window.reload();
      await waitFor(() => editor.processes().length === 0, { timeoutMs: 30_000, what: 'everything that the window started is gone' });
      expect(runsStored()).toBe(before);
      const frame = await panelAgain();
      await frame.getByRole('tab', { name: 'Tune' }).waitFor();
      await frame.getByRole('tab', { name: 'Tune' }).click();
      await frame.getByRole('button', { name: /^Change/ }).waitFor({ timeout: 60_000 });
      await window.picture('reloaded');
    },
  );

  it('leaves nothing behind when the extension host is killed in the middle of a run', { timeout: 180_000, ...slowHalf }, async () => {
    const before = await runAgainUntilWarmingUp();
    expect(editor.processes()).not.toEqual([]);
    for (const { pid } of editor.server.extensionHosts()) process.kill(pid, 'SIGKILL');
    const killed = performance.now();
    await waitFor(() => editor.processes().length === 0, { timeoutMs: 10_000, what: 'everything that the window started is gone' });
    expect(performance.now() - killed).toBeLessThan(2_500);
    expect(runsStored()).toBe(before);
    await window.reload();
    await (await panelAgain()).getByRole('tab', { name: 'Tune' }).waitFor();
    await (await panel()).getByRole('button', { name: /^Change/ }).waitFor({ timeout: 60_000 });
  });

  it('exports a report to a file of the user’s choice', { timeout: 90_000 }, async () => {
    await window.runCommandFor('Benchside: Export Report', 'Export the report of which run?');
    await window.quickInput.acceptFirst();
    await window.quickInput.waitForOpen('Export the report as');
    await window.quickInput.pick('HTML');
    await window.quickInput.waitForOpen('Export Report');
    await waitFor(async () => (await window.quickInput.value()).includes(path.sep), { timeoutMs: 30_000, what: 'a file name is proposed' });
    const file = path.join(editor.workspaceDir, 'report.html');
    let held = 0;
    await waitFor(
      async () => {
        if (existsSync(file)) return true;
        if (!(await window.quickInput.isOpen())) {
          const told = (await window.notifications()).map(({ text }) => text).join(' · ');
          throw new Error(`The dialog is gone. Told: ${told}`);
        }
        // While the dialog still looks at the folder it takes no Enter, and may put the proposed name back: only what has been there for a while is accepted.
        held = (await window.quickInput.value()) === file ? held + 1 : 0;
        // An Enter may be taken late: then the dialog is gone by the time that the next one, or the next text, would reach it.
        if (held === 0) await window.quickInput.fill(file, 2_000);
        else if (held > 3) await window.quickInput.accept(2_000);
        return false;
      },
      { timeoutMs: 30_000, everyMs: 150, what: 'the report is written' },
    );
    expect(readFileSync(file, 'utf8')).toContain('<!doctype html>');
  });

  it('starts and stops a target by hand from its row', { timeout: 120_000 }, async () => {
    await window.openContainer('Benchside');
    await window.treeRow('Targets', 'Node').waitFor();
    await window.pressRowAction('Targets', 'Node', 'Start');
    await waitFor(async () => (await window.treeRows('Targets')).find(({ label }) => label === 'Node')?.description.includes('running'), {
      timeoutMs: 60_000,
      what: 'the Node runs',
    });
    await window.picture('target-running');
    await window.pressRowAction('Targets', 'Node', 'Stop');
    await waitFor(async () => (await window.treeRows('Targets')).find(({ label }) => label === 'Node')?.description === 'stopped', {
      timeoutMs: 20_000,
      what: 'the Node is stopped',
    });
  });

  it('deletes a run after asking and brings it back by Undo', { timeout: 90_000 }, async () => {
    const before = runsStored();
    await window.runCommandFor('Benchside: Delete Result', 'Delete which run?');
    await window.quickInput.acceptFirst();
    await waitFor(async () => (await window.dialogText()) !== undefined, { timeoutMs: 20_000, what: 'a confirmation is asked for' });
    await window.pressDialogButton('Delete');
    await waitFor(() => runsStored() === before - 1, { timeoutMs: 20_000, what: 'the run is gone' });
    await window.waitForNotification(/[Dd]eleted/);
    await window.pressNotificationButton(/[Dd]eleted/, 'Undo');
    await waitFor(() => runsStored() === before, { timeoutMs: 20_000, what: 'the run is back' });
  });

  it('lists the published experiments with what they ask and what they need', { timeout: 120_000 }, async () => {
    await window.runCommand('Benchside: Show Experiments');
    const frame = await panel();
    await frame.getByText('The suspicious sign').first().waitFor({ timeout: 60_000 });
    await frame.getByText('Stack Wars').first().waitFor();
    await window.pictures('experiments-list');
  });

  it('checks this machine', { timeout: 90_000, ...slowHalf }, async () => {
    await window.runCommand('Benchside: Check This Machine');
    await waitFor(async () => (await window.tabTitles()).some((title) => /machine/i.test(title)), {
      timeoutMs: 60_000,
      what: 'the check is shown',
    });
    await (await window.panelFrame('vscode.markdown-language-features')).getByText('PostgreSQL').first().waitFor();
    await window.picture('check');
  });
});
