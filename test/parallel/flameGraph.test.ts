import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import type { FlameTestPage } from '../unit/flame/graph/page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const address = 'http://flame.test/';
const html = `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="palette.css"><link rel="stylesheet" href="host.css"></head>
<body class="vscode-dark"><script src="page.js"></script></body></html>`;
const hostStyle = `html, body { height: 100%; margin: 0; }
  html { --vscode-editor-background: #1f1f1f; --vscode-foreground: #cccccc; --vscode-editor-font-family: monospace; --vscode-font-family: sans-serif; }
  body { display: flex; flex-direction: column; } benchside-flame-graph { flex: 1 1 0; }`;

declare const window: { flame: FlameTestPage };

let browser: Browser;
let page: Page;
let script: string;
const problems: string[] = [];

beforeAll(async () => {
  const bundled = await build({
    absWorkingDir: root,
    entryPoints: ['test/unit/flame/graph/page.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  script = bundled.outputFiles[0]!.text;
  browser = await chromium.launch({ executablePath: process.env['BENCHSIDE_CHROMIUM'] ?? '/usr/bin/chromium', args: flags });
});

afterAll(async () => {
  await browser?.close();
});

async function open(width = 900, height = 600, reducedMotion: 'reduce' | 'no-preference' = 'reduce'): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion });
  page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  const files: Record<string, { body: string; contentType: string }> = {
    '/': { body: html, contentType: 'text/html' },
    '/page.js': { body: script, contentType: 'text/javascript' },
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
}

beforeEach(async () => {
  problems.length = 0;
  await open();
  return async () => {
    await page.context().close();
    expect(problems).toEqual([]);
  };
});

const showJava = (): Promise<void> =>
  page.evaluate(async () => {
    window.flame.show(window.flame.java());
    await window.flame.drawn();
  });

/** Number of the box of this function, and the middle of it in the window. */
function find(name: string): Promise<{ box: number; x: number; y: number }> {
  return page.evaluate((wanted) => {
    const { graph } = window.flame;
    const { layout, names } = graph;
    if (!layout || !names) throw new Error('Nothing is shown.');
    const box = layout.func.findIndex((func) => names.name[func]?.endsWith(wanted) === true);
    return { box, ...graph.pointOfBox(box) };
  }, name);
}

/** The colour drawn at a point of the window. */
function pixel(x: number, y: number): Promise<number[]> {
  return page.evaluate(
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

const events = (type: string): Promise<unknown[]> =>
  page.evaluate((wanted) => window.flame.events.filter((event) => event.type === wanted).map(({ detail }) => detail), type);
const viewport = (): Promise<{ fromX: number; toX: number; scrollY: number }> => page.evaluate(() => window.flame.graph.viewport);
const settle = (): Promise<void> => page.evaluate(() => window.flame.drawn());
const inGraph = (selector: string): Promise<string> =>
  page.evaluate((wanted) => window.flame.graph.shadowRoot!.querySelector<HTMLElement>(wanted)!.innerText, selector);

describe('the flame graph in a browser', { timeout: 120_000 }, () => {
  it('draws each box where the layout says, in the colour of its kind', async () => {
    await showJava();
    const pool = await find('ConcurrentBag.borrow');
    // Off the label, near the right end of the box.
    expect(await pixel(pool.x + 80, pool.y)).toEqual([0xa2, 0x55, 0x8b]);
    const app = await find('AdsHandler.handle');
    expect(await pixel(app.x + 80, app.y)).toEqual([0xc4, 0x8c, 0x26]);
    expect(await pixel(880, pool.y)).toEqual([0x1f, 0x1f, 0x1f]);
  });

  it('selects and zooms to a clicked box, keeps its callers full width, and steps back with Escape', async () => {
    await showJava();
    const query = await find('PgPreparedStatement.executeQuery');
    await page.mouse.click(query.x, query.y);
    await settle();
    expect(await events('box-select')).toEqual([{ box: query.box }]);
    const zoomed = await viewport();
    expect(zoomed.toX - zoomed.fromX).toBeCloseTo(0.312, 6);
    const caller = await find('AdsHandler.handle');
    for (const x of [20, 450, 860]) expect(await pixel(x, caller.y - 8)).toEqual([0xc4, 0x8c, 0x26]);
    await page.keyboard.press('Escape');
    expect(await viewport()).toMatchObject({ fromX: 0, toX: 1 });
    expect(await inGraph('.details')).toContain('org.postgresql.jdbc.PgPreparedStatement.executeQuery');
  });

  it('opens the source on a double click although the first click moved the picture, and beside with Ctrl', async () => {
    await showJava();
    const render = await find('AdsHandler.render');
    await page.mouse.dblclick(render.x, render.y);
    expect(await events('box-open')).toEqual([{ box: render.box, beside: false }]);
    await page.evaluate(() => window.flame.graph.resetZoom());
    await settle();
    await page.keyboard.down('Control');
    await page.mouse.click(render.x, render.y);
    await page.keyboard.up('Control');
    expect(await events('box-open')).toContainEqual({ box: render.box, beside: true });
  });

  it('goes everywhere by keyboard and says where it is', async () => {
    await showJava();
    await page.evaluate(() => window.flame.graph.focus());
    const active = (): Promise<{ words: string | null; level: string | null; position: string | null; size: string | null }> =>
      page.evaluate(() => {
        const tree = window.flame.graph.shadowRoot!.querySelector('[role=tree]')!;
        const item = tree.querySelector(`#${tree.getAttribute('aria-activedescendant')}`)!;
        return {
          words: item.textContent,
          level: item.getAttribute('aria-level'),
          position: item.getAttribute('aria-posinset'),
          size: item.getAttribute('aria-setsize'),
        };
      });
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await settle();
    expect(await active()).toEqual({
      words: 'org.postgresql.jdbc.PgPreparedStatement.executeQuery, self 0 ns, total 312 ms, 31.2 %, 1 callee',
      level: '4',
      position: '2',
      size: '4',
    });
    await page.keyboard.press('Enter');
    const query = await find('PgPreparedStatement.executeQuery');
    expect(await events('box-open')).toEqual([{ box: query.box, beside: false }]);
    await page.keyboard.press('z');
    expect((await viewport()).fromX).toBeGreaterThan(0.5);
    await page.keyboard.press('Home');
    expect(await viewport()).toMatchObject({ fromX: 0, toX: 1 });
    await page.keyboard.press('+');
    expect((await viewport()).toX - (await viewport()).fromX).toBeCloseTo(1 / 1.5, 6);
    await page.keyboard.press('Shift+F10');
    const [menu] = (await events('box-menu')) as { box: number; x: number; y: number }[];
    expect(menu?.box).toBe(query.box);
    await page.keyboard.press('ArrowUp');
    await settle();
    expect((await active()).words).toContain('AdsHandler.handle');
  });

  it('zooms with Ctrl and the wheel at the pointer, pans by dragging, and resets by a double click on nothing', async () => {
    await showJava();
    const render = await find('AdsHandler.render');
    await page.mouse.move(render.x, render.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await waitFor(async () => (await viewport()).toX - (await viewport()).fromX < 0.7, { what: 'the view is closer' });
    await settle();
    expect(await page.evaluate(([x, y]) => window.flame.graph.boxAtPoint(x!, y!), [render.x, render.y])).toBe(render.box);
    const before = await viewport();
    await page.mouse.down();
    await page.mouse.move(render.x - 100, render.y, { steps: 4 });
    await page.mouse.up();
    await settle();
    const after = await viewport();
    expect((after.fromX - before.fromX) / (after.toX - after.fromX)).toBeCloseTo(
      100 / (await page.evaluate(() => window.flame.graph.visibleWidth)),
      3,
    );
    expect(await events('box-select')).toEqual([]);
    await page.mouse.dblclick(400, 480);
    await settle();
    expect(await viewport()).toMatchObject({ fromX: 0, toX: 1 });
  });

  it('moves by its overview, with pointer and keys', async () => {
    await showJava();
    await page.evaluate(() => (window.flame.graph.viewport = { fromX: 0, toX: 0.2, scrollY: 0 }));
    await settle();
    await page.mouse.click(450, 20);
    await settle();
    const middle = await viewport();
    expect((middle.fromX + middle.toX) / 2).toBeCloseTo(0.5, 1);
    await page.evaluate(() => window.flame.graph.shadowRoot!.querySelector<HTMLElement>('.minimap')!.focus());
    await page.keyboard.press('ArrowRight');
    expect((await viewport()).fromX).toBeCloseTo(middle.fromX + 0.02, 6);
    await page.keyboard.press('Home');
    expect(await viewport()).toMatchObject({ fromX: 0, toX: 1 });
  });

  it('shows names of any kind as text, in the label, the tooltip, the details and for screen readers', async () => {
    const hostile = ['</script><img src=x onerror=alert(1)>', '__proto__', `List<${'A, '.repeat(3400)}>`, 'פונקציה_ראשית'];
    for (const name of hostile) {
      await page.evaluate(async (wanted) => {
        window.flame.show(window.flame.calls([{ name: wanted, self: 10, file: wanted }]));
        await window.flame.drawn();
        window.flame.graph.selected = 1;
      }, name);
      await page.mouse.move(300, 5);
      await page.mouse.move(300, 80);
      await settle();
      expect((await inGraph('.tip .name')).replaceAll('…', '')).toBe(name.slice(0, 1000).trimEnd());
      expect(await inGraph('.details .name')).toContain(name.slice(0, 10));
      expect(await page.evaluate(() => window.flame.graph.shadowRoot!.querySelectorAll('img, script').length)).toBe(0);
    }
  });

  it('keeps the tooltip in a window of 600 pixels and off the pointer', async () => {
    await page.context().close();
    await open(600, 400);
    await showJava();
    for (const name of ['QueuedThreadPool.runJob', 'futex_wait', 'G1ParEvacuateFollowers', 'StringBuilder.append']) {
      const { x, y } = await find(name);
      await page.mouse.move(x, y);
      const tip = await page.evaluate(
        () => window.flame.graph.shadowRoot!.querySelector('.tip')!.getBoundingClientRect().toJSON() as DOMRect,
      );
      expect(tip.width).toBeGreaterThan(50);
      expect(tip.left >= 0 && tip.top >= 0 && tip.right <= 600 && tip.bottom <= 400).toBe(true);
      expect(x > tip.left && x < tip.right && y > tip.top && y < tip.bottom).toBe(false);
    }
  });

  it('fades what a search did not find and outlines what it found', async () => {
    await showJava();
    await page.evaluate(async () => {
      window.flame.graph.search = window.flame.searchFor('getConnection');
      await window.flame.drawn();
    });
    const found = await find('HikariPool.getConnection');
    expect(await pixel(found.x + 80, found.y)).toEqual([0x80, 0x93, 0xdc]);
    expect(await pixel(found.x + 80, found.y - 10)).toEqual([255, 255, 255]);
    const other = await find('ConcurrentBag.borrow');
    const [red = 0] = await pixel(other.x + 80, other.y);
    expect(red).toBeLessThan(0x60);
  });

  it('takes another theme at once, and does nothing while nothing changes', async () => {
    await showJava();
    await page.evaluate(() => {
      document.body.className = 'vscode-light';
      document.documentElement.style.setProperty('--vscode-editor-background', '#ffffff');
    });
    await settle();
    const app = await find('AdsHandler.handle');
    expect(await pixel(app.x + 80, app.y)).toEqual([0xec, 0xbe, 0x3a]);
    const frames = await page.evaluate(async () => {
      const before = window.flame.frames.length;
      for (let frame = 0; frame < 20; frame++) await window.flame.drawn();
      return window.flame.frames.length - before;
    });
    expect(frames).toBe(0);
  });

  it('draws a flame from the bottom up, and goes up to callees', async () => {
    await showJava();
    await page.evaluate(async () => {
      window.flame.graph.orientation = 'flame';
      await window.flame.drawn();
    });
    const caller = await find('AdsHandler.handle');
    const callee = await find('ConcurrentBag.borrow');
    expect(callee.y).toBeLessThan(caller.y);
    expect(await pixel(callee.x + 80, callee.y)).toEqual([0xa2, 0x55, 0x8b]);
    await page.evaluate(() => window.flame.graph.focus());
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    expect(await page.evaluate(() => window.flame.graph.selected)).toBe(caller.box);
  });

  it('colours a comparison by the change of self weight and hatches what one side lacks', async () => {
    await page.evaluate(async () => {
      window.flame.show(window.flame.compared());
      await window.flame.drawn();
    });
    const more = await find('futex_wait');
    const [red = 0, , blue = 0] = await pixel(more.x + 100, more.y);
    expect(red - blue).toBeGreaterThan(100);
    const gone = await find('Cache.refresh');
    const row = await Promise.all(Array.from({ length: 12 }, (_, index) => pixel(gone.x - 6 + index, gone.y + 8)));
    expect(new Set(row.map(String)).size).toBeGreaterThan(2);
    const legend = await page.evaluate(async () => {
      const made = document.createElement('benchside-flame-legend');
      made.layout = window.flame.graph.layout;
      document.body.append(made);
      await window.flame.drawn();
      return made.shadowRoot!.textContent;
    });
    expect(legend).toContain('less: −');
    expect(legend).toContain('more: +');
    expect(legend).toContain('in one recording only');
  });

  it('moves within 150 ms where motion is welcome, and ends exactly on the box', async () => {
    await page.context().close();
    await open(900, 600, 'no-preference');
    await showJava();
    const { box } = await find('PgPreparedStatement.executeQuery');
    const { frames, ends } = await page.evaluate(async (wanted) => {
      const { flame } = window;
      const before = flame.frames.length;
      flame.graph.zoomToBox(wanted);
      const target = flame.graph.viewport;
      const end = (): unknown => flame.events.filter(({ type }) => type === 'viewport-change').at(-1)?.detail;
      while (JSON.stringify(end()) !== JSON.stringify(target)) await flame.drawn();
      return { frames: flame.frames.length - before, ends: end() as { fromX: number } };
    }, box);
    expect(frames).toBeGreaterThan(1);
    expect(ends.fromX).toBeCloseTo(0.521, 6);
  });

  it('looks the same after scrolling as when painted anew, whichever way and however far', async () => {
    const differing = await page.evaluate(async () => {
      const { flame } = window;
      const { graph } = flame;
      flame.show(flame.large(60_000));
      await flame.drawn();
      graph.search = flame.searchFor('Handler7');
      await flame.drawn();
      const canvas = graph.shadowRoot!.querySelector<HTMLCanvasElement>('.sheet canvas')!;
      const texels = (): Uint32Array => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(data.buffer);
      };
      const show = async (fromX: number, toX: number, scrollY: number): Promise<Uint32Array> => {
        graph.viewport = { fromX, toX, scrollY };
        await flame.drawn();
        return texels();
      };
      const counts: number[] = [];
      for (const scrollY of [5, 30, 300, 290, 1200, 0, 700, 722]) {
        const scrolled = await show(0.2, 0.25, scrollY);
        await show(0.6, 0.9, scrollY);
        const anew = await show(0.2, 0.25, scrollY);
        counts.push(scrolled.reduce((sum, texel, index) => sum + Number(texel !== anew[index]), 0));
        // So that the next one is reached by scrolling from here.
        if (new Set(anew).size < 10) throw new Error('The picture is empty.');
      }
      return counts;
    });
    expect(differing).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('writes the whole graph as a picture that browsers read', async () => {
    await showJava();
    const { signature, width, height, kinds } = await page.evaluate(async () => {
      window.flame.graph.pictureTitle = 'java · pool 2';
      const bytes = await window.flame.graph.exportPng();
      const picture = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      canvas.width = picture.width;
      canvas.height = picture.height;
      const context = canvas.getContext('2d')!;
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const found = new Set<number>();
      for (let at = 0; at < data.length; at += 4) found.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      return {
        signature: [...bytes.slice(1, 4)],
        width: picture.width,
        height: picture.height,
        kinds: [0xa2558b, 0xc48c26, 0x537103].map((kind) => found.has(kind)),
      };
    });
    expect(String.fromCharCode(...signature)).toBe('PNG');
    expect(width).toBeGreaterThanOrEqual(600);
    expect(height).toBeGreaterThan(10 * 22);
    expect(kinds).toEqual([true, true, true]);
  });

  it('finds the box under the pointer among a million within a tenth of a millisecond', async () => {
    const { each, hits } = await page.evaluate(async () => {
      window.flame.show(window.flame.large(1_000_000));
      await window.flame.drawn();
      const { graph } = window.flame;
      const rounds: number[] = [];
      let found = 0;
      for (let round = 0; round < 9; round++) {
        const start = performance.now();
        for (let index = 0; index < 500; index++) if (graph.boxAtPoint((index * 7919) % 880, 70 + ((index * 104729) % 480)) !== -1) found++;
        rounds.push((performance.now() - start) / 500);
      }
      return { each: rounds.sort((a, b) => a - b)[4]!, hits: found };
    });
    expect(hits).toBeGreaterThan(4000);
    expect(each).toBeLessThan(0.1);
  });
});

describe('the thread strip in a browser', { timeout: 120_000 }, () => {
  const showStrip = (threads: number): Promise<void> =>
    page.evaluate(async (count) => {
      const strip = document.createElement('benchside-thread-strip');
      strip.threadNames = Array.from({ length: count }, (_, index) => `qtp-${index}`);
      strip.strip = window.flame.strip(count, 100);
      document.body.prepend(strip);
      await window.flame.drawn();
    }, threads);

  it('makes elements for the threads on show only, and reaches the last one by keyboard', async () => {
    await showStrip(500);
    const strip = page.locator('benchside-thread-strip');
    expect(await strip.locator('.name').count()).toBeLessThan(45);
    await page.evaluate(() => document.querySelector('benchside-thread-strip')!.focus());
    await page.keyboard.press('End');
    await strip.locator('#thread-499').waitFor();
    await page.keyboard.press('Enter');
    expect(await events('thread-select')).toEqual([{ thread: 499 }]);
  });

  it('selects a range of time by dragging and by keyboard, and gives it back', async () => {
    await showStrip(6);
    const cells = (await page.locator('benchside-thread-strip .cells').boundingBox())!;
    const at = (bucket: number): number => cells.x + ((bucket + 0.5) / 100) * cells.width;
    await page.mouse.move(at(20), cells.y + 20);
    await page.mouse.down();
    await page.mouse.move(at(49), cells.y + 20, { steps: 5 });
    await page.mouse.up();
    expect(await events('range-select')).toEqual([{ fromUs: 2_000_000, toUs: 5_000_000 }]);
    await page.evaluate(() => document.querySelector('benchside-thread-strip')!.focus());
    await page.keyboard.press('Escape');
    expect((await events('range-select')).at(-1)).toBeNull();
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key);
    expect((await events('range-select')).at(-1)).toEqual({ fromUs: 100_000, toUs: 400_000 });
  });
});
