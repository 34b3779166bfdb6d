import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordingRecord } from '../../src/model/domain/recording.ts';
import { exampleRun, exampleRunId } from '../support/runRecords.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';

/** Every request holds a connection while the database waits: with a pool of 2, the others wait for the pool. */
const waiting = {
  name: 'waiting',
  description: 'Every request holds a connection for 5 ms.',
  connections: 16,
  durationS: 1,
  settleS: 0.2,
  rounds: 1,
  warmUp: { minS: 1, maxS: 3, jvmMaxS: 8 },
  mix: [{ route: 'GET /wait?ms=5', weight: 1 }],
};
const collapsed = [
  'main;handle;render_[j] 60',
  'main;handle;query_[j] 30',
  'main;</script><img src=x onerror=alert(1)>;__proto__ 10',
  '',
].join('\n');

/** A run of which one trial was recorded, stored earlier: `handle` has a tenth of the samples itself and calls `render`, which has the others. */
function storeRecordedRun(workspaceDir: string): void {
  const folder = path.join(workspaceDir, '.benchside/runs', exampleRunId);
  const frame = (functionName: string, lineNumber: number): object => ({
    functionName,
    lineNumber,
    url: 'file:///srv/routes.mjs',
    scriptId: '1',
    columnNumber: 0,
  });
  const profile = {
    nodes: [
      { id: 1, callFrame: { ...frame('(root)', -1), url: '' }, hitCount: 0, children: [2] },
      { id: 2, callFrame: frame('handle', 2), hitCount: 10, children: [3] },
      { id: 3, callFrame: frame('render', 7), hitCount: 90, children: [] },
    ],
    startTime: 0,
    endTime: 100_000,
    timeDeltas: Array.from({ length: 100 }, () => 1000),
    samples: Array.from({ length: 100 }, (_, index) => (index < 10 ? 2 : 3)),
  };
  const run = exampleRun();
  const recording: RecordingRecord = {
    schemaVersion: 1,
    id: 'mb2k9x1b-0123456789abcdef01234567',
    title: 'node · pool 2',
    target: 'node',
    settings: { pool: 2 },
    recorder: 'v8',
    recorderVersion: '1',
    runtime: 'node',
    runtimeVersion: 'v20.20.0',
    pid: 4711,
    command: 'node server.mjs',
    trialKey: run.trials[4]?.key ?? null,
    events: ['cpu'],
    startedAt: run.startedAt,
    durationMs: 100,
    notes: [],
    sourceRoots: [],
    load: { requests: 50, errors: 0, windowMs: 100, throughput: 500, connections: 32, cpuUsPerRequest: 2000 },
    cost: { withUs: 2080, withoutUs: 2000, ratio: 1.04, low: 1, high: 1.09, pairs: 3 },
    files: [{ name: 'recorded-1.cpuprofile', format: 'cpuprofile' }],
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'recorded-1.cpuprofile'), JSON.stringify(profile));
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify({ ...run, recordings: [recording] }));
}

