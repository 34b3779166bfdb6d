import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';
import { exampleAdvice } from '../support/adviceRecords.ts';
import { exampleRunId } from '../support/runRecords.ts';
import { exampleTuning } from '../support/tuningRecords.ts';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

/** A route that holds a connection for 5 ms: what a pool does to it needs no long blocks to be seen. */
const waiting = {
  name: 'steady',
  description: 'Stands for the bundled one: holds a connection while the database waits.',
  connections: 16,
  durationS: 1,
  settleS: 0.2,
  rounds: 2,
  warmUp: { minS: 0, maxS: 1, jvmMaxS: 2 },
  mix: [{ route: 'GET /wait?ms=5', weight: 1 }],
};

interface StoredRun {
  result: {
    answers: TuningAnswer[];
  };
  title: string;
  trials: { valid: boolean }[];
  plan: { mode: string };
}

/** A tuning that recommends a value, and an advice; both were stored earlier. */
function storeTuning(workspaceDir: string): void {
  store(workspaceDir, `runs/${exampleRunId}/run.json`, exampleTuning());
  const example = exampleAdvice();
  store(workspaceDir, `advice/${example.id}/advice.json`, {
    ...example,
    advice: { ...example.advice, target: 'node', targetLabel: 'Node' },
  });
}

function store(workspaceDir: string, file: string, record: unknown): void {
  const place = path.join(workspaceDir, '.benchside', file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify(record));
}

