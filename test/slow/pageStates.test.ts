import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { advice, cheaper, exampleAdvice, heap, index, pool, slower, together } from '../support/adviceRecords.ts';
import { appTarget } from '../support/engine.ts';
import { type Editor, useEditor } from '../editor/support/editor.ts';
import type { WorkbenchPage } from '../editor/support/workbenchPage.ts';

const declared = JSON.stringify({ targets: [appTarget('shop', 'exitsAtOnce.mjs')] }, null, 2);

/** One of each group, with names as the engine gives them. */
const found = exampleAdvice({
  advice: {
    ...advice,
    tried: [index, { ...pool, id: 'pool=4' }, cheaper, heap, slower],
    together: { ...together, ids: [index.id, 'pool=4'], overBest: { ratio: { mean: 1.2, ciLow: 1.1, ciHigh: 1.3 }, verdict: 'better' } },
  },
});

describe('pages without a result in a real VS Code', () => {
  const start = useEditor({ files: { 'benchside.json': declared } });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });

  it('have one button each, as long as nothing was measured', { timeout: 300_000 }, async () => {
    await window.runCommand('Benchside: Open Workbench');
    const frame = await editor.panel();
    for (const [name, button] of [
      ['Tune', 'Check This Machine'],
      ['Live', 'Start'],
      ['What would help', 'Try What Could Help'],
      ['Compare', 'Set Up a Run'],
      ['Compare code', 'Compare Code…'],
      ['Flame graph', 'Set Up a Run'],
      ['Raw figures', 'Set Up a Run'],
    ] as const) {
      await frame.getByRole('tab', { name, exact: true }).click();
      await frame.getByRole('tabpanel').getByRole('button', { name: button, exact: true }).waitFor();
      await window.pictures(`empty-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('of a service that lacks a variable leads to the line for it', { timeout: 180_000 }, async () => {
    await window.runCommand('Benchside: Open Workbench');
    const frame = await editor.panel();
    await frame.getByRole('tab', { name: 'Tune' }).click();
    for (const label of ['Node', 'Java', 'shop']) {
      const box = frame.getByRole('checkbox', { name: label, exact: true });
      if ((await box.isChecked()) !== (label === 'shop')) await box.click();
    }
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    const add = frame.getByRole('button', { name: 'Add GREETING to benchside.json' });
    await add.waitFor({ timeout: 60_000 });
    await editor.untilIdle();
    await window.pictures('crashed');
    await add.click();
    await window.page.locator('.tab.active', { hasText: 'benchside.json' }).waitFor();
    const lines = window.page.locator('.monaco-editor .view-lines').first();
    await expect.poll(async () => (await lines.innerText()).replaceAll('\u00a0', ' ')).toContain('"GREETING": ""');
    // It is shown, and saved by who fills it.
    expect(readFileSync(path.join(editor.workspaceDir, 'benchside.json'), 'utf8')).toBe(declared);
    await window.pictures('crashed-variable');
    await window.closeEditor('benchside.json');
  });

  it('of what was tried show all groups, and once what is the same for less', { timeout: 180_000 }, async () => {
    const place = path.join(editor.workspaceDir, '.benchside/advice', found.id);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'advice.json'), JSON.stringify(found));
    await window.runCommand('Benchside: Refresh');
    await window.reload();
    await window.runCommand('Benchside: Open Workbench');
    const frame = await editor.panel();
    await frame.getByRole('tab', { name: 'What would help' }).click();
    const group = frame.getByRole('table', { name: 'The same, but cheaper' });
    await group.getByText('connections 10 → 2').waitFor();
    expect((await group.innerText()).match(/connections 10/g)).toHaveLength(1);
    await window.pictures('advise-groups');
    await frame.getByRole('heading', { name: 'The same, but cheaper' }).scrollIntoViewIfNeeded();
    await window.pictures('advise-cheaper');
  });
});
