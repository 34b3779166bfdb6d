import { beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../support/waitFor.ts';
import { type Editor, useEditor } from './support/editor.ts';
import type { WorkbenchPage } from './support/workbenchPage.ts';
import { longTest } from '../support/testTags.ts';

/** Two routes, told to something that has a router's words; nothing is installed for it. */
const service = `const http = require('node:http');
const handlers = new Map();
const app = { get: (path, handler) => handlers.set(path.replace('/:id', ''), handler) };

app.get('/tickets', () => 'all of them');

app.get('/ticket/:id', () => 'one of them');

http
  .createServer((request, response) => response.end(handlers.get(request.url.replace(/(ticket)\\/\\d+$/, '$1'))?.() ?? 'ready'))
  .listen(process.env.PORT);
`;
const declaration = `{
  "targets": [
    {
      "id": "tickets",
      "label": "Tickets",
      "runtime": "node",
      "command": ["node", "server.js"],
      "routes": [
        { "path": "/tickets" },
        { "path": "/ticket/:id", "parameters": { "id": { "max": 9 } }, "budget": { "p99Ms": 0.000001 } }
      ]
    }
  ],
  "loadProfiles": [
    {
      "name": "quick", "connections": 4, "durationS": 0.5, "settleS": 0.1, "rounds": 2, "budgetS": 1,
      "warmUp": { "minS": 0, "maxS": 1, "jvmMaxS": 1 }
    }
  ]
}
`;

describe('Routes in the source, in a real VS Code', longTest, () => {
  const start = useEditor({
    files: {
      'benchside.json': declaration,
      'package.json': JSON.stringify({ name: 'tickets', scripts: { start: 'node server.js' } }),
      'server.js': service,
    },
  });
  let editor: Editor;
  let window: WorkbenchPage;
  beforeAll(() => {
    editor = start();
    window = editor.window;
  });

  const lenses = (): Promise<string[]> => window.page.locator('.codelens-decoration').allInnerTexts();
  const lensesWith = (text: RegExp, count: number): Promise<string[]> =>
    waitFor(
      async () => {
        const found = (await lenses()).filter((one) => text.test(one));
        return found.length === count ? found : undefined;
      },
      { timeoutMs: 60_000, what: `${count} lenses with ${String(text)}` },
    );

  it('have lenses above their handlers, whose figures follow a measurement', { timeout: 180_000 }, async () => {
    await window.openFile('server.js');
    const first = await lensesWith(/Measure/, 2);
    expect(first[0]).toMatch(/Measure\W+Flame graph\W+Against HEAD\s*$/);
    await window.pictures('route-lenses');
    await window.page.locator('.codelens-decoration a', { hasText: 'Measure' }).first().click();
    await editor.untilBusy();
    await editor.untilIdle();
    await window.openFile('server.js');
    const [measured] = await lensesWith(/Measure.* ms/s, 1);
    expect(measured).toMatch(/Against HEAD\W+[\d.]+ ms/);
    await window.pictures('route-lenses-measured');
  });

  it('stay with their handlers while the file is edited', { timeout: 60_000 }, async () => {
    await window.openFile('server.js');
    await lensesWith(/Measure/, 2);
    const top = async (): Promise<number> => (await window.page.locator('.codelens-decoration').first().boundingBox())?.y ?? 0;
    const before = await top();
    await window.page.keyboard.press('ControlOrMeta+Home');
    await window.page.keyboard.type('\n\n');
    await waitFor(async () => (await top()) > before + 20, { timeoutMs: 15_000, what: 'the lenses are two lines lower' });
    expect(await lenses()).toHaveLength(2);
    await window.page.keyboard.press('ControlOrMeta+z');
    await window.page.keyboard.press('ControlOrMeta+z');
  });

  it('are offered for each target of benchside.json', { timeout: 60_000 }, async () => {
    await window.openFile('benchside.json');
    const [line] = await lensesWith(/Run/, 1);
    expect(line).toMatch(/Run\W+Tune\W+Record/);
    await window.picture('target-lenses');
  });

  it('are tests of the editor, and one above its budget fails with what is too much', { timeout: 180_000 }, async () => {
    await window.openFile('server.js');
    await lensesWith(/Measure/, 2);
    const before = editor.runs().length;
    await window.runCommand('Test: Run All Tests');
    await editor.untilBusy();
    // The two are measured one after the other: it is over when the second has a result.
    await waitFor(async () => editor.runs().length >= before + 2, { timeoutMs: 120_000, what: 'both are measured' });
    await editor.untilIdle();
    await lensesWith(/⚠ p99/, 1);
    // What is too much is with the test, and at its handler.
    await window.page
      .locator('.monaco-list-row', { hasText: /p99 .*budget 0\.000001 ms/ })
      .first()
      .waitFor();
    await window.pictures('route-tests');
  });
});
