import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startVsCode } from '../e2e/support/vscodeServer.ts';
import type { VsCodeServer } from '../e2e/support/vscodeServer.ts';
import { WorkbenchPage } from '../e2e/support/workbenchPage.ts';
import { waitFor } from '../support/waitFor.ts';

const vsix = path.resolve(import.meta.dirname, '../../.cache/benchside.vsix');
const steps = ['C1', 'C2', 'C3', 'C4'];
/** One step: the experiment itself takes up to two minutes, on a machine that is busy more. */
const stepMs = 420_000;

interface StoredRun {
  state: string;
  study: {
    study: { id: string };
    form: string;
    points: { arm: string; limit: string | null; valid: boolean }[];
  } | null;
}

describe('The experiments from the suspicious sign to the heap, by clicks in a real VS Code', () => {
  let workspaceDir: string;
  let server: VsCodeServer;
  let window: WorkbenchPage;

  beforeAll(async () => {
    workspaceDir = await mkdtemp(path.join(tmpdir(), 'benchside-walk-'));
    await writeFile(path.join(workspaceDir, 'benchside.json'), '{}');
    server = await startVsCode({ workspaceDir, vsix: [vsix] });
    window = await WorkbenchPage.launch(server);
    await window.open();
    await window.runCommand('Benchside: Show Experiments');
    await (await panel()).getByText('The suspicious sign').first().waitFor({ timeout: 60_000 });
  }, 600_000);

  afterAll(async () => {
    await window?.close();
    await server?.stop();
    if (workspaceDir) await rm(workspaceDir, { recursive: true, force: true });
  });

  afterEach(async (context) => {
    if (context.task.result?.state === 'fail')
      await window.screenshot(`failed-walk-${context.task.name.replace(/\W+/g, '-').slice(0, 60)}`);
    expect(window.cspViolations()).toEqual([]);
  });

  const panel = (): Promise<FrameLocator> => window.panelFrame('benchside.benchside');

  /** The stored runs, oldest first. */
  function runs(): StoredRun[] {
    const folder = path.join(workspaceDir, '.benchside', 'runs');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.') && existsSync(path.join(folder, name, 'run.json')))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name, 'run.json'), 'utf8')) as StoredRun);
  }

  for (const [index, id] of steps.entries()) {
    it(
      `measures ${id}, shows it beside what was published, and ${id === 'C4' ? 'ends there' : 'leads to the next'}`,
      { timeout: stepMs },
      async () => {
        const frame = await panel();
        const asked = index === 0 ? new RegExp(`^Run ${id}$`) : new RegExp(`run ${id}`, 'i');
        await frame.getByRole('button', { name: asked }).first().click();
        await frame
          .getByText(/Warming up|Measuring/)
          .first()
          .waitFor({ timeout: 120_000 });
        if (index === 0) await window.pictures('walk-running');
        await waitFor(() => runs().length === index + 1, { timeoutMs: stepMs - 150_000, everyMs: 500, what: `${id} is stored` });
        const run = runs()[index];
        expect(run).toMatchObject({ state: 'complete', study: { form: 'short', study: { id } } });
        await frame.getByRole('heading', { name: new RegExp(`^${id} · `) }).waitFor();
        await frame.getByRole('button', { name: `Run ${id} again` }).waitFor();
        for (const heading of ['Published', 'Measured here', 'What makes it agree'])
          await frame.getByRole('heading', { name: heading }).waitFor();
        await window.pictures(`walk-${id.toLowerCase()}`);
        // A machine that takes its CPU away voids what it disturbs; what is left is limited by what was planted.
        const valid = run?.study?.points.filter((point) => point.valid && point.limit !== null) ?? [];
        if (id === 'C1') for (const point of valid) expect(point.limit).toBe('outbound-pool');
        const limits = frame.locator('benchside-verdicts .card');
        if ((await limits.count()) > 0) expect(await limits.first().innerText()).not.toMatch(/documentPool|heapMb|poolTimeoutMs/);
        const next = steps[index + 1];
        const onward = frame.locator('benchside-study .actions vscode-button').filter({ hasText: /Apply the fix and run|Run \w+ next/ });
        expect(await onward.allInnerTexts()).toEqual(next === undefined ? [] : [expect.stringContaining(next)]);
      },
    );
  }

  it('lists all four with how they ended, and opens each again', { timeout: 120_000 }, async () => {
    const frame = await panel();
    await frame.getByRole('button', { name: '← All experiments' }).click();
    for (const id of steps) await frame.locator(`li[data-study=${id}] .last .linkButton`).waitFor();
    await window.pictures('walk-list');
    await frame.locator('li[data-study=C2] .last .linkButton').click();
    await frame.getByRole('heading', { name: /^C2 · / }).waitFor();
  });
});