describe('recordings in a real VS Code', { timeout: 240_000, ...longTest }, () => {
  const start = useEditor({
    files: { 'benchside.json': JSON.stringify({ loadProfiles: [waiting] }), 'stacks.collapsed': collapsed },
    prepare: storeRecordedRun,
  });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });

  const graph = (): Promise<FrameLocator> => editor.panel();

  /** Records a target with a pool of that size under the load that waits, by the questions of the command. */
  async function record(target: string, pool: number, what: string, seconds: number): Promise<void> {
    // One flame graph at a time: a window with two has two pages.
    await window.runCommand('View: Close All Editors');
    await window.runCommandFor('Benchside: Record Flame Graph', 'Record Flame Graph (1/3)');
    await window.quickInput.pick(target);
    await window.quickInput.waitForOpen('Record Flame Graph (2/3)');
    await window.quickInput.pick(what);
    await window.quickInput.waitForOpen('Record Flame Graph (3/3)');
    await change('Settings', /pool size \d+/, `pool size ${pool}`);
    await change('Seconds', /^\d+$/, String(seconds));
    await window.quickInput.pick('waiting');
    await waitFor(async () => (await window.tabTitles()).some((title) => title.includes(`${target} · pool ${pool}`)), {
      timeoutMs: 120_000,
      everyMs: 200,
      what: `the recording of ${target} with a pool of ${pool} is shown`,
    });
  }

  /** Changes what a row below the loads says; the list, the input and the list again have the same title, so each is waited for by what it holds. */
  async function change(row: string, from: RegExp, to: string): Promise<void> {
    const { quickInput } = window;
    await quickInput.pick(row);
    const value = await waitFor(
      async () => {
        const held = await quickInput.value();
        return from.test(held) ? held : undefined;
      },
      { timeoutMs: 30_000, what: `the input of ${row} is open` },
    );
    await quickInput.fill(value.replace(from, to));
    await quickInput.accept();
    await quickInput.row('waiting').first().waitFor();
  }

  async function search(frame: FrameLocator, text: string): Promise<number> {
    await frame.getByRole('textbox', { name: 'Search functions' }).fill(text);
    const share = await waitFor(async () => /([\d.]+) % matched/.exec(await frame.locator('.search .found').innerText())?.[1], {
      timeoutMs: 20_000,
      what: `a matched share for ${text}`,
    });
    return Number(share);
  }

  async function chooseEvent(frame: FrameLocator, name: string): Promise<void> {
    await frame.getByRole('radio', { name, exact: true }).click();
    await frame.locator(`button[role=radio][aria-checked=true]`, { hasText: name }).waitFor();
  }

  it('shows what a Java app with a pool of 2 waits for, and search finds its share', slowHalf, async () => {
    await record('Java', 2, 'Everything that costs little', 4);
    const frame = await graph();
    await chooseEvent(frame, 'Wall');
    const share = await search(frame, 'getConnection');
    expect(share).toBeGreaterThan(50);
    await window.pictures('flame-java-wall');
    await chooseEvent(frame, 'Pool wait');
    expect(await search(frame, 'getConnection')).toBeGreaterThan(99);
    const recordings = readdirSync(path.join(editor.workspaceDir, '.benchside', 'recordings')).filter((name) => !name.startsWith('.'));
    expect(recordings.length).toBeGreaterThanOrEqual(1);
    const stored = JSON.parse(
      await readFile(path.join(editor.workspaceDir, '.benchside', 'recordings', recordings[0] ?? '', 'recording.json'), 'utf8'),
    ) as object;
    expect(stored).toMatchObject({ recorder: 'async-profiler', settings: { pool: 2 }, target: 'java' });
  });

  it('compares it with a pool of 16, per request', slowHalf, async () => {
    await record('Java', 16, 'Everything that costs little', 4);
    const frame = await graph();
    await chooseEvent(frame, 'Wall');
    await frame.getByRole('button', { name: 'Compare with…' }).click();
    await frame
      .getByRole('menuitem', { name: /pool 2/ })
      .first()
      .click();
    await frame.getByText('Compared with').waitFor();
    const sentence = frame.getByText(/Per request, wall time fell by .* less of it waits for a database connection/).first();
    await sentence.waitFor();
    await window.pictures('flame-compare');
    // What takes less than with the pool of 2 has a minus before it.
    const waits = frame.getByRole('row', { name: /ConcurrentBag\.borrow/ }).first();
    await waits.waitFor();
    expect(await waits.innerText()).toMatch(/−\d/);
    await frame.getByRole('button', { name: /Stop comparing/ }).click();
  });

  it('lands on the hot line of a Node app, which carries its mark', async () => {
    await record('Node', 2, 'Everything that costs little', 4);
    const frame = await graph();
    await chooseEvent(frame, 'Pool wait');
    await frame.getByRole('radio', { name: 'Table', exact: true }).click();
    const row = frame.getByRole('row', { name: /routes\.mjs|database\.mjs/ }).first();
    await row.dblclick();
    await waitFor(async () => (await window.tabTitles()).some((title) => /^(routes|database)\.mjs/.test(title)), {
      timeoutMs: 30_000,
      what: 'the source is open',
    });
    const marks = await waitFor(
      async () => {
        const found = await window.page.evaluate(() =>
          [...document.querySelectorAll('.view-line span')]
            .map((span) => getComputedStyle(span, '::before').content)
            .filter((content) => content.includes('%')),
        );
        return found.length > 0 ? found : undefined;
      },
      { timeoutMs: 30_000, what: 'marks in the source' },
    );
    expect(marks.join(' ')).toMatch(/\d\u00a0%/);
    const status = /Ln (\d+)/.exec(await window.statusBarText())?.[1];
    expect(marks.length).toBeGreaterThan(0);
    expect(Number(status)).toBeGreaterThan(1);
    await window.pictures('flame-node-source');
  });

  it('shows what was recorded of a run within the run’s page', async () => {
    await window.runCommand('View: Close All Editors');
    await window.runCommandFor('Benchside: Open Result', 'Open which run?');
    await window.quickInput.acceptFirst();
    const frame = await graph();
    // The run comes after the page, and takes it to its own view.
    await frame.getByText('Use pool size 8').first().waitFor();
    await frame.getByRole('tab', { name: 'Flame graph' }).click();
    await frame.getByText('recording cost 4 % CPU per request').first().waitFor();
    expect(await search(frame, 'render')).toBe(90);
    await frame
      .getByRole('row', { name: /routes\.mjs/ })
      .first()
      .waitFor();
    await window.pictures('flame-run-page');
  });

  it('records the trials of a run after they were measured, when the form says so', slowHalf, async () => {
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Benchside: Open Workbench');
    const frame = await graph();
    const form = frame.locator('benchside-form');
    for (const label of ['Java', 'Node']) {
      const box = form.getByRole('checkbox', { name: label, exact: true });
      if ((await box.getAttribute('aria-checked')) !== String(label === 'Node')) await box.click();
    }
    await form.getByText('More settings').click();
    await form.getByRole('checkbox', { name: 'Flame graph' }).click();
    await form.locator('vscode-text-field').filter({ hasText: 'Pool size' }).locator('input').fill('2');
    await form.getByRole('combobox', { name: 'Load profile' }).click();
    await form.getByRole('option', { name: 'waiting' }).click();
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    await editor.untilBusy();
    await editor.untilIdle();
    await frame.getByRole('tab', { name: 'Flame graph' }).click();
    await frame.getByRole('radio', { name: 'Pool wait' }).waitFor();
    await chooseEvent(frame, 'Pool wait');
    await frame
      .getByRole('row', { name: /routes\.mjs/ })
      .first()
      .waitFor();
    await frame
      .getByText(/recording cost/i)
      .first()
      .waitFor();
  });

  it('opens a file of stacks from the explorer, and shows hostile names as text', async () => {
    await window.runCommand('View: Close All Editors');
    await window.openContainer('Explorer');
    await window.page.getByRole('treeitem', { name: 'stacks.collapsed' }).dblclick();
    await waitFor(async () => (await window.tabTitles()).some((title) => title.includes('stacks.collapsed')), { timeoutMs: 30_000 });
    const frame = await graph();
    expect(await search(frame, 'render')).toBe(60);
    await frame.getByRole('textbox', { name: 'Search functions' }).fill('');
    await frame.getByRole('radio', { name: 'Table', exact: true }).click();
    await frame.getByText('</script><img src=x onerror=alert(1)>').first().waitFor();
    expect(await frame.locator('img').count()).toBe(0);
  });

  it('leaves no process of a recording behind', async () => {
    await waitFor(() => editor.processes().every((command) => /postgres|engine\.cjs/.test(command)), {
      timeoutMs: 10_000,
      what: 'targets and load are gone',
    });
  });
});
