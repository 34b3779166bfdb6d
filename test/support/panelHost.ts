import { readFileSync, readdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { panelHtml } from '../../src/extension/panel/panelHtml.ts';
import type { FromPanel, ToPanel } from '../../src/model/protocol/panel.ts';

const dist = path.resolve(import.meta.dirname, '../../dist/webview');
/** As in the editor: the page is of one origin, its parts of another, which answers with what a module needs. */
const openCors = { 'access-control-allow-origin': '*' };
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };
const nonce = 'c0ffee00c0ffee00';

/** What the page has sent, and what its policy refused. */
type PanelWindow = Window & { sent: FromPanel[]; violations: string[] };

/** Serves the Workbench's page under its policy in the editor, with a stub of VS Code in it. */
export class PanelHost {
  /** The parts that the page has asked for since it was opened, by their names. */
  asked: string[] = [];
  readonly #errors: string[] = [];
  readonly #parts: Server;
  readonly #host: Server;
  #browser: Browser | null = null;
  #page: Page | null = null;

  private constructor() {
    this.#parts = createServer((request, response) => {
      const name = path.basename(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
      this.asked.push(name);
      if (!readdirSync(dist).includes(name)) response.writeHead(404, openCors).end();
      else
        response
          .writeHead(200, { ...openCors, 'content-type': types[path.extname(name)] ?? 'text/plain' })
          .end(readFileSync(path.join(dist, name)));
    });
    this.#host = createServer((_request, response) => {
      const source = originOf(this.#parts);
      const html = panelHtml({
        cspSource: source,
        nonce,
        scriptUri: `${source}/workbench.js`,
        styleUri: `${source}/workbench.css`,
        flameScriptUri: `${source}/flame.js`,
      });
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
  }

  static async start(): Promise<PanelHost> {
    const host = new PanelHost();
    await listen(host.#parts);
    await listen(host.#host);
    host.#browser = await launchChromium();
    return host;
  }

  /** Opens the page, which receives these when it is ready. */
  async open(...messages: ToPanel[]): Promise<Page> {
    if (this.#browser === null) throw new Error('The browser was not started.');
    this.asked = [];
    const page = await this.#browser.newPage({ viewport: { width: 1200, height: 900 } });
    this.#page = page;
    page.on('pageerror', (error) => this.#errors.push(error.message));
    // What the editor gives to every page before it loads; scripts of the harness are not under the page's policy.
    await page.addInitScript((answers) => {
      const panel = window as unknown as PanelWindow & { acquireVsCodeApi: () => unknown };
      let state: unknown;
      panel.sent = [];
      panel.violations = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        panel.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`),
      );
      panel.acquireVsCodeApi = () => ({
        getState: () => state,
        setState: (next: unknown) => (state = next),
        postMessage: (message: FromPanel) => {
          panel.sent.push(message);
          if (message.type === 'ready') for (const answer of answers) window.postMessage(answer, '*');
        },
      });
    }, messages);
    await page.goto(originOf(this.#host));
    await page.getByRole('tab', { name: 'Tune' }).waitFor();
    return page;
  }

  async send(message: ToPanel): Promise<void> {
    await this.#page?.evaluate((told) => window.postMessage(told, '*'), message);
  }

  async sent(type: FromPanel['type']): Promise<FromPanel[]> {
    const all = (await this.#page?.evaluate(() => (window as unknown as PanelWindow).sent)) ?? [];
    return all.filter((message) => message.type === type);
  }

  /** Closes the page. Gives what its policy refused, and what it threw. */
  async closePage(): Promise<{ violations: string[]; errors: string[] }> {
    const violations = (await this.#page?.evaluate(() => (window as unknown as PanelWindow).violations)) ?? [];
    await this.#page?.close();
    this.#page = null;
    return { violations, errors: this.#errors.splice(0) };
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    this.#parts.close();
    this.#host.close();
  }
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