describe('Tuning in a real VS Code', longTest, () => {
  const start = useEditor({ files: { 'benchside.json': JSON.stringify({ loadProfiles: [waiting] }) }, prepare: storeTuning });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });

  const panel = (): Promise<FrameLocator> => editor.panel();
  const runs = (): StoredRun[] => editor.runs<StoredRun>();

  async function storedRuns(count: number, timeoutMs: number): Promise<StoredRun[]> {
    return waitFor(() => (runs().length >= count ? runs() : null), { timeoutMs, everyMs: 250, what: `${count} runs are stored` });
  }

  function field(frame: FrameLocator, label: string): Locator {
    return frame.locator('vscode-text-field').filter({ hasText: label }).locator('input').first();
  }

  it('applies the recommended value, which the form and the target then have', { timeout: 120_000 }, async () => {
    await window.runCommandFor('Benchside: Open Result', 'Open which run?');
    await window.quickInput.acceptFirst();
    const frame = await panel();
    await frame.getByRole('button', { name: 'Apply to Java' }).first().click();
    await frame.getByText('Applied: pool 8').first().waitFor();
    await window.waitForNotification(/pool size 8/i);
    await window.picture('tune-applied');
  });

  it('compares two settings of the run, and says how they differ', { timeout: 120_000 }, async () => {
    const frame = await panel();
    const compare = frame.getByRole('button', { name: /Compare with best/i });
    await compare.first().click();
    await frame.getByRole('tab', { name: 'Compare', exact: true }).waitFor();
    await frame
      .getByText(/throughput/i)
      .first()
      .waitFor({ timeout: 30_000 });
    await window.pictures('tune-compare');
  });

  it('shows what was found to help, applies a value of it and opens its SQL as text', { timeout: 120_000 }, async () => {
    await window.runCommand('Benchside: Open Workbench');
    const frame = await panel();
    await frame.getByRole('tab', { name: 'What would help' }).click();
    await frame.getByRole('heading', { name: 'Two changes together: 160 % more requests per second' }).waitFor();
    await window.pictures('advise-found');
    await frame.getByRole('button', { name: 'Apply pool 4 to Node' }).click();
    await frame.getByRole('button', { name: 'Applied: pool 4' }).waitFor();
    await window.waitForNotification(/Node starts with Pool size 4/i);
    await frame.getByRole('button', { name: 'Open the SQL' }).click();
    await waitFor(async () => (await window.tabTitles()).some((title) => title.includes('Proposed by Benchside')), {
      what: 'the SQL is open',
    });
    await window.picture('advise-sql');
    await window.closeEditor('Proposed by Benchside');
  });

  it(
    'looks for what helps from the palette, on its page, and keeps what was known when it is cancelled',
    { timeout: 240_000 },
    async () => {
      await window.runCommandFor('Benchside: What Would Help?', 'What would help which target?');
      await window.quickInput.pick('Node');
      const frame = await panel();
      await frame.getByRole('tab', { name: 'What would help (running)', selected: true }).waitFor({ timeout: 60_000 });
      await frame.getByRole('progressbar', { name: 'Budget spent' }).waitFor();
      await frame.getByRole('heading', { name: /^Screening/ }).waitFor({ timeout: 150_000 });
      await window.pictures('advise-running');
      await frame.getByRole('button', { name: 'Cancel', exact: true }).click();
      await editor.untilIdle(60_000);
      await frame.getByText('The search was cancelled:').first().waitFor();
      await window.picture('advise-cancelled');
    },
  );

  it('tunes the pool of the Node sample from the palette, with an answer that builds up', { timeout: 180_000 }, async () => {
    const before = runs().length;
    await window.runCommandFor('Benchside: Tune a Setting', 'Tune a Setting (1/4)');
    await window.quickInput.pick('Node');
    await window.quickInput.waitForOpen('Tune a Setting (2/4)');
    await window.quickInput.pick('Pool size');
    await window.quickInput.waitForOpen('Tune a Setting (3/4)');
    await window.quickInput.fill('64..2');
    await waitFor(async () => (await window.quickInput.message()) !== '', { what: 'an inverted range is refused' });
    await window.quickInput.fill('2, 4, 16');
    await window.quickInput.accept();
    await window.quickInput.waitForOpen('Tune a Setting (4/4)');
    await window.quickInput.fill('18 s');
    await window.quickInput.accept();
    const frame = await panel();
    await frame.getByRole('tab', { name: /Tune/ }).waitFor();
    const growing = frame.getByText(/Round [12]/).first();
    await growing.waitFor({ timeout: 120_000 });
    await window.pictures('tune-running');
    const run = (await storedRuns(before + 1, 120_000)).at(-1);
    expect(run?.plan.mode).toBe('live');
    expect(run?.result.answers[0]?.target).toBe('node');
    await frame.getByRole('heading', { name: 'Throughput', exact: true }).waitFor();
    const [answer] = run?.result.answers ?? [];
    if (answer === undefined) throw new Error('the tuning answers nothing');
    await frame
      .getByRole('heading', { name: answerHeadline(answer), exact: false })
      .first()
      .waitFor();
    await window.pictures('tune-answer');
    await frame.locator('benchside-figures').scrollIntoViewIfNeeded();
    await window.pictures('tune-table');
  });

  it('moves the pool while the load runs, and the throughput follows within seconds', { timeout: 180_000, ...slowHalf }, async () => {
    await window.runCommand('Benchside: Live: Move Settings under Load');
    const frame = await panel();
    await frame.getByRole('tab', { name: /Live/ }).click();
    await frame.locator('benchside-live-form').waitFor();
    await frame.locator('benchside-live-form').getByRole('button', { name: 'Start' }).click();
    const slider = frame.getByRole('slider', { name: /Pool size/ });
    await slider.waitFor({ timeout: 90_000 });
    const number = frame.getByRole('spinbutton', { name: 'Pool size' });
    const inForce = async (): Promise<string> => (await frame.locator('benchside-live-controls .state').first().innerText()).trim();
    const shown = frame.locator('benchside-live dl.figures div').filter({ hasText: 'requests/s' }).locator('dd');
    const throughput = async (): Promise<number> => Number(/[\d,]+(\.\d+)?/.exec(await shown.innerText())?.[0].replaceAll(',', '') ?? 0);
    // Each request holds a connection for 5 ms: no more than 200 a second come through one.
    const throughOne = 200;
    await number.fill('1');
    await number.press('Enter');
    await waitFor(async () => (await inForce()) === '1 is in force', { timeoutMs: 20_000, what: 'a pool of 1 is in force' });
    await waitFor(
      async () => {
        const now = await throughput();
        return now > 0 && now <= throughOne;
      },
      { timeoutMs: 30_000, what: 'the throughput of a pool of 1 is shown' },
    );
    await slider.focus();
    for (let presses = 0; presses < 4; presses += 1) await slider.press('PageUp');
    await waitFor(async () => /^([4-9]|\d\d+) is in force/.test(await inForce()), { timeoutMs: 20_000, what: 'a larger size is in force' });
    await waitFor(async () => (await throughput()) > throughOne, { timeoutMs: 30_000, what: 'the throughput follows' });
    await frame.getByRole('table').first().waitFor();
    await window.pictures('live-session');
    const before = runs().length;
    await frame.getByRole('button', { name: 'Keep as a run' }).click();
    await storedRuns(before + 1, 60_000);
    await frame.getByRole('button', { name: 'Stop' }).click();
    await editor.untilIdle(30_000);
    await window.picture('live-ended');
  });

  it('pins a run as the baseline, and names it', { timeout: 120_000 }, async () => {
    await window.runCommandFor('Benchside: Pin as Baseline', 'Pin which run as the baseline?');
    await window.quickInput.acceptFirst();
    await window.openContainer('Benchside');
    await waitFor(async () => (await window.treeRows('Results')).some(({ description }) => /baseline/i.test(description)), {
      timeoutMs: 20_000,
      what: 'the baseline is marked',
    });
    await window.picture('baseline');
  });

  it('tunes again from the panel with a budget in the form', { timeout: 120_000 }, async () => {
    const frame = await panel();
    await frame.getByRole('tab', { name: /Tune/ }).click();
    await frame.getByRole('button', { name: /^Change/ }).click();
    expect(await field(frame, 'Pool size').inputValue()).toContain('2');
    expect(await field(frame, 'Budget').inputValue()).not.toBe('');
    await frame.getByRole('button', { name: 'Run', exact: true }).click();
    await frame.getByRole('button', { name: 'Cancel' }).waitFor({ timeout: 30_000 });
    await frame.getByRole('button', { name: 'Cancel' }).click();
    await editor.untilIdle(30_000);
  });
});
