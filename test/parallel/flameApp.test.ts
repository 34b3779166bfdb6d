import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readProfile } from '../../src/engine/calltree/openProfile.ts';
import { functionTable } from '../../src/calltree/totals.ts';
import { writeHtml } from '../../src/engine/calltree/writeHtml.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import type { FromFlame } from '../../src/model/domain/flame.ts';
import { shortName } from '../../src/calltree/shownNames.ts';
import { sharePhrase } from '../../webview/flame/graph/weightFormat.ts';
import { type FlameHost, type HostedProfile, hostedProfile, serveFlame } from '../support/flameHost.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const root = path.resolve(import.meta.dirname, '../..');
const hostile = ['</script><img src=x onerror=window.hacked=1>', '__proto__', `Map<${'List<'.repeat(2000)}String`, 'שלום עולם'];

/** A real CPU profile of this process while it reads profiles. */
async function recordedProfile(): Promise<CallTree> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const until = performance.now() + 400;
  const stacks = Array.from({ length: 4000 }, (_, at) => `main;step${at % 50};leaf${at} ${at}`).join('\n');
  while (performance.now() < until) readProfile(new TextEncoder().encode(stacks));
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return readProfile(new TextEncoder().encode(JSON.stringify(profile)));
}

function timed(stacks: readonly string[], name = 'wall'): CallTree {
  const tree = readProfile(new TextEncoder().encode(stacks.join('\n')));
  tree.events = tree.events.map((event) => ({ ...event, name, unit: 'ns', self: event.self.map((weight) => weight * 1e7) }));
  return tree;
}

const pool = (waits: number, own: string): CallTree =>
  timed([
    `QueuedThreadPool.runJob;AdsHandler.handle;com/zaxxer/hikari/pool/HikariPool.getConnection;java/util/concurrent/SynchronousQueue.poll ${waits}`,
    'QueuedThreadPool.runJob;AdsHandler.handle;org/postgresql/core/PGStream.receiveChar 31',
    `QueuedThreadPool.runJob;AdsHandler.handle;AdsHandler.render;AdsHandler.render;${own} 17`,
  ]);

