import { describe, expect, it } from 'vitest';
import { useFlamePage } from '../support/flameGraphPage.ts';
import { waitFor } from '../support/waitFor.ts';
import type { FlameTestPage } from '../unit/flame/graph/page.ts';
import { slowHalf } from '../support/testTags.ts';

declare const window: { flame: FlameTestPage };

const flame = useFlamePage();

describe('pointer and keyboard in the flame graph', { timeout: 120_000 }, () => {
  it('selects and zooms to a clicked box, keeps its callers full width, and steps back with Escape', async () => {
    await flame.showJava();
    const query = await flame.find('PgPreparedStatement.executeQuery');
    await flame.page.mouse.click(query.x, query.y);
    await flame.settle();
    expect(await flame.events('box-select')).toEqual([{ box: query.box }]);
    const zoomed = await flame.viewport();
    expect(zoomed.toX - zoomed.fromX).toBeCloseTo(0.312, 6);
    const caller = await flame.find('AdsHandler.handle');
    for (const x of [20, 450, 860]) expect(await flame.pixel(x, caller.y - 8)).toEqual([0xc4, 0x8c, 0x26]);
    await flame.page.keyboard.press('Escape');
    expect(await flame.viewport()).toMatchObject({ fromX: 0, toX: 1 });
    expect(await flame.inGraph('.details')).toContain('org.postgresql.jdbc.PgPreparedStatement.executeQuery');
  });

  it('opens the source on a double click although the first click moved the picture, and beside with Ctrl', async () => {
    await flame.showJava();
    const render = await flame.find('AdsHandler.render');
    await flame.page.mouse.dblclick(render.x, render.y);
    expect(await flame.events('box-open')).toEqual([{ box: render.box, beside: false }]);
    await flame.page.evaluate(() => window.flame.graph.resetZoom());
    await flame.settle();
    await flame.page.keyboard.down('Control');
    await flame.page.mouse.click(render.x, render.y);
    await flame.page.keyboard.up('Control');
    expect(await flame.events('box-open')).toContainEqual({ box: render.box, beside: true });
  });

  it('goes everywhere by keyboard and says where it is', async () => {
    await flame.showJava();
    await flame.page.evaluate(() => window.flame.graph.focus());
    const active = (): Promise<{ words: string | null; level: string | null; position: string | null; size: string | null }> =>
      flame.page.evaluate(() => {
        const tree = window.flame.graph.shadowRoot!.querySelector('[role=tree]')!;
        const item = tree.querySelector(`#${tree.getAttribute('aria-activedescendant')}`)!;
        return {
          words: item.textContent,
          level: item.getAttribute('aria-level'),
          position: item.getAttribute('aria-posinset'),
          size: item.getAttribute('aria-setsize'),
        };
      });
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await flame.page.keyboard.press(key);
    await flame.settle();
    expect(await active()).toEqual({
      words: 'org.postgresql.jdbc.PgPreparedStatement.executeQuery, self 0 ns, total 312 ms, 31.2 %, 1 callee',
      level: '4',
      position: '2',
      size: '4',
    });
    await flame.page.keyboard.press('Enter');
    const query = await flame.find('PgPreparedStatement.executeQuery');
    expect(await flame.events('box-open')).toEqual([{ box: query.box, beside: false }]);
    await flame.page.keyboard.press('z');
    expect((await flame.viewport()).fromX).toBeGreaterThan(0.5);
    await flame.page.keyboard.press('Home');
    expect(await flame.viewport()).toMatchObject({ fromX: 0, toX: 1 });
    await flame.page.keyboard.press('+');
    expect((await flame.viewport()).toX - (await flame.viewport()).fromX).toBeCloseTo(1 / 1.5, 6);
    await flame.page.keyboard.press('Shift+F10');
    const [menu] = (await flame.events('box-menu')) as { box: number; x: number; y: number }[];
    expect(menu?.box).toBe(query.box);
    await flame.page.keyboard.press('ArrowUp');
    await flame.settle();
    expect((await active()).words).toContain('AdsHandler.handle');
  });

  it('zooms with Ctrl and the wheel at the pointer, pans by dragging, and resets by a double click on nothing', slowHalf, async () => {
    await flame.showJava();
    const render = await flame.find('AdsHandler.render');
    await flame.page.mouse.move(render.x, render.y);
    await flame.page.keyboard.down('Control');
    await flame.page.mouse.wheel(0, -300);
    await flame.page.keyboard.up('Control');
    await waitFor(async () => (await flame.viewport()).toX - (await flame.viewport()).fromX < 0.7, { what: 'the view is closer' });
    await flame.settle();
    expect(await flame.page.evaluate(([x, y]) => window.flame.graph.boxAtPoint(x!, y!), [render.x, render.y])).toBe(render.box);
    const before = await flame.viewport();
    await flame.page.mouse.down();
    await flame.page.mouse.move(render.x - 100, render.y, { steps: 4 });
    await flame.page.mouse.up();
    await flame.settle();
    const after = await flame.viewport();
    expect((after.fromX - before.fromX) / (after.toX - after.fromX)).toBeCloseTo(
      100 / (await flame.page.evaluate(() => window.flame.graph.visibleWidth)),
      3,
    );
    expect(await flame.events('box-select')).toEqual([]);
    await flame.page.mouse.dblclick(400, 480);
    await flame.settle();
    expect(await flame.viewport()).toMatchObject({ fromX: 0, toX: 1 });
  });

  it('moves by its overview, with pointer and keys', slowHalf, async () => {
    await flame.showJava();
    await flame.page.evaluate(() => (window.flame.graph.viewport = { fromX: 0, toX: 0.2, scrollY: 0 }));
    await flame.settle();
    await flame.page.mouse.click(450, 20);
    await flame.settle();
    const middle = await flame.viewport();
    expect((middle.fromX + middle.toX) / 2).toBeCloseTo(0.5, 1);
    await flame.page.evaluate(() => window.flame.graph.shadowRoot!.querySelector<HTMLElement>('.minimap')!.focus());
    await flame.page.keyboard.press('ArrowRight');
    expect((await flame.viewport()).fromX).toBeCloseTo(middle.fromX + 0.02, 6);
    await flame.page.keyboard.press('Home');
    expect(await flame.viewport()).toMatchObject({ fromX: 0, toX: 1 });
  });

  it('moves within 150 ms where motion is welcome, and ends exactly on the box', async () => {
    await flame.page.context().close();
    await flame.open(900, 600, 'no-preference');
    await flame.showJava();
    const { box } = await flame.find('PgPreparedStatement.executeQuery');
    const { frames, ends } = await flame.page.evaluate(async (wanted) => {
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
});

describe('the thread strip in a browser', { timeout: 120_000 }, () => {
  const showStrip = (threads: number): Promise<void> =>
    flame.page.evaluate(async (count) => {
      const strip = document.createElement('benchside-thread-strip');
      strip.threadNames = Array.from({ length: count }, (_, index) => `qtp-${index}`);
      strip.strip = window.flame.strip(count, 100);
      document.body.prepend(strip);
      await window.flame.drawn();
    }, threads);

  it('makes elements for the threads on show only, and reaches the last one by keyboard', async () => {
    await showStrip(500);
    const strip = flame.page.locator('benchside-thread-strip');
    expect(await strip.locator('.name').count()).toBeLessThan(45);
    await flame.page.evaluate(() => document.querySelector('benchside-thread-strip')!.focus());
    await flame.page.keyboard.press('End');
    await strip.locator('#thread-499').waitFor();
    await flame.page.keyboard.press('Enter');
    expect(await flame.events('thread-select')).toEqual([{ thread: 499 }]);
  });

  it('selects a range of time by dragging and by keyboard, and gives it back', async () => {
    await showStrip(6);
    const cells = (await flame.page.locator('benchside-thread-strip .cells').boundingBox())!;
    const at = (bucket: number): number => cells.x + ((bucket + 0.5) / 100) * cells.width;
    await flame.page.mouse.move(at(20), cells.y + 20);
    await flame.page.mouse.down();
    await flame.page.mouse.move(at(49), cells.y + 20, { steps: 5 });
    await flame.page.mouse.up();
    expect(await flame.events('range-select')).toEqual([{ fromUs: 2_000_000, toUs: 5_000_000 }]);
    await flame.page.evaluate(() => document.querySelector('benchside-thread-strip')!.focus());
    await flame.page.keyboard.press('Escape');
    expect((await flame.events('range-select')).at(-1)).toBeNull();
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight']) await flame.page.keyboard.press(key);
    expect((await flame.events('range-select')).at(-1)).toEqual({ fromUs: 100_000, toUs: 400_000 });
  });
});
