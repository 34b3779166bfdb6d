import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { launchChromium } from './chromium.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { FlameTestPage } from '../unit/flame/graph/page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const address = 'http://flame.test/';
const html = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="palette.css"><link rel="stylesheet" href="host.css"></head>
<body class="vscode-dark"><script src="page.js"></script></body></html>`;
const hostStyle = `html, body { height: 100%; margin: 0; }
  html { --vscode-editor-background: #1f1f1f; --vscode-foreground: #cccccc; --vscode-editor-font-family: monospace; --vscode-font-family: sans-serif; }
  body { display: flex; flex-direction: column; } benchside-flame-graph { flex: 1 1 0; }`;

declare const window: { flame: FlameTestPage };

/** A page in Chromium with a flame graph and nothing else, of today's sources. */
export class FlamePage {
  #browser: Browser | undefined;
  #page: Page | undefined;
  #script = '';
  readonly #problems: string[] = [];

  /** The page that was opened last. */
  get page(): Page {
    if (this.#page === undefined) throw new Error('no page was opened');
    return this.#page;
  }

  async launch(): Promise<void> {
    const bundled = await build({
      absWorkingDir: root,
      entryPoints: ['test/unit/flame/graph/page.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
    });
    this.#script = bundled.outputFiles[0]!.text;
    this.#browser = await launchChromium();
  }

  async end(): Promise<void> {
    await this.#browser?.close();
  }

  async open(width = 900, height = 600, reducedMotion: 'reduce' | 'no-preference' = 'reduce'): Promise<void> {
    if (this.#browser === undefined) throw new Error('the browser was not started');
    const context = await this.#browser.newContext({ viewport: { width, height }, reducedMotion });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(message.text());
    });
    page.on('pageerror', (error) => this.#problems.push(error.message));
    const files: Record<string, { body: string; contentType: string }> = {
      '/': { body: html, contentType: 'text/html' },
      '/page.js': { body: this.#script, contentType: 'text/javascript' },
      '/palette.css': { body: readFileSync(path.join(root, 'webview/flame/graph/palette.css'), 'utf8'), contentType: 'text/css' },
      '/host.css': { body: hostStyle, contentType: 'text/css' },
    };
    await page.route(`${address}**`, (route) => {
      const file = files[new URL(route.request().url()).pathname];
      const headers = {
        'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'",
      };
      return route.fulfill(file === undefined ? { status: 204 } : { ...file, headers });
    });
    await page.goto(address);
    this.#page = page;
  }

  /** Closes the page, in which nothing may have gone wrong. */
  async close(): Promise<void> {
    await this.#page?.context().close();
    expect(this.#problems.splice(0)).toEqual([]);
  }

  showJava(): Promise<void> {
    return this.page.evaluate(async () => {
      window.flame.show(window.flame.java());
      await window.flame.drawn();
    });
  }

  /** Number of the box of this function, and the middle of it in the window. */
  find(name: string): Promise<{ box: number; x: number; y: number }> {
    return this.page.evaluate((wanted) => {
      const { graph } = window.flame;
      const { layout, names } = graph;
      if (!layout || !names) throw new Error('Nothing is shown.');
      const box = layout.func.findIndex((func) => names.name[func]?.endsWith(wanted) === true);
      return { box, ...graph.pointOfBox(box) };
    }, name);
  }

  /** The colour drawn at a point of the window. */
  pixel(x: number, y: number): Promise<number[]> {
    return this.page.evaluate(
      ([left, top]) => {
        const canvas = window.flame.graph.shadowRoot!.querySelector<HTMLCanvasElement>('.sheet canvas')!;
        const bounds = canvas.getBoundingClientRect();
        return [
          ...canvas
            .getContext('2d')!
            .getImageData(left! - bounds.left, top! - bounds.top, 1, 1)
            .data.slice(0, 3),
        ];
      },
      [x, y],
    );
  }

  /** What events of that type have told. */
  events(type: string): Promise<unknown[]> {
    return this.page.evaluate((wanted) => window.flame.events.filter((event) => event.type === wanted).map(({ detail }) => detail), type);
  }

  viewport(): Promise<{ fromX: number; toX: number; scrollY: number }> {
    return this.page.evaluate(() => window.flame.graph.viewport);
  }

  /** Waits until all is drawn. */
  settle(): Promise<void> {
    return this.page.evaluate(() => window.flame.drawn());
  }

  /** The text of a part of the graph. */
  inGraph(selector: string): Promise<string> {
    return this.page.evaluate((wanted) => window.flame.graph.shadowRoot!.querySelector<HTMLElement>(wanted)!.innerText, selector);
  }
}

/** One browser for all tests of a file, and a new page for each, by hooks. */
export function useFlamePage(): FlamePage {
  const flame = new FlamePage();
  beforeAll(() => flame.launch());
  afterAll(() => flame.end());
  beforeEach(() => flame.open());
  afterEach(() => flame.close());
  return flame;
}
