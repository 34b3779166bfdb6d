import { readdirSync, readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { panelHtml } from '../../../src/extension/panel/panelHtml.ts';
import { emptyForm } from '../../../src/model/presentation/emptyForm.ts';
import type { FromPanel, ToPanel } from '../../../src/model/protocol/panel.ts';
import { catalogSchema } from '../../../src/model/protocol/protocol.ts';
import type { RunRecord } from '../../../src/model/domain/run.ts';
import type { RunEvent } from '../../../src/model/protocol/runEvent.ts';
import { repositoryDir } from '../../support/engine.ts';

const dist = path.join(repositoryDir, 'dist', 'webview');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** The Workbench in Chromium: one page that stays open and receives every run, and others that are opened and closed in frames next to it. */
export class SoakedPanel {
  private constructor(
    private readonly browser: Browser,
    private readonly servers: readonly Server[],
    private readonly page: Page,
    private readonly inspector: CDPSession,
  ) {}

  static async start(): Promise<SoakedPanel> {
    const openCors = { 'access-control-allow-origin': '*' };
    const parts = createServer((request, response) => {
      const name = path.basename(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
      if (!readdirSync(dist).includes(name)) response.writeHead(404, openCors).end();
      else
        response
          .writeHead(200, { ...openCors, 'content-type': types[path.extname(name)] ?? 'text/plain' })
          .end(readFileSync(path.join(dist, name)));
    });
    await listening(parts);
    const host = createServer((request, response) => {
      const source = originOf(parts);
      const html = panelHtml({
        cspSource: source,
        nonce: 'c0ffee00c0ffee00',
        scriptUri: `${source}/workbench.js`,
        styleUri: `${source}/workbench.css`,
        flameScriptUri: `${source}/flame.js`,
      });
      const outside = '<!doctype html><title>soak</title>';
      response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/' ? outside : html);
    });
    await listening(host);
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    // Wide: the machine may be busy with other things.
    page.setDefaultTimeout(180_000);
    const fixture = readFileSync(path.join(repositoryDir, 'test', 'fixtures', 'catalogExample.json'), 'utf8');
    const answers: ToPanel[] = [
      { type: 'form', form: emptyForm, revision: 1 },
      { type: 'catalog', catalog: catalogSchema.parse(JSON.parse(fixture)), trusted: true, hasWorkspace: true },
      { type: 'runs', runs: [] },
    ];
    await page.addInitScript((told) => {
      let state: unknown;
      Object.assign(window, {
        acquireVsCodeApi: () => ({
          getState: () => state,
          setState: (next: unknown) => (state = next),
          postMessage: (message: FromPanel) => {
            if (message.type === 'ready') for (const answer of told) window.postMessage(answer, '*');
          },
        }),
      });
    }, answers);
    await page.goto(originOf(host));
    const inspector = await page.context().newCDPSession(page);
    await inspector.send('Performance.enable');
    const panel = new SoakedPanel(browser, [parts, host], page, inspector);
    await panel.#frame('lasting');
    return panel;
  }

  /** Tells the page that stays of a run, as the extension does, and looks at every view. */
  async follow(events: readonly RunEvent[], run: RunRecord): Promise<void> {
    await this.#tell('lasting', { type: 'runEvents', events: [...events], replay: false });
    await this.#tell('lasting', { type: 'run', run });
    await this.#look('lasting');
  }

  /** Opens a panel, shows it the run, looks at every view, and closes it. */
  async openAndClose(run: RunRecord): Promise<void> {
    await this.#frame('passing');
    await this.#tell('passing', { type: 'run', run });
    await this.#look('passing');
    await this.page.evaluate(() => document.getElementById('passing')?.remove());
  }

  /** MB of the heap of all frames after a collection, and how many nodes, documents and listeners are left of them. */
  async held(): Promise<{ heapMb: number; nodes: number; documents: number; listeners: number }> {
    for (let times = 0; times < 3; times += 1) await this.inspector.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.inspector.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heapMb: of('JSHeapUsedSize') / 2 ** 20, nodes: of('Nodes'), documents: of('Documents'), listeners: of('JSEventListeners') };
  }

  /** The heap of all frames, as Chromium's own tools read it. */
  async snapshot(): Promise<string> {
    const chunks: string[] = [];
    const onChunk = ({ chunk }: { chunk: string }): void => void chunks.push(chunk);
    this.inspector.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
    await this.inspector.send('HeapProfiler.takeHeapSnapshot', {});
    this.inspector.off('HeapProfiler.addHeapSnapshotChunk', onChunk);
    return chunks.join('');
  }

  async close(): Promise<void> {
    await this.browser.close();
    for (const server of this.servers) server.close();
  }

  async #frame(id: string): Promise<void> {
    await this.page.evaluate((name) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { id: name, name, src: '/panel', width: 1100, height: 800 });
      document.body.append(frame);
    }, id);
    await this.page.frameLocator(`#${id}`).getByRole('tab', { name: 'Tune' }).waitFor();
  }

  #tell(id: string, message: ToPanel): Promise<void> {
    return this.page.evaluate(
      ([name, told]) => (document.getElementById(name) as HTMLIFrameElement).contentWindow?.postMessage(told, '*'),
      [id, message] as const,
    );
  }

  async #look(id: string): Promise<void> {
    const frame = this.page.frameLocator(`#${id}`);
    for (const tab of await frame.getByRole('tab').all()) await tab.click();
    await frame.getByRole('tab', { name: 'Tune' }).click();
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
