import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { startVsCode } from './support/vscodeServer.ts';
import type { VsCodeServer } from './support/vscodeServer.ts';
import { WorkbenchPage } from './support/workbenchPage.ts';

const vsix = path.resolve(import.meta.dirname, '../../.cache/benchside.vsix');
const extensionId = 'benchside.benchside';

interface StoredRun {
  study: { study: { id: string }; points: { arm: string; level: number; limit: string | null; valid: boolean }[] } | null;
}

describe('Published experiments in a real VS Code', () => {
  let workspaceDir: string;
  let server: VsCodeServer;
  let window: WorkbenchPage;

  beforeAll(async () => {
    workspaceDir = await mkdtemp(path.join(tmpdir(), 'benchside-e2e-'));
    await writeFile(path.join(workspaceDir, 'benchside.json'), '{}');
    server = await startVsCode({ workspaceDir, vsix: [vsix] });
    window = await WorkbenchPage.launch(server);
    await window.open();
  }, 600_000);

  afterAll(async () => {
    await window?.close();
    await server?.stop();
    if (workspaceDir) await rm(workspaceDir, { recursive: true, force: true });
  });

  afterEach(async (context) => {
    if (context.task.result?.state === 'fail') await window.screenshot(`failed-${context.task.name.replace(/\W+/g, '-').slice(0, 60)}`);
    expect(window.cspViolations()).toEqual([]);
  });

  const panel = (): Promise<FrameLocator> => window.panelFrame(extensionId);

  function runs(): StoredRun[] {
    const folder = path.join(workspaceDir, '.benchside', 'runs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name, 'run.json'), 'utf8')) as StoredRun);
  }

  it('are listed with what they ask and what they need', { timeout: 120_000 }, async () => {
    await window.runCommand('Benchside: Show Experiments');
    const frame = await panel();
    await frame.getByText('The suspicious sign').first().waitFor({ timeout: 60_000 });
    await frame.getByText('Stack Wars').first().waitFor();
    await window.pictures('studies-list');
  });

  it('find the pool of two behind the suspicious sign, and lead to the fix by a click', { timeout: 300_000 }, async () => {
    const frame = await panel();
    await frame.getByRole('button', { name: 'Run C1', exact: true }).click();
    await frame
      .getByText(/Measuring/)
      .first()
      .waitFor({ timeout: 90_000 });
    await window.screenshot('study-running');
    await waitFor(() => runs().length === 1, { timeoutMs: 200_000, everyMs: 250, what: 'the experiment is stored' });
    const { study } = runs()[0] ?? {};
    expect(study?.study.id).toBe('C1');
    const valid = (study?.points ?? []).filter((point) => point.valid);
    // A machine that takes its CPU away voids what it disturbs, and may leave nothing.
    for (const point of valid) expect(point.limit).toBe('outbound-pool');
    await frame.getByText('Published').first().waitFor();
    await frame.getByText('Measured here').first().waitFor();
    await window.pictures('study-page');
    const next = frame.getByRole('button', { name: /C2/ }).first();
    await next.click();
    await frame
      .getByText(/Warming up|Measuring/)
      .first()
      .waitFor({ timeout: 90_000 });
    await frame.getByRole('button', { name: 'Cancel' }).first().click();
    await waitFor(async () => !(await window.statusBarText()).includes('Benchside:'), { timeoutMs: 30_000, what: 'the experiment ends' });
    expect(runs()).toHaveLength(1);
  });
});
