import { describe, expect, it } from 'vitest';
import { useEditor } from '../editor/support/editor.ts';
import { waitFor } from '../support/waitFor.ts';

const steps = ['C1', 'C2', 'C3', 'C4'];
/** One step: the experiment itself takes up to two minutes, on a machine that is busy more. */
const stepMs = 420_000;

interface StoredRun {
  state: string;
  result: {
    experiment: { id: string };
    form: string;
    points: { variant: string; limit: string | null; valid: boolean }[];
  };
}

describe('The experiments from the suspicious sign to the heap, by clicks in a real VS Code', () => {
  const start = useEditor({ files: { 'benchside.json': '{}' } });

  it('are listed', { timeout: 120_000 }, async () => {
    const editor = start();
    await editor.window.runCommand('Benchside: Show Experiments');
    await (await editor.panel()).getByText('The suspicious sign').first().waitFor({ timeout: 60_000 });
  });

  for (const [index, id] of steps.entries()) {
    it(
      `measures ${id}, shows it beside what was published, and ${id === 'C4' ? 'ends there' : 'leads to the next'}`,
      { timeout: stepMs },
      async () => {
        const editor = start();
        const frame = await editor.panel();
        const asked = index === 0 ? new RegExp(`^Run ${id}$`) : new RegExp(`run ${id}`, 'i');
        await frame.getByRole('button', { name: asked }).first().click();
        await frame
          .getByText(/Warming up|Measuring/)
          .first()
          .waitFor({ timeout: 120_000 });
        if (index === 0) await editor.window.pictures('walk-running');
        await waitFor(() => editor.runs<StoredRun>().length === index + 1, {
          timeoutMs: stepMs - 150_000,
          everyMs: 500,
          what: `${id} is stored`,
        });
        const run = editor.runs<StoredRun>()[index];
        expect(run).toMatchObject({ state: 'complete', result: { kind: 'experiment', form: 'short', experiment: { id } } });
        await frame.getByRole('heading', { name: new RegExp(`^${id} · `) }).waitFor();
        await frame.getByRole('button', { name: `Run ${id} again` }).waitFor();
        for (const heading of ['Published', 'Measured here', 'What it was judged by'])
          await frame.getByRole('heading', { name: heading, exact: true }).waitFor();
        await editor.window.pictures(`walk-${id.toLowerCase()}`);
        // CPU that other programs used discards no point, and each has a verdict.
        const points = run?.result.points ?? [];
        expect(points.length).toBeGreaterThanOrEqual(4);
        expect(points.filter(({ limit, valid }) => limit === null || !valid)).toEqual([]);
        if (id === 'C1') expect(points.map(({ limit }) => limit)).toEqual(points.map(() => 'outbound-pool'));
        expect(await frame.locator('benchside-verdicts .card').first().innerText()).not.toMatch(/documentPool|heapMb|poolTimeoutMs/);
        const next = steps[index + 1];
        const onward = (name: RegExp): Promise<number> =>
          frame.locator('benchside-experiment .actions').getByRole('button', { name }).count();
        expect(await onward(/Apply the fix and run|Run \w+ next/)).toBe(next === undefined ? 0 : 1);
        if (next !== undefined) expect(await onward(new RegExp(`Apply the fix and run ${next}|Run ${next} next`))).toBe(1);
      },
    );
  }

  it('lists all four with how they ended, and opens each again', { timeout: 120_000 }, async () => {
    const editor = start();
    const frame = await editor.panel();
    await frame.getByRole('button', { name: '← All experiments' }).click();
    for (const id of steps) await frame.locator(`li[data-experiment=${id}] .last .linkButton`).waitFor();
    await editor.window.pictures('walk-list');
    await frame.locator('li[data-experiment=C2] .last .linkButton').click();
    await frame.getByRole('heading', { name: /^C2 · / }).waitFor();
  });
});
