import { recorded } from '../support/recorded.ts';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FromPanel, ToPanel } from '../../src/model/protocol/panel.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { exampleRun, exampleRunId } from '../support/runRecords.ts';
import {
  exampleDiagnosis,
  exampleLadderExperiment,
  exampleListedExperiments,
  exampleExperiment,
  exampleExperimentFile,
  exampleTimeExperiment,
} from '../support/experimentRecords.ts';
import { waitFor } from '../support/waitFor.ts';
import { exampleCatalog, exampleForm } from '../unit/webview/examples.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { resultOf } from '../support/resultOf.ts';

const root = path.resolve(import.meta.dirname, '../..');
const nonce = 'studiesnonce0123456789';
const hostile = '<img src=x onerror="window.hacked=1">';
const runId = 'mb2k9x1a-fedcba9876543210fedcba98';
const chosen: ToPanel = { type: 'form', form: exampleForm, revision: 1 };
const catalog: ToPanel = { type: 'catalog', catalog: exampleCatalog, trusted: true, hasWorkspace: true };
const experiments: ToPanel = { type: 'experiments', experiments: exampleListedExperiments(exampleRunId), problems: [] };
const summary: Extract<ToPanel, { type: 'runs' }>['runs'][number] = {
  kind: 'run',
  id: exampleRunId,
  title: 'C1',
  startedAt: '2025-06-02T14:02:09.000Z',
  state: 'complete',
  valid: true,
  reasons: [],
  headline: 'C1',
  targets: ['java'],
  recordings: [],
  marks: { name: null, tags: [], baseline: false },
  againstBaseline: null,
  tuned: false,
  experimentId: 'C1',
  takenPercent: null,
};
const start: ToPanel[] = [chosen, catalog, { type: 'runs', runs: [summary] }, { type: 'runEvents', events: [], replay: true }];

type PanelWindow = Window & { sent: FromPanel[]; violations: string[]; hacked?: number };

/** The stored run of a study; each step of C has a next one. */
function storedExperiment(id = 'C1', then: string | undefined = 'C2'): RunRecord {
  const { record, trials } = exampleExperiment();
  return exampleRun({
    id: runId,
    title: id,
    trials,
    recommendations: [],
    result: { ...record, experiment: exampleExperimentFile({ id, then }) },
  });
}

