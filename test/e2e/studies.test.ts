import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { useEditor } from './support/editor.ts';

interface StoredRun {
  study: { study: { id: string }; points: { arm: string; level: number; limit: string | null; valid: boolean }[] } | null;
}

describe('Published experiments in a real VS Code', () => {
  const start = useEditor({ files: { 'benchside.json': '{}' } });

  it('are listed with what they ask and what they need', { timeout: 120_000 }, async () => {
    const editor = start();
    await editor.window.runCommand('Benchside: Show Experiments');
    const frame = await editor.panel();
    await frame.getByText('The suspicious sign').first().waitFor({ timeout: 60_000 });
    await frame.getByText('Stack Wars').first().waitFor();
    await editor.window.pictures('studies-list');
  });

  it('find the pool of two behind the suspicious sign, and lead to the fix by a click', { timeout: 300_000 }, async () => {
    const editor = start();
    const frame = await editor.panel();
    await frame.getByRole('button', { name: 'Run C1', exact: true }).click();
    await frame
      .getByText(/Measuring/)
      .first()
      .waitFor({ timeout: 90_000 });
    await editor.window.screenshot('study-running');
    const stored = (): StoredRun[] => editor.runs<StoredRun>();
    await waitFor(() => stored().length === 1, { timeoutMs: 250_000, everyMs: 250, what: 'the experiment is stored' });
    const { study } = stored()[0] ?? {};
    expect(study?.study.id).toBe('C1');
    const valid = (study?.points ?? []).filter((point) => point.valid);
    // A machine that takes its CPU away voids what it disturbs, and may leave nothing.
    for (const point of valid) expect(point.limit).toBe('outbound-pool');
    await frame.getByText('Published').first().waitFor();
    await frame.getByText('Measured here').first().waitFor();
    await editor.window.pictures('study-page');
    const next = frame.getByRole('button', { name: /C2/ }).first();
    await next.click();
    await frame
      .getByText(/Warming up|Measuring/)
      .first()
      .waitFor({ timeout: 90_000 });
    await frame.getByRole('button', { name: 'Cancel' }).first().click();
    await editor.untilIdle(30_000);
    expect(stored()).toHaveLength(1);
  });
});
