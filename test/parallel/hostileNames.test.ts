import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recorded } from '../support/recorded.ts';
import { scenes } from '../../scripts/scenes/all.mjs';
import { htmlReport } from '../../src/engine/report/htmlReport.ts';
import { writeHtml } from '../../src/engine/calltree/writeHtml.ts';
import { panelHtml } from '../../src/extension/panel/panelHtml.ts';
import { toPanelSchema } from '../../src/model/protocol/panel.ts';
import { type RunRecord, runRecordSchema } from '../../src/model/domain/run.ts';
import { type HostedProfile, hostedProfile, serveFlame } from '../support/flameHost.ts';
import { eventHeads, treeOf } from '../unit/calltree/trees.ts';
import { hostileTexts, markOfHarm } from '../support/hostileTexts.ts';
import { type Substitute, Poisoner } from '../support/poisoned.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { exampleRun } from '../unit/webview/examples.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'dist/webview');
const nonce = 'hostile0000000000';
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Messages that lead to each view, and the tab that it is on. */
const views: readonly { scene: string; tab: string }[] = [
  { scene: 'result', tab: 'Tune' },
  { scene: 'tuned', tab: 'Tune' },
  { scene: 'grid', tab: 'Tune' },
  { scene: 'refused', tab: 'Tune' },
  { scene: 'failed', tab: 'Tune' },
  { scene: 'live', tab: 'Live' },
  { scene: 'compare', tab: 'Compare' },
  { scene: 'raw', tab: 'Raw figures' },
  { scene: 'experiments', tab: 'Experiments' },
  { scene: 'versions', tab: 'Compare code' },
];

/** Texts that are together in one place, each on a line: as many as there is room for, so that few pages hold them all in every place. */
const short = hostileTexts.filter((text) => text.length <= 400);
/** Without names that every object has, which the schemas refuse where something is looked up by them. */
const single = short.filter((text) => !(text in Object.prototype));
const perPlace = 80;
const rounds = Math.ceil(short.length / perPlace);
const batches = Array.from({ length: rounds }, (_, round) => short.slice(round * perPlace, (round + 1) * perPlace).join('\n'));

/** What is refused for being long is refused for the longest. */
const longest = `${'x'.repeat(Math.max(...batches.map((batch) => batch.length)))}\n99999`;

/** Tags that hostile texts would make. */
const wanted =
  /^(script|img|iframe|object|embed|details|video|audio|source|input|select|marquee|a|form|base|meta|link|style|textarea|noscript|template|math|b|plaintext|xmp|slot|vscode-button)$/;