describe('the experiments in the Workbench, in Chromium under the policy of the editor', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const wrong: string[] = [];

  beforeAll(async () => {
    const bundled = (entry: string, format: 'esm' | undefined): ReturnType<typeof build> =>
      build({
        entryPoints: [path.join(root, entry)],
        bundle: true,
        target: 'es2022',
        write: false,
        legalComments: 'none',
        logLevel: 'error',
        ...(format === undefined ? {} : { format }),
      });
    const [script, style] = await Promise.all([
      bundled('webview/workbench/main.ts', 'esm'),
      bundled('webview/workbench/workbench.css', undefined),
    ]);
    const policy = `default-src 'none'; img-src 'self' data:; style-src 'self' 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
    const answers: Record<string, [string, string | undefined]> = {
      '/view.js': ['text/javascript', script.outputFiles?.[0]?.text],
      '/view.css': ['text/css', style.outputFiles?.[0]?.text],
      '/': ['text/html', pageText],
    };
    server = createServer((request, response) => {
      const [type, text] = answers[request.url ?? ''] ?? ['text/plain', undefined];
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': policy }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
  });
  afterEach(async () => {
    const seen = await page.evaluate(() => {
      const { violations, hacked } = window as unknown as PanelWindow;
      return { violations, hacked: hacked ?? null };
    });
    await page.close();
    expect(seen).toEqual({ violations: [], hacked: null });
    expect(wrong.splice(0)).toEqual([]);
  });

  async function open(...messages: ToPanel[]): Promise<void> {
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.getByRole('tab', { name: 'Experiments' }).waitFor();
    for (const message of [...start, ...messages]) await send(message);
  }
  const send = (message: ToPanel): Promise<void> => page.evaluate((told) => window.postMessage(told, '*'), message);
  const all = (): Promise<FromPanel[]> => page.evaluate(() => (window as unknown as PanelWindow).sent);
  const sent = async (type: FromPanel['type']): Promise<FromPanel[]> => (await all()).filter((message) => message.type === type);
  const sentOnce = (type: FromPanel['type'], count = 1): Promise<unknown> =>
    waitFor(async () => (await sent(type)).length === count, { what: `${type} is sent ${count} times` });

  it('lists them by publication with what is missing, and starts the short form or, from a menu, the full one', longTest, async () => {
    await open();
    await page.getByRole('tab', { name: 'Experiments' }).click();
    await sentOnce('listExperiments');
    await send(experiments);
    await page.getByText('Pool size 30, 60 and 90').waitFor();
    const row = (id: string): ReturnType<Page['locator']> => page.locator(`li[data-experiment=${id}]`);
    expect(await page.locator('section.publication h2').allInnerTexts()).toHaveLength(4);
    expect(await row('B3').innerText()).toMatch(/nginx is not on the PATH\. Install it/);
    expect(await row('B3').locator('vscode-button').first().getAttribute('disabled')).not.toBeNull();
    expect(await row('C1').innerText()).toMatch(/agrees[\s\S]*2 Jun 2025/);
    await row('C1').getByRole('button', { name: 'agrees' }).click();
    expect(await sent('openRun')).toEqual([{ type: 'openRun', id: exampleRunId }]);
    await row('C2').getByRole('button', { name: 'More ways to run C2' }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await sent('measure')).toMatchObject([{ type: 'measure', request: { kind: 'experiment', id: 'C2', form: 'full' } }]);
    await send({
      type: 'failure',
      failure: { code: 'internal', message: 'The document store did not start.', cure: 'Look into the log.' },
    });
    await page.getByRole('heading', { name: 'The document store did not start.' }).waitFor();
    await row('C2').getByRole('button', { name: 'Run C2', exact: true }).click();
    expect((await sent('measure')).at(-1)).toMatchObject({ type: 'measure', request: { kind: 'experiment', id: 'C2', form: 'short' } });
  });

  it('builds its page while one runs, with progress and a way to cancel', slowHalf, async () => {
    await open(experiments);
    await page.getByRole('tab', { name: 'Experiments' }).click();
    await page.getByRole('button', { name: 'Run C1', exact: true }).click();
    const { record, trials } = exampleExperiment();
    await send({ type: 'runEvents', replay: false, events: [{ type: 'started', runId, title: 'C1 · As it was', trials: [] }] });
    await page.getByText('The experiment is being prepared…').waitFor();
    const soFar = { ...record, points: record.points.slice(0, 2), shape: [], ladders: [], agrees: null, summary: 'Two of four levels.' };
    await send({
      type: 'runEvents',
      replay: false,
      events: [
        ...trials.slice(0, 2).map((trial) => ({ type: 'trial', runId, trial }) as const),
        { type: 'experiment', runId, doing: { code: 'blocks', count: 2 }, record: soFar },
        {
          type: 'phase',
          runId,
          phase: 'measure',
          doing: { code: 'connections', name: 'C1', connections: 100 },
          step: 3,
          steps: 4,
          elapsedMs: 9000,
          remainingMs: 3000,
        },
      ],
    });
    await page.getByText('Nothing to say yet').waitFor();
    expect(await page.locator('benchside-status .line').innerText()).toMatch(/C1: 100 connections\s+\d+ s elapsed · about \d+ s left/);
    const measured = page.getByRole('region', { name: 'Java · 2 client connections' });
    expect(await measured.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^10\s+402\s?± 8/),
      expect.stringMatching(/^50\s+411/),
      expect.stringMatching(/^100\s+–/),
      expect.stringMatching(/^150\s+–/),
    ]);
    expect(await page.locator('.verdictActions').count()).toBe(0);
    await page.getByText('← All experiments').click();
    await page.getByText('C1 · As it was is being measured.').waitFor();
    await page.getByRole('button', { name: 'Show It' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await sent('cancelRun')).toHaveLength(1);
    await send({
      type: 'runEvents',
      replay: false,
      events: [{ type: 'finished', runId, outcome: 'complete', stored: true, failure: null }],
    });
    await send({ type: 'run', run: storedExperiment() });
    await page.getByText('Agrees with the publication', { exact: true }).waitFor();
  });

  it('goes from C1 to C4 by clicks alone', slowHalf, async () => {
    await open(experiments, { type: 'run', run: storedExperiment() });
    const steps = ['C2', 'C3', 'C4'];
    for (const [index, id] of steps.entries()) {
      await page.getByRole('button', { name: `Apply the fix and run ${id}` }).click();
      await sentOnce('measure', index + 1);
      expect((await sent('measure')).at(-1)).toMatchObject({ type: 'measure', request: { kind: 'experiment', id, form: 'short' } });
      const { record } = exampleExperiment();
      await send({
        type: 'runEvents',
        replay: false,
        events: [
          { type: 'started', runId, title: id, trials: [] },
          { type: 'experiment', runId, doing: { code: 'blocks', count: 2 }, record },
          { type: 'finished', runId, outcome: 'complete', stored: true, failure: null },
        ],
      });
      const next = steps[index + 1];
      const run = storedExperiment(id, next);
      if (next === undefined) delete resultOf(run, 'experiment').experiment.then;
      await send({ type: 'run', run });
      await page.getByText(`${id} · “JavaEE vs NodeJS”`).waitFor();
    }
    expect(await page.getByRole('button', { name: /^Apply the fix/ }).count()).toBe(0);
  });

  it('shows published beside measured, the verdict with its evidence, and takes its actions', longTest, async () => {
    await open(experiments, { type: 'run', run: storedExperiment() });
    const published = page.getByRole('region', { name: 'Java servlet, default client pool' });
    await published.waitFor();
    expect(await published.locator('tbody tr').last().innerText()).toMatch(/150\s+3,506\s+42/);
    const verdict = page.locator('benchside-verdicts .card');
    expect(await verdict.innerText()).toMatch(/What limits Java · 150 connections\s+The outbound client pool is the limit/);
    expect(await verdict.locator('.evidence tbody tr').first().innerText()).toMatch(/\S\s+utilisation law.*\s+2\.0 of 2\s+≥ 95 %\s+yes/);
    const ruledOut = verdict.locator('summary').first();
    await ruledOut.focus();
    await page.keyboard.press('Enter');
    await verdict.getByText('collections take 1.2 % of the time').waitFor();
    await verdict.getByRole('button', { name: 'Find the size that is enough' }).click();
    const { trials } = exampleExperiment();
    expect(await sent('takeAction')).toMatchObject([{ type: 'takeAction', runId, trialKey: trials.at(-1)?.key, action: 1 }]);
    await page.getByText('Verdicts on the other 3 trials').click();
    await page.locator('.others > details > summary').first().click();
    await page.getByText('Can’t be sure').waitFor();
    expect(await page.locator('benchside-experiment-charts benchside-chart svg').first().isVisible()).toBe(true);
  });

  it('shows what does not agree, figures over time, success words and steps', slowHalf, async () => {
    const ladder = exampleLadderExperiment();
    await open(experiments, {
      type: 'run',
      run: exampleRun({ id: runId, trials: ladder.trials, recommendations: [], result: ladder.record }),
    });
    await page.getByText('Does not agree with the publication', { exact: true }).waitFor();
    expect(await page.locator('.rules li').allInnerTexts()).toHaveLength(6);
    expect(await page.locator('td.void').count()).toBe(2);
    const time = exampleTimeExperiment();
    await send({ type: 'run', run: exampleRun({ id: runId, trials: time.trials, recommendations: [], result: time.record }) });
    await page.getByText('Node: time until throughput was steady again is 6.4 s [4.9 s to 11 s]', { exact: true }).waitFor();
    await page.getByText('one of 2 instances killed').first().waitFor();
    expect(await page.getByRole('region', { name: 'Before against after' }).innerText()).toMatch(
      /\+338 %\s+4\.1 – 4\.6 times\s+< 0\.001\s+success/,
    );
    expect(await page.getByRole('region', { name: 'Steps of the roles' }).innerText()).toContain(
      'There was no cookie “session” in the answer.',
    );
  });

  it('is calm where nothing limits a trial, and gives the reasons where one is not valid, on the page of any run', slowHalf, async () => {
    const healthy = exampleDiagnosis({ kind: 'healthy', headline: 'Nothing limits it at this load.', actions: [], ruledOut: [] });
    const invalid = exampleDiagnosis({
      kind: 'invalid',
      headline: 'Nothing can be said.',
      explanation: '',
      evidence: [],
      actions: [],
      ruledOut: [],
    });
    const example = exampleRun();
    const trials = example.trials.map((trial, index) =>
      index === 2
        ? { ...trial, diagnosis: healthy }
        : index === 4
          ? { ...trial, diagnosis: invalid, valid: false, reasons: recorded('The disk was full.') }
          : trial,
    );
    await open({ type: 'run', run: { ...example, id: runId, trials } });
    await page.getByText('What limits each of the trials').click();
    for (const said of ['Nothing limits it at this load.', 'Nothing can be said.']) {
      await page.locator('benchside-verdicts summary').filter({ hasText: said }).click();
    }
    await page.locator('benchside-verdicts .calm').getByText('Nothing limits it at this load.').waitFor();
    expect(await page.locator('benchside-verdicts .reasons').innerText()).toBe('The disk was full.');
    expect((await page.locator('benchside-verdicts .headline').allInnerTexts()).map((text) => text.trim())).toEqual([
      'Nothing can be said.',
    ]);
  });

  it('fits 600 px and shows untrusted names as text', longTest, async () => {
    const { record, trials } = exampleExperiment();
    const experiment = exampleExperimentFile({ asks: hostile, title: hostile, notToday: hostile.repeat(20) });
    const diagnosis = exampleDiagnosis({
      headline: hostile,
      explanation: hostile,
      evidence: [{ what: hostile, value: hostile, threshold: hostile, met: true, source: hostile }],
    });
    const named = trials.map((trial) => ({ ...trial, targetLabel: hostile, diagnosis, valid: false, reasons: recorded(hostile) }));
    const run = exampleRun({
      id: runId,
      title: hostile,
      trials: named,
      recommendations: [],
      result: { ...record, experiment, summary: hostile },
    });
    await open(experiments, { type: 'run', run });
    await page.setViewportSize({ width: 600, height: 900 });
    await page.locator('benchside-experiment .agrees').waitFor();
    expect(await page.locator('benchside-experiment .summary').innerText()).toBe(hostile);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 600);
    await page.getByText('← All experiments').click();
    await page.getByText('Back to the experiment on show').waitFor();
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 600);
  });
});

const pageText = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta property="csp-nonce" content="${nonce}"><title>experiments</title>
<link rel="stylesheet" href="/view.css"><style nonce="${nonce}">:root { --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-descriptionForeground: #9d9d9d; --vscode-panel-border: #2b2b2b; --vscode-font-family: sans-serif; }</style></head>
<body class="vscode-dark"><script nonce="${nonce}">
  window.sent = []; window.violations = []; let kept;
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + (event.sample || event.blockedURI)));
  window.acquireVsCodeApi = () => ({ getState: () => kept, setState: (next) => { kept = next; }, postMessage: (message) => window.sent.push(message) });
</script><benchside-workbench></benchside-workbench><script type="module" nonce="${nonce}" src="/view.js"></script></body></html>`;
