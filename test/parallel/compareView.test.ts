import { recorded } from '../support/recorded.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLatencyHistogram, encodeLatencyHistogram, recordLatency } from '../../src/engine/load/latencyHistogram.ts';
import { compareStoredRuns } from '../../src/engine/runs/compareStoredRuns.ts';
import { RunStore } from '../../src/engine/runs/runStore.ts';
import { type Comparison, comparisonSchema } from '../../src/model/domain/comparison.ts';
import type { RunRecord, Trial } from '../../src/model/domain/run.ts';
import { exampleEnvironment, exampleRun, exampleTrial } from '../support/runRecords.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const root = path.resolve(import.meta.dirname, '../..');
const nonce = 'comparenonce0123456789';
const hostile = '<img src=x onerror="window.hacked=1">';

/** A trial with a probe's figures, whose latencies lie evenly between 0 and twice the median. */
function trialOf(pool: number, throughput: number, p99Ms: number): Trial {
  const timeBudget = {
    totalMs: p99Ms * 0.45,
    cpuMs: 0.1,
    poolWaitMs: p99Ms * 0.2,
    databaseMs: p99Ms * 0.1,
    heldIdleMs: p99Ms * 0.05,
    otherMs: p99Ms * 0.1 - 0.1,
  };
  return { ...exampleTrial({ settings: { pool }, throughput, p99Ms, rounds: 6 }), timeBudget };
}

async function storeRun(store: RunStore, run: Partial<RunRecord> & { trials: Trial[] }): Promise<string> {
  const id = store.newId();
  const writer = await store.begin(id);
  for (const [index, trial] of run.trials.entries()) {
    const histogram = createLatencyHistogram();
    for (let step = 1; step <= 20_000; step += 1) recordLatency(histogram, ((trial.latencyMs?.p99 ?? 1) * 1000 * step) / 19_800);
    trial.histogram = `latency-${index + 1}.hdr`;
    await writer.writeFile(trial.histogram, encodeLatencyHistogram(histogram));
  }
  await writer.commit(exampleRun({ recommendations: [], ...run, id }));
  return id;
}

interface ViewState {
  runs: unknown;
  chosen: { a: string; b: string; trialA?: string | undefined; trialB?: string | undefined };
  comparison: Comparison | null;
}