describe('the flame graph app in Chromium', () => {
  let browser: Browser;
  let folder: string;
  let page: Page;
  const hosts: FlameHost[] = [];
  const wrong: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    folder = mkdtempSync(path.join(tmpdir(), 'benchside-flame-'));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    const violations = await page.evaluate(() => (window as unknown as { violations?: string[] }).violations ?? []);
    await page.close();
    for (const host of hosts.splice(0)) await host.close();
    expect(violations).toEqual([]);
    expect(wrong.splice(0)).toEqual([]);
  });

  async function newPage(): Promise<Page> {
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    page.on('pageerror', (error) => wrong.push(error.message));
    return page;
  }
  const sent = (): Promise<FromFlame[]> => page.evaluate(() => (window as unknown as { sent: FromFlame[] }).sent);
  const complete = (): Promise<unknown> =>
    page.waitForFunction(() =>
      (window as unknown as { sent: FromFlame[] }).sent.some((message) => message.type === 'drawn' && message.completeMs !== null),
    );
  async function open(profiles: { a: HostedProfile; b?: HostedProfile }, extra: readonly object[] = []): Promise<void> {
    const host = await serveFlame(profiles, extra);
    hosts.push(host);
    await newPage();
    await page.goto(host.url());
    await complete();
  }
  const found = (): Promise<string> => page.locator('.found').innerText();
  const rows = (): Promise<string[]> =>
    page
      .locator('benchside-function-table .body .row')
      .evaluateAll((all) => all.map((row) => (row.textContent ?? '').replace(/[ \n]+/g, ' ').trim()));

  it('shows a real CPU profile, whose table has the figures of a direct sum', async () => {
    const tree = await recordedProfile();
    await open({ a: hostedProfile('real', tree) });
    const event = tree.events[0];
    if (event === undefined) throw new Error('Nothing was recorded.');
    const total = event.self.reduce((sum, weight) => sum + weight, 0);
    const expected = functionTable(tree, event).slice(0, 10);
    const idle = page.getByRole('button', { name: 'show', exact: true });
    if ((await idle.count()) > 0) await idle.click();
    await page.getByRole('button', { name: 'unfold', exact: true }).click();
    await page.getByRole('radio', { name: 'Table' }).click();
    for (const row of expected) {
      const figures = [row.self, row.total].map((weight) => sharePhrase(weight / total));
      await expect
        .poll(async () =>
          (await rows()).some((text) => text.startsWith(shortName(row.name)) && figures.every((figure) => text.includes(figure))),
        )
        .toBe(true);
    }
  });

  it('cuts no column of its tables on a page of 420 pixels, alone or beside callers', async () => {
    await open({ a: hostedProfile('narrow', pool(50, 'StringBuilder.append')) });
    await page.setViewportSize({ width: 420, height: 800 });
    for (const view of ['Flame', 'Table', 'Callers']) {
      await page.getByRole('radio', { name: view, exact: true }).click();
      await page.locator('benchside-function-table .row .numeric').last().waitFor();
      const beyond = await page.locator('benchside-function-table .scroller').evaluate((grid) => grid.scrollWidth - grid.clientWidth);
      expect({ view, beyond }).toEqual({ view, beyond: 0 });
      // By the ink: the icon of the head reaches into the padding.
      const cut = await page.locator('benchside-function-table .numeric').evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const text = document.createRange();
            text.selectNodeContents(
              document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, (node) => (node.textContent?.trim() ? 1 : 2)).nextNode() ?? cell,
            );
            const [ink, room] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
            return ink.left < room.left || ink.right > room.right;
          })
          .map((cell) => cell.textContent),
      );
      expect({ view, cut }).toEqual({ view, cut: [] });
      if (view === 'Flame') continue;
      // A wait by its meaning and who asks; of a name no less than its end, on a line of its own.
      const named = page.locator('benchside-function-table .body .name');
      expect(await named.first().locator('.words').textContent()).toMatch(/^waitingin AdsHandler\.handle · /);
      const ends = await named.locator('.end').evaluateAll((all) =>
        all.map((end) => {
          const [ink, room] = [end.getBoundingClientRect(), (end.closest('.name') as HTMLElement).getBoundingClientRect()];
          return ink.right <= room.right + 1;
        }),
      );
      expect(ends.length).toBeGreaterThan(1);
      expect({ view, ends: new Set(ends) }).toEqual({ view, ends: new Set([true]) });
    }
  });

  it('unfolds the row of a library by a click on it or by Space, each by itself, and takes that back', slowHalf, async () => {
    const frames = (owner: string, count: number): string => Array.from({ length: count }, (_, at) => `${owner}.step${at}`).join(';');
    const stack = `${frames('org/eclipse/jetty/server/Handler', 12)};AdsHandler.handle;${frames('com/zaxxer/hikari/pool/HikariPool', 4)}`;
    await open({ a: hostedProfile('folded', timed([`${stack};AdsHandler.render 60`, `${stack};AdsHandler.encode 40`])) });
    const graph = page.locator('benchside-flame-graph');
    const rowsOf = async (): Promise<string[]> =>
      (await graph.getByRole('treeitem').allTextContents()).map((words) => words.replace(/,.*/, '').replace(/.*[/.](?=\w+\.\w+$)/, ''));
    const go = async (...keys: string[]): Promise<string> => {
      for (const key of keys) await page.keyboard.press(key);
      return graph.evaluate((element) => {
        const tree = element.shadowRoot?.querySelector('[role=tree]');
        return tree?.querySelector(`#${tree.getAttribute('aria-activedescendant') ?? ''}`)?.textContent ?? '';
      });
    };
    await graph.getByRole('tree').focus();
    await expect.poll(() => go('Home', 'ArrowDown')).toMatch(/^all stacks/);
    expect(await go('ArrowDown')).toMatch(/^12 frames of Jetty, folded, self 0 ns, total 1.00 s, 100.0 %/);
    // The row of the other library is clicked where it is drawn: the fourth from the top.
    const drawn = await graph.evaluate((element) =>
      (element as unknown as { pointOfBox(box: number): { x: number; y: number } }).pointOfBox(3),
    );
    await page.mouse.click(drawn.x, drawn.y);
    await expect.poll(rowsOf).toContain('HikariPool.step0');
    expect(await rowsOf()).toContain('12 frames of Jetty');
    await graph.getByRole('tree').focus();
    for (let steps = 0; steps < 20 && !(await go()).startsWith('12 frames of Jetty'); steps++) await go('ArrowUp');
    expect(await go()).toMatch(/^12 frames of Jetty/);
    await go('Space');
    await expect.poll(rowsOf).toContain('Handler.step0');
    expect(await rowsOf()).not.toContain('12 frames of Jetty');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(rowsOf).toContain('12 frames of Jetty');
  });

  it('shows all threads by name over the order of time, with an axis, whichever is drawn', slowHalf, async () => {
    const worker = (name: string, frame: number): object => ({
      type: 'sampled',
      name,
      unit: 'milliseconds',
      startValue: 0,
      endValue: 4,
      samples: [[0, frame], [0, frame], [0], [0, frame]],
      weights: [1, 1, 1, 1],
    });
    const frames = [{ name: 'run' }, { name: 'parse' }, { name: 'render' }];
    const file = JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames },
      profiles: [worker('http-1', 1), worker('http-2', 2)],
    });
    await open({ a: hostedProfile('threads', readProfile(new TextEncoder().encode(file))) });
    await page.getByRole('radio', { name: 'Time', exact: true }).click();
    const strip = page.locator('benchside-thread-strip');
    await expect.poll(() => strip.getByRole('option').count()).toBe(2);
    expect((await strip.locator('.name').allInnerTexts()).sort()).toEqual(['http-1', 'http-2']);
    await expect.poll(() => strip.locator('.axis').innerText()).toContain('ms');
    expect(await page.getByRole('button', { name: 'Threads over time' }).isDisabled()).toBe(true);
  });

  it('asks for the wide nodes of a large recording first, then for its tree two pieces ahead', async () => {
    const stacks = Array.from({ length: 90_000 }, (_, at) => `main;f${at % 3000};g${at} 1`);
    await open({ a: hostedProfile('large', timed(['main;wide 900000', ...stacks])) });
    const asked = (await sent()).flatMap((message) => (message.type === 'readPiece' ? [`${message.part} ${message.index}`] : []));
    expect(asked.slice(0, 3)).toEqual(['skeleton 0', 'tree 0', 'tree 1']);
    expect(asked.filter((one) => one === 'tree 0')).toHaveLength(1);
    const drawn = (await sent()).filter((message) => message.type === 'drawn');
    expect(drawn.at(-1)?.firstPictureMs).toBeGreaterThan(0);
  });

  it('draws only the rows in sight of 90,000, and goes to the last one by a key', longTest, async () => {
    const stacks = Array.from({ length: 90_000 }, (_, at) => `f${at} ${at + 1}`);
    await open({ a: hostedProfile('many', timed(stacks)) });
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.locator('benchside-function-table .body .row').first().focus();
    await page.keyboard.press('End');
    await page.getByText('f0', { exact: true }).waitFor();
    expect((await rows()).length).toBeLessThan(80);
    expect(await page.locator('benchside-function-table [role=grid]').getAttribute('aria-rowcount')).toBe('90001');
  });

  it('finds a function by typing, says its exact share aloud, and steps through the matches', async () => {
    await open({ a: hostedProfile('pool', pool(52, 'encode'), { requests: 10 }) });
    await page.keyboard.press('/');
    await page.keyboard.type('render');
    // What the first letters match is shown while the rest is typed.
    await expect.poll(found).toBe('17.0 % matched · 2 boxes');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(found).toBe('17.0 % matched · 2 of 2');
    await expect.poll(() => page.locator('[aria-live=polite]').last().innerText()).toContain('17.0 % matched');
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.locator('.search input').fill('(');
    await expect.poll(found).toBe('Not a regular expression');
  });

  it('does by the keyboard what its menu offers, and takes it back', slowHalf, async () => {
    await open({ a: hostedProfile('pool', pool(52, 'encode'), { requests: 10 }) });
    await page.locator('benchside-function-table .body .row', { hasText: 'SynchronousQueue.poll' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+F10');
    await page.keyboard.type('remove');
    await page.keyboard.press('Enter');
    const chip = page.getByRole('button', { name: /without stacks of .*poll/ });
    await chip.waitFor();
    await expect.poll(async () => (await rows()).some((row) => row.includes('SynchronousQueue'))).toBe(false);
    expect((await rows()).find((row) => row.includes('receiveChar'))).toContain('64.6 %');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(async () => (await rows()).some((row) => row.includes('SynchronousQueue'))).toBe(true);
    expect(await chip.count()).toBe(0);
    await page.keyboard.press('Alt+ArrowRight');
    await chip.waitFor();
  });

  it('opens the source of a function, with the number it has in the recording', async () => {
    const tree = pool(52, 'encode');
    await open({ a: hostedProfile('pool', tree) });
    await page.locator('benchside-function-table .body .row', { hasText: 'PGStream' }).focus();
    await page.keyboard.press('Enter');
    const opened = (await sent()).find((message) => message.type === 'openSource');
    expect(opened).toMatchObject({
      side: 'a',
      profileId: 'pool',
      func: tree.functions.name.indexOf('org/postgresql/core/PGStream.receiveChar'),
      beside: false,
    });
  });

  it('is the same after a reload', longTest, async () => {
    await open({ a: hostedProfile('pool', pool(52, 'encode')) });
    await page.locator('.search input').fill('receive');
    await page.locator('benchside-function-table .body .row', { hasText: 'PGStream' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Focus on this function' }).click();
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.reload();
    await page.getByRole('button', { name: /only .*receiveChar/ }).waitFor();
    expect(await page.getByRole('radio', { name: 'Table' }).getAttribute('aria-checked')).toBe('true');
    expect(await page.locator('.search input').inputValue()).toBe('receive');
  });

  it('compares with another recording per request, lists what appeared and vanished, and stops', longTest, async () => {
    await open({
      a: hostedProfile('a', pool(52, 'fresh'), { requests: 100 }),
      b: hostedProfile('b', pool(2, 'old'), { requests: 50, title: 'pool 16' }),
    });
    await page.getByRole('button', { name: 'Compare with…' }).click();
    await page.keyboard.press('Enter');
    await page.getByText('Compared with').waitFor();
    const poll = (): Promise<string | undefined> => rows().then((all) => all.find((row) => row.includes('SynchronousQueue')));
    // (52 × 10 ms) / 100 − (2 × 10 ms) / 50 = 4.8 ms per request.
    await expect.poll(poll).toContain('+4.80');
    await page.getByRole('radio', { name: 'Vanished 1' }).click();
    await expect.poll(rows).toHaveLength(1);
    expect((await rows())[0]).toContain('old');
    await page.getByRole('button', { name: 'Stop comparing' }).click();
    await page.getByText('Compared with').waitFor({ state: 'detached' });
    expect((await sent()).some((message) => message.type === 'stopComparing')).toBe(true);
    // Next to code the bars are two lines, and the way back to another recording is in the menu that has the rest.
    await page.setViewportSize({ width: 420, height: 800 });
    const tops = await page.locator('.bars').evaluate((bars) =>
      [...bars.querySelectorAll('button, input, select, benchside-segments')].flatMap((one) => {
        const { top, height } = one.getBoundingClientRect();
        return height === 0 ? [] : [Math.round((top + height / 2) / 10)];
      }),
    );
    expect(new Set(tops).size).toBeLessThanOrEqual(2);
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'More' }).waitFor();
    await page.keyboard.type('comp');
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'Compare with…' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Compared with').waitFor();
  });

  it('shows hostile names as text everywhere', async () => {
    await open({
      a: hostedProfile('hostile', timed(hostile.map((name) => `${name.replaceAll(';', ' ')} 5`)), { title: hostile[0] ?? '' }),
    });
    await page.locator('.search input').fill('img');
    await page.locator('benchside-function-table .body .row').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Callers and callees' }).click();
    await page.locator('.middle', { hasText: 'onerror' }).waitFor();
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('says what failed and how to cure it, and tries again', async () => {
    const host = await serveFlame({}, [
      { type: 'failure', side: 'a', failure: { code: 'x', message: 'The file is damaged.', cure: 'Record it again.' } },
    ]);
    hosts.push(host);
    await newPage();
    await page.goto(host.url());
    await page.getByText('Record it again.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Opening the recording…').waitFor();
    expect((await sent()).some((message) => message.type === 'retry')).toBe(true);
  });

  it.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(31, 31, 31)'],
  ] as const)('has as a file the colours of the %s scheme', async (colorScheme, background) => {
    const { parts, head } = hostedProfile('alone', pool(52, 'encode'), { title: 'alone', requests: 10 });
    const file = path.join(folder, `${colorScheme}.html`);
    writeFileSync(file, await writeHtml(parts, head, root));
    await newPage();
    await page.emulateMedia({ colorScheme });
    await page.goto(pathToFileURL(file).href);
    await page.locator('benchside-function-table .body .row', { hasText: 'SynchronousQueue' }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
  });

  it('stands alone as a file that asks nothing of the network', longTest, async () => {
    const { parts, head } = hostedProfile('alone', pool(52, 'encode'), { title: 'alone', requests: 10 });
    const file = path.join(folder, 'alone.html');
    writeFileSync(file, await writeHtml(parts, head, root));
    await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.locator('benchside-function-table .body .row', { hasText: 'SynchronousQueue' }).waitFor();
    expect((await rows()).find((row) => row.includes('SynchronousQueue'))).toContain('52.0 %');
    expect(await page.getByRole('button', { name: 'Compare with…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /PNG/ }).click();
    expect((await download).suggestedFilename()).toBe('alone-wall.png');
    expect(asked.filter((address) => !address.startsWith('file:') && !address.startsWith('blob:'))).toEqual([]);
  });
});
