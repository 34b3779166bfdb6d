import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flameGraph } from '../../../src/cli/flamegraph.ts';
import { openFile } from '../../../src/engine/profiles/openedFile.ts';
import { ProfileReader } from '../../../src/engine/profiles/profileReader.ts';
import { noK6Params } from '../../../src/model/domain/generator.ts';

const source = `export interface Many { rounds: number }

type Sum = number;

export function countedSum({ rounds }: Many): Sum {
  let sum: Sum = 0;
  for (let i = 0; i < rounds; i += 1) {
    sum += Math.sqrt(i);
  }
  return sum;
}

export const caller = (): Sum => countedSum({ rounds: 3 });
`;
const declaredAt = source.split('\n').findIndex((line) => line.includes('function countedSum')) + 1;
const hotAt = source.split('\n').findIndex((line) => line.includes('Math.sqrt')) + 1;

let folder: string;
let sourceFile: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-bundles-'));
  mkdirSync(path.join(folder, 'src'));
  sourceFile = path.join(folder, 'src', 'sum.ts');
  writeFileSync(sourceFile, source);
  writeFileSync(path.join(folder, 'package.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A bundle, and a profile of it as Node writes one, whose only function of the app is `countedSum` by whatever name it has there. */
async function recorded(
  sourcemap: 'inline' | 'linked' | 'external',
  minify = false,
): Promise<{ bundle: string; text: string; profile: object }> {
  const bundle = path.join(folder, 'dist', 'app.cjs');
  await build({ entryPoints: [sourceFile], bundle: true, format: 'cjs', platform: 'node', sourcemap, minify, outfile: bundle });
  const text = readFileSync(bundle, 'utf8');
  const found = /function (\w+)\(\{\s*rounds/.exec(text);
  const functionName = found?.[1] ?? '';
  const before = text.slice(0, (found?.index ?? 0) + `function ${functionName}`.length).split('\n');
  const hot = text.slice(0, text.indexOf('Math.sqrt')).split('\n').length;
  const frame = {
    functionName,
    scriptId: '7',
    url: pathToFileURL(bundle).href,
    lineNumber: before.length - 1,
    columnNumber: before.at(-1)?.length,
  };
  const root = { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 };
  const profile = {
    nodes: [
      { id: 1, callFrame: root, hitCount: 0, children: [2] },
      { id: 2, callFrame: frame, hitCount: 4, positionTicks: [{ line: hot, ticks: 4 }] },
    ],
    startTime: 0,
    endTime: 4000,
    samples: [2, 2, 2, 2],
    timeDeltas: [1000, 1000, 1000, 1000],
  };
  return { bundle, text, profile };
}

function kept(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

interface Row {
  name: string;
  file: string;
  line: number;
  hotLine: number;
}

/** What `benchside flamegraph FILE --format json` prints, and what it says about it. */
async function asked(file: string): Promise<{ rows: Row[]; said: string[] }> {
  const said: string[] = [];
  const output = path.join(folder, 'out.json');
  await flameGraph(
    {
      source: file,
      workspace: folder,
      trials: [],
      process: null,
      diff: null,
      format: 'json',
      event: null,
      normalise: null,
      output,
      json: false,
      node: null,
      java: null,
      k6: noK6Params,
      postgresUrl: null,
      postgresMode: 'own',
      allowHosts: [],
      allowSql: [],
    },
    { assetsDir: folder },
    { document: () => Promise.reject(new Error('it goes to a file')), tell: (text) => said.push(text) },
  );
  const { functions } = JSON.parse(readFileSync(output, 'utf8')) as { functions: Row[] };
  const [sentence, ...notes] = said;
  expect(sentence).toMatch(/^Only 4 samples, too few to tell: .*\.$/);
  return { rows: functions.map(({ name, file: of, line, hotLine }) => ({ name, file: of, line, hotLine })), said: notes };
}

describe('the profile of a bundle', () => {
  it.each(['inline', 'linked', 'external'] as const)('leads to the TypeScript that the bundle was made from: %s map', async (kind) => {
    const { text, profile } = await recorded(kind);
    expect(text.includes('sourceMappingURL')).toBe(kind !== 'external');
    const { rows, said } = await asked(kept('app.cpuprofile', JSON.stringify(profile)));
    expect(rows).toEqual([{ name: 'countedSum', file: sourceFile, line: declaredAt, hotLine: hotAt }]);
    expect(said).toEqual([]);
  });

  it('leads there from one line of a minified bundle, with the name that the function has in the source', async () => {
    const { profile } = await recorded('linked', true);
    expect(JSON.stringify(profile)).not.toContain('countedSum');
    const { rows } = await asked(kept('app.cpuprofile', JSON.stringify(profile)));
    expect(rows).toEqual([{ name: 'countedSum', file: sourceFile, line: declaredAt, hotLine: 0 }]);
  });

  it('leads there when it is packed, written in another way, or of the heap, and in the editor too', async () => {
    const { profile } = await recorded('linked');
    const { nodes } = profile as { nodes: { callFrame: object }[] };
    const ids = JSON.stringify(profile).replaceAll('"id":2', '"id":"two"').replace('[2,2,2,2]', '["two","two","two","two"]');
    const heap = {
      head: { callFrame: nodes[0]?.callFrame, selfSize: 0, children: [{ callFrame: nodes[1]?.callFrame, selfSize: 9, children: [] }] },
    };
    const files = [
      kept('packed.cpuprofile.gz', gzipSync(JSON.stringify(profile))),
      kept('ids.cpuprofile', ids.replace('"children":[2]', '"children":["two"]')),
      kept('app.heapprofile', JSON.stringify(heap)),
    ];
    for (const file of files) {
      const { functions } = (await openFile(file)).tree;
      expect([functions.name.at(-1), functions.file.at(-1), functions.line.at(-1)]).toEqual(['countedSum', sourceFile, declaredAt]);
      const reader = new ProfileReader();
      await reader.open({ profileId: 'p', input: { kind: 'file', path: file }, assetsDir: folder });
      expect(reader.frame({ func: functions.name.length - 1 })).toMatchObject({ file: sourceFile, line: declaredAt });
    }
  });

  it('stays as it is where the bundle, its map or its sources are not there, or the map is broken, which is said', async () => {
    const { bundle, profile } = await recorded('linked');
    const file = kept('app.cpuprofile', JSON.stringify(profile));
    const asRecorded = { name: 'countedSum', file: bundle };
    renameSync(sourceFile, `${sourceFile}.gone`);
    expect((await asked(file)).rows).toMatchObject([asRecorded]);
    renameSync(`${sourceFile}.gone`, sourceFile);
    writeFileSync(`${bundle}.map`, '{"version":3');
    const broken = await asked(file);
    expect(broken.rows).toMatchObject([asRecorded]);
    expect(broken.said).toEqual(['app.cpuprofile: The source map of app.cjs could not be read: these frames show the code that runs.']);
    rmSync(bundle);
    expect((await asked(file)).rows).toMatchObject([asRecorded]);
  });

  it('says where the bundle was built again after it was recorded', async () => {
    const { profile } = await recorded('inline');
    const file = kept('app.cpuprofile', JSON.stringify(profile));
    utimesSync(file, new Date(), new Date(Date.now() - 3_600_000));
    const { rows, said } = await asked(file);
    expect(rows).toMatchObject([{ file: sourceFile }]);
    expect(said).toEqual([
      'app.cpuprofile: app.cjs was built after this was recorded: where the code has changed, files and lines are those of other code.',
    ]);
  });

  it('makes nobody read a file of another computer, or one that is no script', async () => {
    const { profile } = await recorded('inline');
    const text = JSON.stringify(profile);
    for (const url of ['file://server/share/app.js', 'file:///etc/hostname', 'file:///dev/zero.js', 'file:///%00.js', 'file:///a%2fb.js']) {
      const { tree, notes } = await openFile(kept('app.cpuprofile', text.replace(/"url":"file:[^"]*"/, `"url":"${url}"`)));
      expect(tree.nodeCount).toBe(2);
      expect(notes).toEqual([]);
    }
  });
});
