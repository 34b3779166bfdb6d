import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recorded } from '../../support/recorded.ts';
import { writeHtml } from '../../../src/engine/calltree/writeHtml.ts';
import { prepareProfile } from '../../../src/engine/profiles/profileParts.ts';
import { type ProfileHead, profileHeadSchema } from '../../../src/model/domain/flame.ts';
import { unpackTree } from '../../../src/model/domain/packedTree.ts';
import { eventHeads, hostileNames, treeOf } from './trees.ts';

const tree = treeOf([{ frames: hostileNames.map((name) => ({ name, file: '', declared: 0, line: 0 })), weights: [1, 2] }], eventHeads);
const parts = prepareProfile(tree);
const head: ProfileHead = {
  profileId: 'file',
  title: '</title></script><script>alert(1)</script>',
  format: 'x',
  recording: null,
  events: parts.events,
  defaultEvent: 'cpu',
  nodeCount: tree.nodeCount,
  functionCount: tree.functions.name.length,
  sampleCount: 0,
  threads: ['</script>'],
  states: [],
  requests: null,
  durationMs: null,
  notes: recorded('<!--'),
  treeBytes: parts.packedTree().length,
  sampleBytes: 0,
  hint: null,
  exports: [],
};
let assets = '';

beforeAll(() => {
  assets = mkdtempSync(path.join(tmpdir(), 'benchside-html-'));
  mkdirSync(path.join(assets, 'dist', 'webview'), { recursive: true });
  writeFileSync(path.join(assets, 'dist', 'webview', 'flamePage.js'), 'const closing = "</script>"; document.title += closing;');
  writeFileSync(path.join(assets, 'dist', 'webview', 'flamePage.css'), 'body{margin:0}');
});
afterAll(() => rmSync(assets, { recursive: true, force: true }));

describe('a page with a recording in it', () => {
  it('holds the head and the packed tree in blocks that nothing in them can leave', async () => {
    const page = await writeHtml(parts, head, assets);
    const blocks = [...page.matchAll(/<script type="([^"]*)"(?: id="([^"]*)")?>([\s\S]*?)<\/script>/g)];
    expect(blocks.map(([, type, id]) => [type, id])).toEqual([
      ['application/json', 'flame-head'],
      ['application/octet-stream+base64', 'flame-tree'],
      ['module', undefined],
    ]);
    expect(profileHeadSchema.parse(JSON.parse(blocks[0]?.[3] ?? ''))).toEqual(head);
    expect(unpackTree(Buffer.from(blocks[1]?.[3] ?? '', 'base64')).functions.name).toEqual(hostileNames);
    expect(page.match(/<script|<!--/g)).toHaveLength(3);
    expect(page).toContain('<title>&lt;/title&gt;&lt;/script&gt;');
  });

  it('allows no other script than its own, and no connection', async () => {
    const page = await writeHtml(parts, head, assets);
    const code = /<script type="module">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(code).digest('base64');
    expect(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]).toMatch(`default-src 'none'; script-src 'sha256-${hash}' blob:;`);
  });

  it('says that the viewer is missing where it is', async () => {
    await expect(writeHtml(parts, head, path.join(assets, 'nowhere'))).rejects.toThrow('The viewer that belongs into the page is missing.');
  });
});
