import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { startVsCode, vsix } from '../../editor/support/vscodeServer.ts';
import { WorkbenchPage } from '../../editor/support/workbenchPage.ts';
import { waitFor } from '../../support/waitFor.ts';
import type { FirstResult } from './firstResults.ts';
import type { FirstService } from './firstServices.ts';

const patienceMs = 300_000;
/** Counting takes the start of an instance and a request. */
const countPatienceMs = 60_000;
const recordSchema = z.object({ trials: z.array(z.object({ warmUp: z.object({ durationMs: z.number() }).nullable() })) });

/** Opens a service in a fresh VS Code, has it set up and measured by the least that a person does, and saves one of its files. */
export async function tryFirst(id: string, { title, name, source, make }: FirstService): Promise<FirstResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'benchside-first-'));
  make(folder);
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  const server = await startVsCode({ workspaceDir: folder, vsix: [vsix] });
  const window = await WorkbenchPage.launch(server);
  try {
    await window.open();
    await window.openContainer('Benchside');
    const first = await measured(window, name);
    const save = await counted(window, name, source);
    return { service: id, title, ...first, warmUpS: longestWarmUp(folder), ...save, load: Math.round(load * 10) / 10 };
  } catch (error) {
    await window.screenshot(`first-minutes-${id}`);
    throw error;
  } finally {
    await window.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Measured = Pick<FirstResult, 'decisions' | 'setUpS' | 'figuresS' | 'answerS' | 'endS' | 'answer'>;

async function measured(window: WorkbenchPage, name: string): Promise<Measured> {
  const isBusy = async (): Promise<boolean> => /Benchside:/.test(await window.statusBarText());
  await waitFor(async () => (await window.treeRows('Targets')).find(({ label }) => label === name), {
    timeoutMs: patienceMs,
    what: `the row of ${name}`,
  });
  let decisions = 0;
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
  const decide = async (step: Promise<unknown>): Promise<void> => {
    await step;
    decisions += 1;
  };
  await decide(window.treeRow('Targets', name).click());
  await waitFor(() => window.dialogText(), { timeoutMs: patienceMs, what: 'the question' });
  await decide(window.pressDialogButton('Start and Look'));
  await window.quickInput.waitForOpen('Found, and How It Is Known', patienceMs);
  await decide(window.quickInput.accept());
  await waitFor(isBusy, { timeoutMs: patienceMs, everyMs: 50, what: 'the run begins' });
  const setUpS = seconds();
  const page = await window.panelFrame('benchside.benchside');
  const text = async (selector: string, at = 0): Promise<string> => {
    const one = page.locator(selector).nth(at);
    return (await one.count()) === 0 ? '' : (await one.innerText()).trim();
  };
  // The second figure of the run in progress: requests/s, a dash until there is load.
  const hasFigures = async (): Promise<boolean> => /[1-9]/.test(await text('benchside-while-it-runs dl.now dd', 1));
  const answer = async (): Promise<string | undefined> => {
    const line = await text('.headline');
    return /\d/.test(line) ? line : undefined;
  };
  let figuresS: number | null = null;
  const told = await waitFor(
    async () => {
      const line = await answer();
      if (figuresS === null && (line !== undefined || (await hasFigures()))) figuresS = seconds();
      return line;
    },
    { timeoutMs: patienceMs, everyMs: 250, what: 'an answer' },
  );
  const answerS = seconds();
  await waitFor(async () => !(await isBusy()), { timeoutMs: patienceMs, everyMs: 100, what: 'the run ends' });
  return { decisions, setUpS, figuresS: figuresS ?? answerS, answerS, endS: seconds(), answer: told };
}

/** Nothing where no counts came in time: what was measured before stays known. */
async function counted(window: WorkbenchPage, name: string, source: string): Promise<Pick<FirstResult, 'countS' | 'counts'>> {
  try {
    return await countedOnSave(window, name, source);
  } catch (error) {
    console.log(`No counts of ${name}: ${String(error)}`);
    await window.screenshot(`first-minutes-counts-${name}`);
    return { countS: null, counts: null };
  }
}

async function countedOnSave(window: WorkbenchPage, name: string, source: string): Promise<{ countS: number; counts: string }> {
  await window.openContainer('Benchside');
  const state = async (): Promise<string> => (await window.treeRows('Targets')).find(({ label }) => label === name)?.description ?? '';
  await waitFor(async () => /stopped/.test(await state()), { timeoutMs: patienceMs, what: `${name} is stopped` });
  await window.pressRowAction('Targets', name, 'Start');
  await waitFor(async () => /running/.test(await state()), { timeoutMs: patienceMs, what: `${name} runs` });
  await window.openFile(path.basename(source));
  const { page } = window;
  await page.locator('.codelens-decoration').first().waitFor();
  const code = page.locator('.monaco-editor .view-lines').first();
  await code.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('\n');
  await page.keyboard.press('ControlOrMeta+s');
  const savedAt = performance.now();
  const shown = async (): Promise<string | undefined> =>
    /(?:⚠ )?\d+ statements?(?:, \d+ rows?)?/.exec((await code.innerText()).replaceAll('\u00a0', ' '))?.[0];
  const counts = await waitFor(shown, { timeoutMs: countPatienceMs, everyMs: 50, what: 'the counts' });
  return { countS: Math.round((performance.now() - savedAt) / 100) / 10, counts };
}

/** Of the run that the folder has. */
function longestWarmUp(folder: string): number | null {
  const runs = path.join(folder, '.benchside', 'runs');
  const [id] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  if (id === undefined) return null;
  const { trials } = recordSchema.parse(JSON.parse(readFileSync(path.join(runs, id, 'run.json'), 'utf8')));
  const times = trials.flatMap(({ warmUp }) => (warmUp === null ? [] : [warmUp.durationMs / 1000]));
  return times.length === 0 ? null : Math.round(Math.max(...times) * 10) / 10;
}
