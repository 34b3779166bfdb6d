import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryDir } from '../support/engine.ts';
import { copyProbeApps } from '../support/probeApps.ts';
import { waitFor } from '../support/waitFor.ts';
import { useEditor } from '../editor/support/editor.ts';

describe('a service of one’s own in a real VS Code', () => {
  let packages: { folder: string; remove: () => void };
  beforeAll(async () => {
    packages = await copyProbeApps();
  });
  afterAll(() => packages.remove());
  const start = useEditor({
    files: {},
    prepare: (workspaceDir) => {
      cpSync(path.join(repositoryDir, 'test/fixtures/ownServices/express'), workspaceDir, { recursive: true });
      symlinkSync(path.join(repositoryDir, '.cache/nodeProbe/node_modules'), path.join(workspaceDir, 'node_modules'), 'junction');
    },
  });

  it('is started only when that was agreed to, and declared by the ticks that were left', { timeout: 180_000 }, async () => {
    const { window, workspaceDir } = start();
    await window.runCommand('Benchside: Add a Target');
    const asked = await waitFor(() => window.dialogText(), { timeoutMs: 60_000, what: 'the dialog' });
    expect(asked).toContain('shop: node src/server.js');
    await window.pressDialogButton('Start and Look');
    await window.quickInput.waitForOpen('Found, and How It Is Known', 90_000);
    const rows = await window.quickInput.rows();
    expect(rows.find(({ label }) => label === 'GET /v1/orders/:id')?.description).toBe('src/orders.js:5');
    await window.picture('own-service-ticks');
    await window.quickInput.accept();
    await window.waitForNotification(/Found shop/);
    const text = readFileSync(path.join(workspaceDir, 'benchside.json'), 'utf8');
    expect(text).toContain('the pool of pg was 13 when it was 13');
    expect(text).toContain('{ "path": "/v1/orders/:id", "parameters": { "id": { "min": 1, "max": 5000 } } }');
  });

  it(
    'comes first while it is not declared, and is measured without a further question once it is set up',
    { timeout: 180_000 },
    async () => {
      const editor = start();
      const { window, workspaceDir } = editor;
      rmSync(path.join(workspaceDir, 'benchside.json'));
      await window.openContainer('Benchside');
      const found = await waitFor(async () => (await window.treeRows('Targets')).find(({ label }) => label === 'shop'), {
        timeoutMs: 60_000,
        what: 'the row of the service',
      });
      expect(found.description).toMatch(/^about \d+ s to set up$/);
      expect((await window.treeRows('Targets'))[0]?.label).toBe('This folder');
      expect(await window.welcomeText('Results')).toContain('This folder has a service');
      await window.pictures('own-service');
      await window.runCommandFor('Benchside: Run Benchmark', 'Run Benchmark');
      const rows = await window.quickInput.rows();
      expect(rows[0]).toMatchObject({ label: 'shop', checked: true });
      expect(rows.slice(1).filter(({ checked }) => checked)).toEqual([]);
      await window.quickInput.cancel();

      await window.treeRow('Targets', 'shop').click();
      await waitFor(() => window.dialogText(), { timeoutMs: 60_000, what: 'the dialog' });
      await window.pressDialogButton('Start and Look');
      await window.quickInput.waitForOpen('Found, and How It Is Known', 90_000);
      await window.quickInput.accept();
      await editor.untilBusy(90_000);
      expect(await window.quickInput.isOpen()).toBe(false);
      await expect.poll(async () => (await editor.panel()).locator('benchside-status .message').innerText()).not.toBe('');
      await window.runCommand('Benchside: Stop Everything');
      await editor.untilIdle(60_000);
    },
  );
});
