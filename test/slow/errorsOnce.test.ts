import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { appTarget, briefLoad, commandLine, repositoryDir } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from '../editor/support/editor.ts';

interface Telling {
  where: 'notification' | 'panel';
  text: string;
  buttons: readonly string[];
}

const declared = JSON.stringify({
  // Long blocks: the engine is ended in the middle of one.
  loadProfiles: [{ ...briefLoad, durationS: 20, rounds: 1, budgetS: 20 }],
  targets: [appTarget('dead', 'exitsAtOnce.mjs'), appTarget('steady', 'steadyService.mjs')],
});
const damagedRun = 'mb2k9x1a-0123456789abcdef01234567';

/** Everything that tells a person of something wrong now: notifications, and the messages of the panel. Those of progress are left out. */
async function tellings({ window, panel }: Pick<Editor, 'window'> & { panel: () => ReturnType<Editor['panel']> }): Promise<Telling[]> {
  const told = (await window.notifications()).filter(({ text }) => !/^Benchside: /.test(text));
  const boxes = (await panel()).locator('section.message:is(.bad, .warning), section.failing');
  const shown = await boxes.evaluateAll((all) =>
    all.map((box) => ({
      text: (box as HTMLElement).innerText,
      buttons: [...box.querySelectorAll<HTMLElement>('vscode-button')].map((button) => button.innerText.trim()),
    })),
  );
  return [
    ...told.map(({ text, buttons }) => ({ where: 'notification' as const, text, buttons })),
    ...shown.map((box) => ({ where: 'panel' as const, ...box })),
  ];
}

/** One of them, with the log at hand: once it is there, until the window is idle, and a moment of its own afterwards. */
async function toldOnce(editor: Editor, sentence: RegExp): Promise<Telling> {
  const all = (): Promise<Telling[]> => tellings({ window: editor.window, panel: () => editor.panel() });
  await waitFor(async () => (await all()).some(({ text }) => sentence.test(text)), {
    timeoutMs: 60_000,
    what: `it is told: ${String(sentence)}`,
  });
  await editor.untilIdle();
  // What is asked for after the failure is answered after whatever it still has to tell.
  await editor.window.runCommand('Benchside: Refresh');
  const [first, ...others] = await all();
  if (first === undefined) throw new Error('It is not told any more.');
  expect(others).toEqual([]);
  expect(first.text).toMatch(sentence);
  expect(first.buttons).toContain('Show Log');
  return first;
}

describe('an error in a real VS Code is told once, with the log at hand:', () => {
  const start = useEditor({
    files: { 'benchside.json': declared },
    extensionDevelopmentPath: repositoryDir,
    prepare: (workspaceDir) => {
      const folder = path.join(workspaceDir, '.benchside/runs', damagedRun);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'run.json'), '{ "id": ');
    },
  });

  async function run(target: string): Promise<void> {
    const { window } = start();
    await window.runCommandFor('Benchside: Run Benchmark', 'Run Benchmark (1/3)');
    await window.quickInput.pickRows([target]);
    await window.quickInput.accept();
    await window.quickInput.waitForOpen('Run Benchmark (2/3)');
    await window.quickInput.pick('brief');
    await window.quickInput.waitForOpen('Run Benchmark (3/3)');
    await window.quickInput.fill('2');
    await window.quickInput.accept();
  }

  it('a target that ends at once, in the panel, with what it wrote', { timeout: 180_000 }, async () => {
    await run('dead');
    const { where, text } = await toldOnce(start(), /configuration missing|exited|ended/);
    expect(where).toBe('panel');
    expect(text.match(/GREETING is not set/g)).toHaveLength(1);
  });

  it('a run whose file is damaged, in a notification', { timeout: 120_000 }, async () => {
    const editor = start();
    await editor.window.runCommand('Benchside: Open Workbench');
    // What the test before this one told goes away.
    const dismiss = (await editor.panel()).getByRole('button', { name: /Dismiss|Close|Show Earlier Runs/ });
    if ((await dismiss.count()) > 0) await dismiss.click();
    await editor.window.openContainer('Benchside');
    const row = editor.window.treeRow('Results', `Run ${damagedRun.slice(0, 8)}`);
    await row.click();
    const { where } = await toldOnce(editor, /cannot be shown/);
    expect(where).toBe('notification');
    await editor.window.runCommand('Notifications: Clear All Notifications');
  });

  it('an engine that is gone in the middle of a run, in the panel, with a way to start it anew', { timeout: 180_000 }, async () => {
    const editor = start();
    await run('steady');
    await editor.panel().then((frame) =>
      frame
        .getByText(/Measuring/)
        .first()
        .waitFor(),
    );
    for (const { pid } of processesMarked('HOME', editor.server.homeDir))
      if (commandLine(pid).includes('engine.cjs')) process.kill(pid, 'SIGKILL');
    const { where, buttons } = await toldOnce(editor, /engine/);
    expect(where).toBe('panel');
    expect(buttons).toContain('Restart');
    expect(await editor.panel().then((frame) => frame.getByRole('button', { name: 'Cancel' }).count())).toBe(0);
  });

  it('a benchside.json that cannot be read, in the panel, with a way to it', { timeout: 120_000 }, async () => {
    const editor = start();
    // What the test before this one told goes with its cure.
    const restart = (await editor.panel()).getByRole('button', { name: 'Restart' });
    if ((await restart.count()) > 0) await restart.click();
    writeFileSync(path.join(editor.workspaceDir, 'benchside.json'), '{ "targets": [');
    const { where, buttons } = await toldOnce(editor, /benchside\.json/);
    expect(where).toBe('panel');
    expect(buttons).toContain('Open benchside.json');
  });
});
