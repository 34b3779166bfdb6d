import type { Page } from 'playwright-core';
import type { Input } from './inputs.ts';

/** What a viewer says of the file it shows, as far as it says it: the share of the heavy function, in per cent. */
export interface Shown {
  heavyPercent: number | null;
  /** What was read, for the report. */
  text: string;
}

/** How one viewer is driven. Expressions run in the page. */
export interface Viewer {
  id: string;
  label: string;
  formats: readonly Input['format'][];
  /** Folder-relative address of the page; `/input` is the file. */
  address: (input: Input) => string;
  /** What the viewer reads instead of the input: made from it before, which is not counted. */
  made?: (input: Input) => string;
  /** For viewers that cannot be given an address: hands the file to them. What came before does not count. */
  hand?: (page: Page, input: Input) => Promise<void>;
  /** True once the picture's element is on the page; it is counted as drawn two animation frames later. */
  present: string;
  /** Switches of view: what triggers them, and what is true once the other view is there. */
  switches: readonly { name: string; trigger: string; present: string }[];
  check: (page: Page, input: Input) => Promise<Shown>;
}

/** The flame graph's element and the app around it, through their shadow roots. */
const app = `document.querySelector('benchside-flame')`;
const graph = `${app}?.shadowRoot?.querySelector('benchside-flame-graph.main')`;
const pressKey = (key: string, code: string): string =>
  `for (const type of ['keydown', 'keypress', 'keyup']) window.dispatchEvent(new KeyboardEvent(type, { key: '${key}', code: '${code}', keyCode: ${key.charCodeAt(0)}, bubbles: true }))`;

export const ours: Viewer = {
  id: 'ours',
  label: 'Benchside',
  formats: ['collapsed', 'cpuprofile'],
  address: () => '/ours.html',
  present: `!!${graph}?.layout && ${graph}.shadowRoot.querySelector('.sheet canvas').width > 0`,
  switches: [
    {
      name: 'flame graph → callers',
      trigger: `${app}.session.visit({ view: 'callers', zoom: null })`,
      present: `[...${app}.shadowRoot.querySelectorAll('benchside-flame-graph')].filter(({ layout }) => layout !== null).length === 2 && !${graph}`,
    },
    {
      name: 'callers → table',
      trigger: `${app}.session.visit({ view: 'table', zoom: null })`,
      present: `!${app}.shadowRoot.querySelector('benchside-flame-graph') && !!${app}.shadowRoot.querySelector('benchside-function-table')`,
    },
    {
      name: 'table → flame graph',
      trigger: `${app}.session.visit({ view: 'flame', zoom: null })`,
      present: `${graph}.layout.boxCount > 1`,
    },
  ],
  check: async (page, input) => {
    const shown = await page.evaluate(`(() => {
      const { layout, names } = ${graph};
      let self = 0;
      for (let box = 0; box < layout.boxCount; box += 1) if (names.name[layout.func[box]] === ${JSON.stringify(input.heavy.name)}) self += layout.self[box];
      return { self, total: layout.total, boxes: layout.boxCount };
    })()`);
    const { self, total, boxes } = shown as { self: number; total: number; boxes: number };
    return { heavyPercent: (100 * self) / total, text: `total ${total}, ${boxes} boxes` };
  },
};

/** The drop zone has one canvas from the start; an open profile has a minimap and a graph. */
const speedscopeGraph = `document.querySelectorAll('canvas').length === 3`;
const speedscopeTab = (label: string): string =>
  `[...document.querySelectorAll('div')].find((one) => one.textContent.endsWith('${label}') && one.textContent.length < 16)`;

const speedscope: Viewer = {
  id: 'speedscope',
  label: 'speedscope 1.25.0',
  formats: ['collapsed', 'cpuprofile'],
  address: (input) =>
    `/tools/bench-peers/node_modules/speedscope/dist/release/index.html#profileURL=${encodeURIComponent('/input')}&title=${input.name}`,
  present: speedscopeGraph,
  switches: [
    {
      name: 'time order → left heavy',
      trigger: `window.benchActive = ${speedscopeTab('Time Order')}.className; ${pressKey('2', 'Digit2')}`,
      present: `${speedscopeTab('Left Heavy')}.className === window.benchActive && ${speedscopeGraph}`,
    },
    { name: 'left heavy → sandwich', trigger: pressKey('3', 'Digit3'), present: `document.querySelectorAll('tr').length > 3` },
    { name: 'sandwich → left heavy', trigger: pressKey('2', 'Digit2'), present: speedscopeGraph },
  ],
  check: async (page, input) => {
    await page.keyboard.press('3');
    const row = page
      .locator('tr')
      .filter({ hasText: input.heavy.name.slice(0, 40) })
      .first();
    const text = ((await row.textContent({ timeout: 120_000 })) ?? '').replace(/\s+/g, ' ');
    // "total (25%) self (25%) name": the second share is the one of self.
    const shares = [...text.matchAll(/\(([\d.]+)%\)/g)].map((match) => Number(match[1]));
    return { heavyPercent: shares[1] ?? null, text };
  },
};

const flameHtml: Viewer = {
  id: 'flame-html',
  label: 'async-profiler 4.5 HTML',
  formats: ['collapsed'],
  address: () => '/input',
  made: (input) => `${input.file}.flame.html`,
  // The script that draws is the last thing in the page.
  present: `document.readyState !== 'loading' && document.querySelector('canvas').width > 1000`,
  switches: [],
  check: async (page, input) => {
    const text = await page.evaluate(
      `(search(${JSON.stringify(input.heavy.name.replace(/[.$]/g, '\\$&'))}), document.getElementById('matchval')?.textContent ?? '')`,
    );
    const percent = /([\d.]+)%/.exec(String(text))?.[1];
    return { heavyPercent: percent === undefined ? null : Number(percent), text: String(text) };
  },
};

const reactPprof: Viewer = {
  id: 'react-pprof',
  label: 'react-pprof 1.5.1',
  formats: ['collapsed', 'cpuprofile'],
  address: () => '/input',
  made: (input) => `${input.file}.react-pprof.html`,
  present: `[...document.querySelectorAll('canvas')].some((canvas) => canvas.width > 600)`,
  switches: [],
  check: async (page) => ({
    heavyPercent: null,
    text: ((await page.locator('body').innerText()) ?? '').replace(/\s+/g, ' ').slice(0, 300),
  }),
};

const cpuproRoot = `document.querySelector('.discovery').shadowRoot`;

const cpupro: Viewer = {
  id: 'cpupro',
  label: 'cpupro 0.7.0',
  formats: ['cpuprofile'],
  address: () => '/tools/bench-peers/node_modules/cpupro/build/app.html',
  hand: async (page, input) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByText('Open file', { exact: false }).first().click()]);
    await page.evaluate('window.benchProbe.restart()');
    await chooser.setFiles(input.file);
  },
  present: `${cpuproRoot}.querySelector('.flamechart') !== null && ${cpuproRoot}.querySelectorAll('tr.view-table-row').length > 3`,
  switches: [],
  check: async (page, input) => {
    const row = page.locator('tr.view-table-row').filter({ hasText: input.heavy.name }).first();
    const text = (await row.textContent()) ?? '';
    const share = await row.locator('.fraction').first().textContent();
    return { heavyPercent: share === null ? null : Number.parseFloat(share), text };
  },
};

export const viewers: readonly Viewer[] = [ours, speedscope, flameHtml, reactPprof, cpupro];