const countOf = (kinds: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds.filter((one) => wanted.test(one)).sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Tags of which there are more than with harmless names. */
function moreThan(expected: readonly string[], found: readonly string[]): string[] {
  const known = countOf(expected);
  return Object.entries(countOf(found)).flatMap(([kind, count]) =>
    count > (known[kind] ?? 0) ? [`${count - (known[kind] ?? 0)} ${kind}`] : [],
  );
}

/** The same text gets the same other one; `pick` says which, by how many were before it. */
function substitution(pick: (index: number) => string): Substitute {
  const known = new Map<string, string>();
  return (text) => {
    const other = known.get(text) ?? pick(known.size);
    known.set(text, other);
    return other;
  };
}

describe('two hundred hostile names', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  let pageText = '';
  const requested: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const asset = /^\/([\w-]+\.(?:js|css))$/.exec(pathname)?.[1];
      if (asset !== undefined)
        response.writeHead(200, { 'content-type': types[path.extname(asset)] ?? 'text/plain' }).end(readFileSync(path.join(dist, asset)));
      else if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageText);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** A page in which nothing was carried out yet. */
  async function blank(): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    page.setDefaultTimeout(20_000);
    requested.length = 0;
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('dialog', (dialog) => (wrong.push(`dialog ${dialog.message()}`), void dialog.dismiss()));
    await page.addInitScript(() => {
      const panel = window as unknown as { sent: unknown[]; violations: string[]; acquireVsCodeApi: () => unknown };
      panel.sent = [];
      panel.violations = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        panel.violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
      );
      panel.acquireVsCodeApi = () => ({
        getState: () => undefined,
        setState: () => undefined,
        postMessage: (message: unknown) => panel.sent.push(message),
      });
    });
    return page;
  }
  const wrong: string[] = [];

  /** Each element of the page, shadow trees included: its tag with the names of its attributes, and what it leads to. */
  const elements = (page: Page): Promise<{ kinds: string[]; leads: string[] }> =>
    page.evaluate(() => {
      const kinds: string[] = [];
      const leads: string[] = [];
      const walk = (node: ParentNode): void => {
        for (const element of node.querySelectorAll('*')) {
          kinds.push(element.localName);
          for (const { name, value } of element.attributes) {
            if (name.startsWith('on')) kinds.push(`${element.localName} ${name}`);
            if (/^(href|src|action|srcdoc|data|formaction|xlink:href|style)$/.test(name))
              leads.push(`${element.localName} ${name} ${name === 'style' ? '' : value}`);
          }
          if (element.shadowRoot !== null) walk(element.shadowRoot);
        }
      };
      walk(document);
      return { kinds, leads };
    });

  /** What was carried out of a text, asked for elsewhere, refused by the policy or thrown. */
  async function harm(page: Page): Promise<string[]> {
    const seen = await page.evaluate((mark) => {
      const panel = window as unknown as Record<string, unknown> & { violations: string[] };
      return [...panel.violations, ...(panel[mark] === undefined ? [] : ['a text was carried out'])];
    }, markOfHarm);
    return [
      ...seen,
      ...wrong.splice(0),
      ...requested.filter((url) => !url.startsWith(origin) && !/^(data|blob|about|http:\/\/127\.0\.0\.1)/.test(url)),
    ];
  }

  const patient = { timeout: 180_000 };
  it('create no element where a result stands in the Workbench, and run nothing', { ...patient, ...longTest }, () =>
    inWorkbench(views.slice(0, 1), 30),
  );
  it('create no element in any other view of the Workbench, and run nothing', { ...patient, ...slowHalf }, () =>
    inWorkbench(views.slice(1), 100),
  );

  /** @param leastPlaces that have a text of others at least: fewer mean that the views were not reached */
  async function inWorkbench(some: typeof views, leastPlaces: number): Promise<void> {
    pageText = panelHtml({ cspSource: origin, nonce, scriptUri: '/workbench.js', styleUri: '/workbench.css', flameScriptUri: '/flame.js' });
    const page = await blank();
    await page.goto(origin);
    await page.waitForFunction(() => (window as unknown as { sent: unknown[] }).sent.length > 0);
    const poisoner = new Poisoner(longest);
    let revision = 0;
    const show = async (scene: string, tab: string, substitute: Substitute): Promise<void> => {
      const messages = scenes[scene]?.messages ?? [];
      const poisoned = messages.map((message) => poisoner.poison(message, toPanelSchema, substitute, message.type));
      const told = poisoned.map((message) => (message.type === 'form' ? { ...message, revision: (revision += 1) } : message));
      await page.evaluate(async (list) => {
        for (const message of list) window.postMessage(message, '*');
        await new Promise((resolve) => setTimeout(resolve));
      }, told);
      await page.getByRole('tab', { name: new RegExp(`^${tab}(?! code)`) }).click();
      // Two frames: what came was drawn, and what that loaded.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    };
    const harmless = substitution((index) => Array.from({ length: perPlace }, (_, line) => `name ${index} ${line}`).join('\n'));
    for (const { scene, tab } of some) {
      await show(scene, tab, harmless);
      // The code of the view is loaded by now.
      await page.waitForLoadState('networkidle');
      await show(scene, tab, harmless);
      const expected = await elements(page);
      for (const [round] of batches.entries()) {
        await show(
          scene,
          tab,
          substitution((index) => `${batches[(index + round) % rounds] ?? ''}\n${index}`),
        );
        const found = await elements(page);
        const knownKinds = new Set(expected.kinds);
        expect(
          found.kinds.filter((kind) => !knownKinds.has(kind)),
          scene,
        ).toEqual([]);
        expect(moreThan(expected.kinds, found.kinds), `${scene} in round ${round}`).toEqual([]);
        expect(
          found.leads.filter((lead) => !expected.leads.includes(lead)),
          scene,
        ).toEqual([]);
        expect(await harm(page), scene).toEqual([]);
      }
      // Each alone, as it is: names of members of every object among them.
      for (const offset of [0, 97])
        await show(
          scene,
          tab,
          substitution((index) => single[(index * 7 + offset) % single.length] ?? ''),
        );
      expect(await harm(page), scene).toEqual([]);
    }
    expect(poisoner.places).toBeGreaterThan(leastPlaces);
    await page.close();
  }

  it('create no element in a flame graph, in an editor and in a page of its own', { timeout: 90_000, ...longTest }, async () => {
    const treeWith = (name: (index: number) => string): HostedProfile => {
      const frames = short.map((_, index) => ({ name: name(index), file: `/app/${name(index + 1)}.js`, declared: 1, line: 1 }));
      const tree = treeOf(
        frames.map((frame) => ({ frames: [frame], weights: [100, 1] })),
        eventHeads,
      );
      return hostedProfile('a', tree, {
        title: name(1),
        format: name(2),
        threads: [name(3)],
        states: [name(4)],
        notes: recorded(name(5)),
        hint: null,
      });
    };
    const harmless = treeWith((index) => `name ${index}`);
    const hostile = treeWith((index) => short[index % short.length] ?? '');
    const page = await blank();
    const look = async (address: string): Promise<{ kinds: string[]; leads: string[] }> => {
      await page.goto(address);
      const rows = page.getByRole('row');
      await rows.nth(5).waitFor();
      await rows.nth(3).hover();
      await rows.nth(3).click();
      return elements(page);
    };
    const inEditor = async (profile: HostedProfile): Promise<{ kinds: string[]; leads: string[] }> => {
      const host = await serveFlame({ a: profile });
      try {
        const found = await look(host.url());
        expect(await harm(page)).toEqual([]);
        return found;
      } finally {
        await host.close();
      }
    };
    const alone = async ({ parts, head }: HostedProfile): Promise<{ kinds: string[]; leads: string[] }> => {
      pageText = await writeHtml(parts, head, root);
      const found = await look(origin);
      expect(await harm(page)).toEqual([]);
      return found;
    };
    for (const shown of [inEditor, alone]) {
      const expected = await shown(harmless);
      const found = await shown(hostile);
      const known = new Set(expected.kinds);
      expect(found.kinds.filter((kind) => !known.has(kind))).toEqual([]);
      expect(found.leads.filter((lead) => !expected.leads.includes(lead))).toEqual([]);
    }
    await page.close();
  });

  it('create no element in the page of a report', { timeout: 90_000, ...slowHalf }, async () => {
    const poisoner = new Poisoner('probe <b>');
    const assets = {
      script: readFileSync(path.join(dist, 'report.js'), 'utf8'),
      styles: readFileSync(path.join(dist, 'report.css'), 'utf8'),
    };
    const page = await blank();
    const open = async (run: RunRecord): Promise<{ kinds: string[]; leads: string[] }> => {
      pageText = htmlReport(run, assets);
      await page.goto(origin);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      return elements(page);
    };
    const poisoned = (substitute: Substitute): RunRecord =>
      runRecordSchema.parse(poisoner.poison(exampleRun, runRecordSchema, substitute, 'run'));
    const expected = await open(poisoned(substitution((index) => `name ${index}`)));
    for (const [round] of batches.entries()) {
      const found = await open(poisoned(substitution((index) => `${batches[(index + round) % rounds] ?? ''}\n${index}`)));
      expect(moreThan(expected.kinds, found.kinds), `round ${round}`).toEqual([]);
      expect(found.leads.filter((lead) => !expected.leads.includes(lead))).toEqual([]);
      expect(await harm(page)).toEqual([]);
    }
    await page.close();
  });
});
