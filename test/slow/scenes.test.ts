import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenes } from '../../scripts/scenes/all.mjs';
import { faultsOf } from '../../scripts/scenes/faults.mjs';
import { openScene, servePages } from '../../scripts/scenes/pages.mjs';
import type { RunEvent } from '../../src/model/protocol/runEvent.ts';
import { launchChromium } from '../support/chromium.ts';

/** A window of 1280 × 900 px that is zoomed to 200 %. */
const zoomed = { width: 640, height: 450 };

describe('every state of every page', { timeout: 600_000 }, () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof servePages>>;
  let page: Page;
  let session: CDPSession;
  beforeAll(async () => {
    [browser, pages] = await Promise.all([launchChromium(), servePages(Object.keys(scenes))]);
    page = await browser.newPage({ viewport: zoomed, deviceScaleFactor: 2, reducedMotion: 'reduce' });
    session = await page.context().newCDPSession(page);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  it('says what each control, heading and picture is to a screen reader, loses nothing at 200 %, and moves nothing where motion is reduced', async () => {
    const faults: string[] = [];
    for (const name of Object.keys(scenes)) {
      await openScene(page, pages.origin, name, 'dark');
      faults.push(...(await faultsOf(page, session)).map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('cuts no control off at 200 %: each lies in the window, or in a box of its own that scrolls', async () => {
    const cut: string[] = [];
    for (const name of [
      'tuned',
      'tuning',
      'live',
      'compareRuns',
      'versions',
      'experimentNot',
      'raw',
      'topology',
      'failingRoute',
      'flame',
    ]) {
      await openScene(page, pages.origin, name, 'dark');
      const outside = await page.evaluate(() => {
        const found: string[] = [];
        const roots: (Document | ShadowRoot)[] = [document];
        for (const root of roots)
          for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot) roots.push(element.shadowRoot);
            if (
              !element.matches('button, input, select, summary, a[href], vscode-button, vscode-text-field') ||
              element.closest('.scroller')
            )
              continue;
            const { left, right, width } = element.getBoundingClientRect();
            if (width > 0 && (left < -1 || right > window.innerWidth + 1)) found.push(`${element.localName} ${element.textContent.trim()}`);
          }
        return found;
      });
      cut.push(...outside.map((one) => `${name}: ${one}`));
    }
    expect(cut).toEqual([]);
  });

  it('draws charts next to each other level, however many lines their titles have', async () => {
    const wide = await browser.newPage({ viewport: { width: 1000, height: 900 }, reducedMotion: 'reduce' });
    const ofWide = await wide.context().newCDPSession(wide);
    for (const name of ['experimentAgrees', 'tuned']) {
      await openScene(wide, pages.origin, name, 'dark');
      expect([name, await faultsOf(wide, ofWide)]).toEqual([name, []]);
    }
    await wide.close();
  });

  it('does not chatter: seconds that pass under load are drawn, and not announced', async () => {
    await openScene(page, pages.origin, 'running', 'dark');
    const [first] = (scenes['running']?.messages ?? []).flatMap((message) => (message.type === 'runEvents' ? message.events : []));
    const tick = (timeMs: number): RunEvent => ({
      type: 'tick',
      runId: first?.type === 'started' ? first.runId : '',
      tick: {
        timeMs,
        windowMs: 500,
        trialKey: first?.type === 'started' ? (first.trials[0]?.key ?? '') : '',
        stage: 'measure',
        throughput: 2000 + (timeMs % 700),
        p50Ms: 10,
        p99Ms: 30,
        errors: 0,
      },
    });
    const announced = await page.evaluate(
      async (events) => {
        let changes = 0;
        const seen = new Set<Node>();
        const roots: (Document | ShadowRoot)[] = [document];
        for (const root of roots)
          for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot) roots.push(element.shadowRoot);
            const live =
              element.getAttribute('aria-live') ??
              (/^(?:status|alert|log|timer)$/.test(element.getAttribute('role') ?? '') ? 'polite' : 'off');
            if (live === 'off' || seen.has(element)) continue;
            seen.add(element);
            new MutationObserver((records) => (changes += records.length)).observe(element, {
              childList: true,
              characterData: true,
              subtree: true,
            });
          }
        for (const event of events) {
          window.postMessage({ type: 'runEvents', replay: false, events: [event] }, '*');
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        }
        return { regions: seen.size, changes };
      },
      Array.from({ length: 20 }, (_, at) => tick(200_000 + at * 500)),
    );
    expect(announced.regions).toBeGreaterThan(0);
    expect(announced.changes).toBe(0);
  });
});
