import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoadedScript, mapCpuProfile, SourceMaps } from '../../../../src/engine/record/node/sourceMaps.ts';
import type { CpuProfile } from '../../../../src/engine/record/node/v8Profiles.ts';

let folder = '';
let source = '';
const helper = `export interface Many { rounds: number }

export const twice = (value: number): number => value * 2;
`;
const main = `import { twice } from './helper.ts';
import type { Many } from './helper.ts';

type Sum = number;

export function hot({ rounds }: Many): Sum {
  let sum: Sum = 0;
  for (let i = 0; i < rounds; i += 1) {
    sum += twice(i);
  }
  return sum;
}

export function other(): Sum {
  return hot({ rounds: 3 });
}
`;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-maps-'));
  source = path.join(folder, 'main.ts');
  writeFileSync(source, main);
  writeFileSync(path.join(folder, 'helper.ts'), helper);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function bundled(sourcemap: 'inline' | 'linked', minify = false): Promise<{ url: string; text: string; script: LoadedScript }> {
  const outfile = path.join(folder, `out-${sourcemap}-${minify}.mjs`);
  await build({ entryPoints: [source], bundle: true, format: 'esm', platform: 'node', sourcemap, minify, outfile, absWorkingDir: folder });
  const text = readFileSync(outfile, 'utf8');
  const sourceMapUrl = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)?.[1] ?? '';
  return { url: pathToFileURL(outfile).href, text, script: { text, sourceMapUrl } };
}

/** Line (from 1) and column (from 0) of the first character after a text. */
function after(text: string, what: string): { line: number; column: number } {
  const offset = text.indexOf(what) + what.length;
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}

const lineOf = (text: string, what: string): number => after(text, what).line;

function profileOf(url: string, text: string, ticks: { line: number; ticks: number }[]): CpuProfile {
  const { line, column } = after(text, 'function hot');
  const callFrame = { functionName: 'hot', scriptId: '1', url, lineNumber: line - 1, columnNumber: column };
  return { nodes: [{ id: 1, callFrame, positionTicks: ticks }], startTime: 0, endTime: 1 };
}

