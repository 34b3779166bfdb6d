import { describe, expect, it } from 'vitest';
import { useFlamePage } from '../support/flameGraphPage.ts';
import type { FlameTestPage } from '../unit/flame/graph/page.ts';
import { slowHalf } from '../support/testTags.ts';

declare const window: { flame: FlameTestPage };

const flame = useFlamePage();

describe('the flame graph in a browser', { timeout: 120_000 }, () => {
  it('draws each box where the layout says, in the colour of its kind', async () => {
    await flame.showJava();
    const pool = await flame.find('ConcurrentBag.borrow');
    // Off the label, near the right end of the box.
    expect(await flame.pixel(pool.x + 80, pool.y)).toEqual([0xa2, 0x55, 0x8b]);
    const app = await flame.find('AdsHandler.handle');
    expect(await flame.pixel(app.x + 80, app.y)).toEqual([0xc4, 0x8c, 0x26]);
    expect(await flame.pixel(880, pool.y)).toEqual([0x1f, 0x1f, 0x1f]);
  });

  it('shows names of any kind as text, in the label, the tooltip, the details and for screen readers', async () => {
    const hostile = ['</script><img src=x onerror=alert(1)>', '__proto__', `List<${'A, '.repeat(3400)}>`, 'פונקציה_ראשית'];
    for (const name of hostile) {
      await flame.page.evaluate(async (wanted) => {
        window.flame.show(window.flame.calls([{ name: wanted, self: 10, file: wanted }]));
        await window.flame.drawn();
        window.flame.graph.selected = 1;
      }, name);
      await flame.page.mouse.move(300, 5);
      await flame.page.mouse.move(300, 80);
      await flame.settle();
      expect((await flame.inGraph('.tip .name')).replaceAll('…', '')).toBe(name.slice(0, 1000).trimEnd());
      expect(await flame.inGraph('.details .name')).toContain(name.slice(0, 10));
      const [line, figures] = await flame.page.evaluate(() =>
        ['.details', '.details .figures'].map(
          (part) => window.flame.graph.shadowRoot!.querySelector(part)!.getBoundingClientRect().toJSON() as DOMRect,
        ),
      );
      expect(figures!.width, 'the figures are seen beside any name').toBeGreaterThan(50);
      expect(figures!.right).toBeLessThanOrEqual(line!.right);
      expect(await flame.page.evaluate(() => window.flame.graph.shadowRoot!.querySelectorAll('img, script').length)).toBe(0);
    }
  });

  it('keeps the tooltip in a window of 600 pixels and off the pointer', async () => {
    await flame.page.context().close();
    await flame.open(600, 400);
    await flame.showJava();
    for (const name of ['QueuedThreadPool.runJob', 'futex_wait', 'G1ParEvacuateFollowers', 'StringBuilder.append']) {
      const { x, y } = await flame.find(name);
      await flame.page.mouse.move(x, y);
      const tip = await flame.page.evaluate(
        () => window.flame.graph.shadowRoot!.querySelector('.tip')!.getBoundingClientRect().toJSON() as DOMRect,
      );
      expect(tip.width).toBeGreaterThan(50);
      expect(tip.left >= 0 && tip.top >= 0 && tip.right <= 600 && tip.bottom <= 400).toBe(true);
      expect(x > tip.left && x < tip.right && y > tip.top && y < tip.bottom).toBe(false);
    }
  });

  it('fades what a search did not find and outlines what it found', async () => {
    await flame.showJava();
    await flame.page.evaluate(async () => {
      window.flame.graph.search = window.flame.searchFor('getConnection');
      await window.flame.drawn();
    });
    const found = await flame.find('HikariPool.getConnection');
    expect(await flame.pixel(found.x + 80, found.y)).toEqual([0x80, 0x93, 0xdc]);
    expect(await flame.pixel(found.x + 80, found.y - 10)).toEqual([255, 255, 255]);
    const other = await flame.find('ConcurrentBag.borrow');
    const [red = 0] = await flame.pixel(other.x + 80, other.y);
    expect(red).toBeLessThan(0x60);
  });

  it('takes another theme at once, and does nothing while nothing changes', slowHalf, async () => {
    await flame.showJava();
    await flame.page.evaluate(() => {
      document.body.className = 'vscode-light';
      document.documentElement.style.setProperty('--vscode-editor-background', '#ffffff');
    });
    await flame.settle();
    const app = await flame.find('AdsHandler.handle');
    expect(await flame.pixel(app.x + 80, app.y)).toEqual([0xec, 0xbe, 0x3a]);
    const frames = await flame.page.evaluate(async () => {
      const before = window.flame.frames.length;
      for (let frame = 0; frame < 20; frame++) await window.flame.drawn();
      return window.flame.frames.length - before;
    });
    expect(frames).toBe(0);
  });

  it('draws a flame from the bottom up, and goes up to callees', slowHalf, async () => {
    await flame.showJava();
    await flame.page.evaluate(async () => {
      window.flame.graph.orientation = 'flame';
      await window.flame.drawn();
    });
    const caller = await flame.find('AdsHandler.handle');
    const callee = await flame.find('ConcurrentBag.borrow');
    expect(callee.y).toBeLessThan(caller.y);
    expect(await flame.pixel(callee.x + 80, callee.y)).toEqual([0xa2, 0x55, 0x8b]);
    await flame.page.evaluate(() => window.flame.graph.focus());
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await flame.page.keyboard.press(key);
    expect(await flame.page.evaluate(() => window.flame.graph.selected)).toBe(caller.box);
  });

  it('colours a comparison by the change of self weight and hatches what one side lacks', async () => {
    await flame.page.evaluate(async () => {
      window.flame.show(window.flame.compared());
      await window.flame.drawn();
    });
    const more = await flame.find('futex_wait');
    const [red = 0, , blue = 0] = await flame.pixel(more.x + 100, more.y);
    expect(red - blue).toBeGreaterThan(100);
    const gone = await flame.find('Cache.refresh');
    const row = await Promise.all(Array.from({ length: 12 }, (_, index) => flame.pixel(gone.x - 6 + index, gone.y + 8)));
    expect(new Set(row.map(String)).size).toBeGreaterThan(2);
    const legend = await flame.page.evaluate(async () => {
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

  it('looks the same after scrolling as when painted anew, whichever way and however far', async () => {
    const differing = await flame.page.evaluate(async () => {
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
    await flame.showJava();
    const { signature, width, height, kinds } = await flame.page.evaluate(async () => {
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
    const { each, hits } = await flame.page.evaluate(async () => {
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