describe('the Compare view in Chromium', () => {
  let folder: string;
  let store: RunStore;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let [older, newer] = ['', ''];
  const wrong: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'benchside-compare-'));
    store = new RunStore(path.join(folder, '.benchside'));
    older = await storeRun(store, { title: hostile, trials: [trialOf(2, 2_012, 41), trialOf(4, 4_172, 17.5), trialOf(8, 7_885, 9.8)] });
    newer = await storeRun(store, {
      startedAt: '2025-06-02T15:02:09.000Z',
      trials: [trialOf(2, 2_930, 30), trialOf(4, 4_200, 17.4), trialOf(8, 7_600, 10.1)],
      environment: exampleEnvironment({ node: '22.1.0' }),
    });
    await store.mark(older, { name: 'before', tags: [], baseline: true });
    const { outputFiles } = await build({
      stdin: {
        contents:
          "import './webview/kit/page/withoutEval.ts'; import { registerToolkit } from './webview/kit/page/toolkit.ts'; registerToolkit(); import './webview/compare/compareView.ts';",
        resolveDir: root,
        loader: 'ts',
      },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      legalComments: 'none',
      logLevel: 'error',
    });
    const style = await build({
      entryPoints: [path.join(root, 'webview/workbench/workbench.css')],
      bundle: true,
      write: false,
      logLevel: 'error',
    });
    const policy = `default-src 'none'; img-src 'self' data:; style-src 'self' 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
    server = createServer((request, response) => {
      if (request.url === '/view.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(outputFiles[0]?.text);
      else if (request.url === '/view.css') response.writeHead(200, { 'content-type': 'text/css' }).end(style.outputFiles[0]?.text);
      else if (request.url === '/')
        response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(pageText);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => customElements.get('benchside-compare') !== undefined);
  });
  afterEach(async () => {
    expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([]);
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    await page.close();
    expect(wrong.splice(0)).toEqual([]);
  });

  async function show(state: Partial<ViewState>): Promise<void> {
    const all: ViewState & { canRun: boolean } = {
      runs: await store.list(),
      chosen: { a: '', b: '' },
      comparison: null,
      canRun: true,
      ...state,
    };
    await page.evaluate(async (given) => {
      const view = document.querySelector('benchside-compare') as HTMLElement & { updateComplete: Promise<unknown> };
      Object.assign(view, given);
      await view.updateComplete;
    }, all);
  }

  async function showComparison(chosen: ViewState['chosen']): Promise<Comparison> {
    const comparison = comparisonSchema.parse(await compareStoredRuns(store, chosen));
    await show({ chosen, comparison });
    return comparison;
  }

  const sent = (): Promise<unknown[]> => page.evaluate(() => (window as unknown as { events: unknown[] }).events);

  it('says what differs, gives the verdict, and shows curves and time budgets of two stored runs', longTest, async () => {
    const comparison = await showComparison({ a: older, b: newer });
    expect(comparison.a.title).toBe('before');
    expect(comparison.rows.map((row) => [row.curves?.a.length, row.curves?.b.length].every((count) => (count ?? 0) > 50))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await page.locator('.differences').innerText()).toMatch(/Node\s+20\.20\.0\s+22\.1\.0/);
    expect(await page.locator('.headline').innerText()).toMatch(
      /^The run of .+ is faster in 1 of 3 settings \(java · pool 2: \+46\s%\); 2 are not decided\.$/,
    );
    expect(await page.locator('.caution').innerText()).toMatch(/^Read with care: Node differed\./);
    const top = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    expect(await top('.headline')).toBeLessThan(await top('.choose'));
    expect(await top('.choose')).toBeLessThan(await top('.differences'));
    await expectVisible('benchside-chart svg');
    expect(
      await page.locator('benchside-chart svg path[aria-label], benchside-chart svg g[aria-label=line] path').count(),
    ).toBeGreaterThanOrEqual(2);
    const budgets = await page.locator('benchside-time-budget svg.line').evaluateAll((lines) =>
      lines.map((line) => ({
        drawn: [...line.querySelectorAll('rect')].reduce((sum, part) => sum + Number.parseFloat(part.getAttribute('width') ?? ''), 0),
        told: Number.parseFloat(line.nextElementSibling?.textContent ?? ''),
      })),
    );
    expect(budgets.length).toBe(2);
    // The parts of a line are as long as the total at its end says.
    const longest = Math.max(...budgets.map(({ told }) => told));
    for (const { drawn, told } of budgets) expect(drawn).toBeCloseTo((told / longest) * 100, 0);
    expect(await page.locator('benchside-forest').count()).toBe(3);
  });

  it('compares two settings of one run, and measures them side by side on request', async () => {
    const [a, b] = [trialOf(2, 0, 1).key, trialOf(8, 0, 1).key];
    await showComparison({ a: older, b: older, trialA: a, trialB: b });
    expect(await page.locator('.headline').innerText()).toMatch(/^Pool 8 is 3\.9 times as fast as pool 2/);
    await page.getByText('Run both in 6 rounds').click();
    expect(await sent()).toEqual([
      {
        type: 'measure',
        request: {
          kind: 'run',
          targets: ['java'],
          settings: { pool: [2, 8] },
          load: 'steady',
          connections: [32],
          rounds: 6,
          route: '/ads/:id',
        },
      },
    ]);
  });

  it('has every chart as a table, reached by the keyboard', slowHalf, async () => {
    await showComparison({ a: older, b: older, trialA: trialOf(2, 0, 1).key, trialB: trialOf(8, 0, 1).key });
    const quantiles = page.locator('details.quantiles > summary');
    await quantiles.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details.quantiles table').innerText()).toMatch(/p99\s+41\.0\s+9\.80\s+−76 %/);
    const budget = page.locator('benchside-time-budget summary');
    await budget.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('benchside-time-budget table').innerText()).toMatch(/pool 2\s+0\.100\s+8\.20\s+4\.10/);
    expect(await page.locator('.rows table').innerText()).toMatch(/java · pool 2 → java · pool 8\s+2,012\s+7,885/);
  });

  it('looks closer at the setting that is chosen', slowHalf, async () => {
    await showComparison({ a: older, b: newer });
    const total = (): Promise<string> => page.locator('benchside-time-budget .total').first().innerText();
    expect(await total()).toBe('18.4 ms');
    await page.evaluate(() => {
      const select = document.querySelector('benchside-compare')?.shadowRoot?.querySelector('.closer benchside-select');
      select?.dispatchEvent(new CustomEvent('choose', { detail: 'java · pool 8' }));
    });
    await page.waitForFunction(() => {
      const budget = document.querySelector('benchside-compare')?.shadowRoot?.querySelector('benchside-time-budget');
      return budget?.shadowRoot?.querySelector('.total')?.textContent === '4.41 ms';
    });
  });

  it('offers the differential flame graph where both sides were recorded', slowHalf, async () => {
    const chosen = { a: older, b: older, trialA: trialOf(2, 0, 1).key, trialB: trialOf(8, 0, 1).key };
    const comparison = await compareStoredRuns(store, chosen);
    const recording = (id: string, trialKey: string): Comparison['a']['recordings'][number] => ({
      id,
      runId: older,
      title: '',
      startedAt: '2025-06-02T14:10:00.000Z',
      recorder: 'async-profiler',
      runtime: 'jvm',
      target: 'java',
      trialKey,
      events: ['cpu'],
      durationMs: 10_000,
    });
    comparison.a.recordings = [recording('first', chosen.trialA)];
    comparison.b.recordings = [recording('second', chosen.trialB)];
    await show({ chosen, comparison });
    await page.getByText('Differential flame graph').click();
    expect(await sent()).toEqual([{ type: 'compareRecordings', a: 'first', b: 'second' }]);
  });

  it('says what to do while nothing can be compared', async () => {
    const headline = (): Promise<string> => page.locator('.message h2').innerText();
    await show({});
    expect(await headline()).toBe('Choose two runs, or two settings of one run.');
    await show({ chosen: { a: older, b: 'mb2k9x1a-0123456789abcdef01234567' } });
    expect(await headline()).toBe('The run to compare with it is no longer there.');
    await show({ chosen: { a: older, b: older } });
    expect(await headline()).toBe('Both sides are the same run.');
    expect(await page.evaluate(() => (window as unknown as { posted: unknown[] }).posted)).toEqual([
      { type: 'compare', a: older, b: older },
    ]);
    await show({ chosen: { a: older, b: newer } });
    expect(await headline()).toBe('Comparing…');
    const apart = { a: older, b: newer, trialA: trialOf(2, 0, 1).key };
    await showComparison({ ...apart, trialB: trialOf(8, 0, 1).key });
    expect(await page.locator('.headline').innerText()).toMatch(/^Pool 8 is 3\.8 times as fast as pool 2/);
  });

  it('fits 600 px and shows untrusted names as text', async () => {
    await page.setViewportSize({ width: 600, height: 900 });
    const trials = [trialOf(2, 2_012, 41), trialOf(4, 4_172, 17.5)];
    const named = trials.map((trial) => ({ ...trial, target: hostile, targetLabel: hostile, key: trial.key.replace('java', 'x') }));
    const other = await storeRun(store, { trials: named.map((trial) => ({ ...trial, valid: false, reasons: recorded(hostile) })) });
    const base = await storeRun(store, { trials: named });
    await showComparison({ a: base, b: other });
    expect(await page.locator('.headline').innerText()).toContain(`is not valid (${hostile})`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(600);
    await store.remove(other);
    await store.remove(base);
  });

  async function expectVisible(selector: string): Promise<void> {
    await page.locator(selector).first().waitFor({ state: 'visible' });
  }
});

const pageText = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta property="csp-nonce" content="${nonce}"><title>compare</title>
<link rel="stylesheet" href="/view.css"><style nonce="${nonce}">:root { --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-descriptionForeground: #9d9d9d; --vscode-panel-border: #2b2b2b; --vscode-font-family: sans-serif; }</style></head>
<body class="vscode-dark"><script nonce="${nonce}">
  window.events = []; window.posted = []; window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective + ' ' + (event.sample || event.blockedURI)));
  document.addEventListener('panel-ask', (event) => window.events.push(event.detail));
  window.acquireVsCodeApi = () => ({ getState: () => undefined, setState: () => undefined, postMessage: (message) => window.posted.push(message) });
</script><benchside-compare></benchside-compare><script type="module" nonce="${nonce}" src="/view.js"></script></body></html>`;
