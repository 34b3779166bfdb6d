import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventTotal, functionTable } from '../../../src/calltree/totals.ts';
import { openFile } from '../../../src/engine/profiles/openedFile.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'benchside-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

const code = [
  { name: 'main /app/main.js:3:1', type: 'JS', kind: 'Opt' },
  { name: 'read /app/read.js:9:1', type: 'JS', kind: 'Unopt' },
  { name: '/usr/lib/libc.so.6', type: 'SHARED_LIB' },
];
const tick = (...s: number[]) => ({ tm: 0, vm: 0, s: s.flatMap((one) => [one, 0]) });
/** Twice below `read`, once in the library that it calls. */
const processed = JSON.stringify({ code, functions: [], ticks: [tick(1, 0), tick(1, 0), tick(2, 1, 0)] });
const ticks = JSON.stringify([
  [code[0], code[1]],
  [code[0], code[1]],
  [code[0], code[1], code[2]],
]);

describe('a folder of a profiler', () => {
  it.each([
    ['0x', { 'meta.json': '{"title":"x"}', 'flamegraph.html': '<!doctype html>', 'isolate0x1-12-v8.json': processed }],
    ['Clinic Flame', { '4711.clinic-flame-systeminfo': '{"clock":{}}', '4711.clinic-flame-samples': ticks }],
    [
      'Clinic Flame of before',
      { '4711.clinic-flame-0x-data/ticks.json': ticks, '4711.clinic-flame-0x-data/isolate0x1-v8.json': processed },
    ],
  ])('of %s opens as the stacks in it', async (_tool, files) => {
    for (const [name, content] of Object.entries(files)) put(name, content);
    const { tree, notes } = await openFile(root);
    expect(notes).toEqual([]);
    expect(tree.events.map(eventTotal)).toEqual([3]);
    expect(functionTable(tree, tree.events[0]!).map(({ name, file, self, total }) => [name, file, self, total])).toEqual([
      ['read', '/app/read.js', 2, 3],
      ['/usr/lib/libc.so.6', '', 1, 1],
      ['main', '/app/main.js', 0, 3],
    ]);
  });

  it('with several of one form opens as the largest, and says so', async () => {
    put('isolate0x1-12-v8.json', processed);
    put('isolate0x2-12-v8.json', `${processed}  `);
    const { notes } = await openFile(root);
    expect(notes).toEqual([{ code: 'largest-of-folder', count: 2, name: 'isolate0x2-12-v8.json' }]);
  });

  it('without stacks is refused by what it lacks', async () => {
    put('4711.clinic-doctor-systeminfo', '{"clock":{}}');
    await expect(openFile(root)).rejects.toThrow(/is no recording of a format that is read here/);
  });
});