describe('source maps', () => {
  it.each(['inline', 'linked'] as const)('lead from a bundle to the TypeScript it was made from: %s', async (kind) => {
    const { url, text, script } = await bundled(kind);
    const maps = new SourceMaps(new Map([[url, script]]), folder);
    const profile = profileOf(url, text, [
      { line: lineOf(text, 'sum += twice(i)'), ticks: 7 },
      { line: lineOf(text, 'i += 1'), ticks: 2 },
      { line: lineOf(text, 'value * 2'), ticks: 5 },
      { line: lineOf(text, 'return hot('), ticks: 3 },
    ]);
    mapCpuProfile(profile, maps);
    expect(profile.nodes[0]).toMatchObject({
      callFrame: { functionName: 'hot', url: pathToFileURL(source).href, lineNumber: lineOf(main, 'function hot') - 1 },
      // The lines of `twice` and `other`, which are outside of the function, are left out.
      positionTicks: [
        { line: lineOf(main, 'sum += twice(i)'), ticks: 7 },
        { line: lineOf(main, 'i += 1'), ticks: 2 },
      ],
    });
    expect(maps.broken).toEqual([]);
  });

  it('tell no lines of a function that stands on one line of a minified bundle', async () => {
    const { url, script } = await bundled('linked', true);
    const name = /export\{(\w+) as hot/.exec(script.text)?.[1] ?? '';
    const { line, column } = after(script.text, `function ${name}`);
    const callFrame = { functionName: name, scriptId: '1', url, lineNumber: line - 1, columnNumber: column };
    const profile: CpuProfile = { nodes: [{ id: 1, callFrame, positionTicks: [{ line, ticks: 9 }] }], startTime: 0, endTime: 1 };
    mapCpuProfile(profile, new SourceMaps(new Map([[url, script]]), folder));
    expect(profile.nodes[0]).toMatchObject({
      callFrame: { url: pathToFileURL(source).href, lineNumber: lineOf(main, 'function hot') - 1 },
      positionTicks: [],
    });
  });

  it.each<[string, (url: string) => string]>([
    ['a map that is missing', () => 'nowhere.map'],
    ['a map on the web', () => 'https://maps.example/a.map'],
    ['a map that is no JSON', () => `data:application/json;base64,${Buffer.from('{"version"').toString('base64')}`],
    ['a map without mappings', () => 'data:application/json,{"version":3,"sources":["main.ts"]}'],
    ['a map of another version', () => 'data:application/json,{"version":2,"sources":["main.ts"],"mappings":""}'],
    ['a data address without data', () => 'data:application/json'],
    ['a folder', () => '.'],
  ])('leave frames as they are for %s, and say so', async (_what, mapUrl) => {
    const { url, text } = await bundled('linked');
    const maps = new SourceMaps(new Map([[url, { text, sourceMapUrl: mapUrl(url) }]]), folder);
    const ticks = [{ line: lineOf(text, 'sum += twice(i)'), ticks: 7 }];
    const profile = profileOf(url, text, ticks);
    const before = structuredClone(profile);
    mapCpuProfile(profile, maps);
    expect(profile).toEqual(before);
    expect(maps.broken).toEqual([url]);
  });

  it('leave frames as they are where the source is not there any more', async () => {
    const { url, text, script } = await bundled('inline');
    const map = JSON.parse(Buffer.from(script.sourceMapUrl.split(',')[1] ?? '', 'base64').toString()) as { sources: string[] };
    map.sources = map.sources.map((name) => `gone/${name}`);
    const maps = new SourceMaps(
      new Map([[url, { text, sourceMapUrl: `data:application/json,${encodeURIComponent(JSON.stringify(map))}` }]]),
      folder,
    );
    const profile = profileOf(url, text, []);
    mapCpuProfile(profile, maps);
    expect(profile.nodes[0]?.callFrame.url).toBe(url);
  });

  it('tell whose the code of a bundle is, also where the package that it was taken from is not there any more', async () => {
    const { url, text, script } = await bundled('inline');
    const map = JSON.parse(Buffer.from(script.sourceMapUrl.split(',')[1] ?? '', 'base64').toString()) as { sources: string[] };
    map.sources = map.sources.map((name) => `../node_modules/gone/${path.basename(name)}`);
    const maps = new SourceMaps(
      new Map([[url, { text, sourceMapUrl: `data:application/json,${encodeURIComponent(JSON.stringify(map))}` }]]),
      folder,
    );
    const profile = profileOf(url, text, []);
    mapCpuProfile(profile, maps);
    expect(profile.nodes[0]?.callFrame.url).toMatch(/\/node_modules\/gone\/main\.ts$/);
  });

  it('find sources by the names that webpack gives them', async () => {
    const { url, text, script } = await bundled('inline');
    const map = JSON.parse(Buffer.from(script.sourceMapUrl.split(',')[1] ?? '', 'base64').toString()) as { sources: string[] };
    map.sources = map.sources.map((name) => `webpack://app/./${name}`);
    const maps = new SourceMaps(
      new Map([[url, { text, sourceMapUrl: `data:application/json,${encodeURIComponent(JSON.stringify(map))}` }]]),
      folder,
    );
    const profile = profileOf(url, text, []);
    mapCpuProfile(profile, maps);
    expect(profile.nodes[0]?.callFrame.url).toBe(pathToFileURL(source).href);
  });

  it('keep the ticks within their function where a script has none', () => {
    const url = 'file:///plain.js';
    const text = 'function a() {\n  b();\n}\nfunction b() {\n  c();\n}\n';
    const maps = new SourceMaps(new Map([[url, { text, sourceMapUrl: '' }]]));
    const frame = { functionName: 'a', scriptId: '1', url, lineNumber: 0, columnNumber: 10 };
    const ticks = [1, 2, 3, 4, 5].map((line) => ({ line, ticks: line }));
    expect(maps.ticks(frame, ticks)).toEqual(ticks.slice(0, 3));
    expect(maps.ticks({ ...frame, url: 'file:///unknown.js' }, ticks)).toEqual(ticks);
  });
});
