import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { useEditor } from '../editor/support/editor.ts';

interface StoredRun {
  result: { experiment: { id: string }; points: { variant: string; level: number; limit: string | null; valid: boolean }[] };
}

const published = path.resolve(import.meta.dirname, '../../profiles/experiments/published');

/** C1 and C2 as the workspace has them: two levels instead of four, and short blocks. What limits them is the same after a second as after ten. */
function shortExperiments(workspaceDir: string): void {
  const folder = path.join(workspaceDir, 'profiles/experiments/published');
  mkdirSync(folder, { recursive: true });
  for (const [file, more] of [
    ['c1', { id: 'X1', then: 'X2' }],
    ['c2', { id: 'X2', then: undefined }],
  ] as const) {
    const experiment = JSON.parse(readFileSync(path.join(published, `${file}.json`), 'utf8')) as { shape: { rule: string }[] };
    const short = { kind: 'ladder', levels: [8, 24], rounds: 2, blockS: 1, settleS: 0.3 };
    const shape = experiment.shape.filter(({ rule }) => rule === 'limit');
    writeFileSync(path.join(folder, `${more.id}.json`), JSON.stringify({ ...experiment, ...more, short, shape }));
  }
}

describe('Published experiments in a real VS Code', () => {
  const start = useEditor({ files: { 'benchside.json': '{}' }, prepare: shortExperiments });

  it('find the pool of two behind the suspicious sign, and lead to the fix by a click', { timeout: 180_000 }, async () => {
    const editor = start();
    await editor.window.runCommand('Benchside: Show Experiments');
    const frame = await editor.panel();
    await frame.getByRole('button', { name: 'Run X1', exact: true }).click();
    await frame
      .getByText(/Measuring/)
      .first()
      .waitFor({ timeout: 90_000 });
    await editor.window.picture('experiment-running');
    const stored = (): StoredRun[] => editor.runs<StoredRun>();
    await waitFor(() => stored().length === 1, { timeoutMs: 120_000, everyMs: 250, what: 'the experiment is stored' });
    const experiment = stored()[0]?.result;
    expect(experiment?.experiment.id).toBe('X1');
    // CPU that other programs used discards no point, and whatever it did, two connections of 20 ms each are the limit.
    expect(experiment?.points.map(({ level, limit, valid }) => ({ level, limit, valid }))).toEqual([
      { level: 8, limit: 'outbound-pool', valid: true },
      { level: 24, limit: 'outbound-pool', valid: true },
    ]);
    await frame.getByText('Published').first().waitFor();
    await frame.getByText('Measured here').first().waitFor();
    await editor.window.pictures('experiment-page');
    const next = frame.getByRole('button', { name: /X2/ }).first();
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
