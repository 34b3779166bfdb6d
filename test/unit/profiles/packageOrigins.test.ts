import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../../src/calltree/frameKind.ts';
import { libraryName } from '../../../src/calltree/sentence/libraryName.ts';
import { withPackageOrigins } from '../../../src/engine/profiles/packageOrigins.ts';
import { frameKinds } from '../../../src/model/domain/callTree.ts';
import { packTree, unpackTree } from '../../../src/model/domain/packedTree.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'benchside-packages-')));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function put(name: string, content = ''): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function putPackage(folder: string, name: string, version: string): void {
  put(`${folder}/package.json`, JSON.stringify({ name, version }));
}

function link(from: string, to: string): void {
  const file = path.join(root, from);
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(path.relative(path.dirname(file), path.join(root, to)), file);
}

/** Whose the functions of files are, by paths from the folder of the test: `app`, or what the library is called. */
function origins(roots: string[], files: string[]): string[] {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
  for (const [index, name] of files.entries()) {
    const file = name.includes(':') || path.isAbsolute(name) ? name : path.join(root, name);
    builder.add(builder.child(0, builder.func(`f${index}`, file, 1, classifyFrame(`f${index}`, file))), 0, 1);
  }
  const tree = withPackageOrigins(
    builder.build(),
    roots.map((one) => path.join(root, one)),
  );
  const { functions } = unpackTree(packTree(tree));
  return files.map((_file, index) => {
    const func = functions.name.indexOf(`f${index}`);
    const kind = frameKinds[functions.kind[func] as number] as string;
    return kind === 'app' ? kind : libraryName(functions, func);
  });
}

describe('whose a script is follows from where it was loaded', () => {
  it('in a workspace of npm: the app, the packages that are linked to from it, and no other', () => {
    putPackage('repo/packages/money', '@shop/money', '0.0.0');
    putPackage('repo/packages/unlinked', 'unlinked', '2.3.4');
    putPackage('repo/node_modules/pg', 'pg', '8.13.1');
    link('repo/node_modules/@shop/money', 'repo/packages/money');
    expect(
      origins(
        ['repo/apps/api'],
        [
          'repo/apps/api/src/main.ts',
          'repo/packages/money/dist/index.js',
          'repo/node_modules/pg/lib/client.js',
          'repo/packages/unlinked/index.js',
          'node:net',
        ],
      ),
    ).toEqual(['app', 'app', 'pg 8.13', 'unlinked 2.3', 'Node']);
  });

  it('in one of pnpm: what members link to, in whichever order it is seen, and not what its store holds', () => {
    putPackage('packages/rates', 'rates', '1.0.0');
    putPackage('packages/money', 'money', '1.0.0');
    putPackage('node_modules/.pnpm/pg@8.13.1/node_modules/pg', 'pg', '8.13.1');
    link('apps/api/node_modules/money', 'packages/money');
    link('packages/money/node_modules/rates', 'packages/rates');
    link('apps/api/node_modules/pg', 'node_modules/.pnpm/pg@8.13.1/node_modules/pg');
    const files = [
      'packages/rates/rates.js',
      'packages/money/money.js',
      'node_modules/.pnpm/pg@8.13.1/node_modules/pg/lib/client.js',
      'apps/api/main.js',
    ];
    expect(origins(['apps/api'], files)).toEqual(['app', 'app', 'pg 8.13', 'app']);
  });

  it('by the names of links, where Node was told to keep them', () => {
    putPackage('packages/money', 'money', '1.0.0');
    putPackage('store/node_modules/pg', 'pg', '8.13.1');
    link('app/node_modules/money', 'packages/money');
    link('app/node_modules/pg', 'store/node_modules/pg');
    expect(origins(['app'], ['app/node_modules/money/money.js', 'app/node_modules/pg/lib/client.js'])).toEqual(['app', 'pg 8.13']);
  });

  it('where all of node_modules is a link: to packages, not to members', () => {
    putPackage('store/4711/pg', 'pg', '8.13.1');
    link('app/node_modules', 'store/4711');
    expect(origins(['app'], ['app/main.js', 'store/4711/pg/lib/client.js'])).toEqual(['app', 'pg 8.13']);
  });

  it('in a repository, also where the app is started from another of its folders; not in one that holds the home', () => {
    put('repo/.git/HEAD');
    put('repo/package.json', '{"name":"server","version":"3.2.1"}');
    const files = ['repo/bench/hook.cjs', 'repo/dist/main.js', 'repo/node_modules/pg/lib/client.js'];
    expect(origins(['repo/bench'], files)).toEqual(['app', 'app', 'pg']);
    vi.stubEnv('HOME', path.join(root, 'repo'));
    expect(origins(['repo/bench'], files)).toEqual(['app', 'server 3.2', 'pg']);
  });

  it('where the app itself was installed into node_modules', () => {
    putPackage('npx/node_modules/shop', 'shop', '1.0.0');
    putPackage('npx/node_modules/pg', 'pg', '8.13.1');
    const files = [
      'npx/node_modules/shop/dist/main.js',
      'npx/node_modules/shop/node_modules/qs/qs.js',
      'npx/node_modules/pg/lib/client.js',
    ];
    expect(origins(['npx/node_modules/shop'], files)).toEqual(['app', 'qs', 'pg 8.13']);
  });

  it('by node_modules alone where nothing lies below the workspace', () => {
    putPackage('elsewhere', 'elsewhere', '1.0.0');
    putPackage('elsewhere/node_modules/pg', 'pg', '8.13.1');
    for (const roots of [['workspace'], []])
      expect(origins(roots, ['elsewhere/main.js', 'elsewhere/node_modules/pg/lib/client.js'])).toEqual(['app', 'pg 8.13']);
  });

  it('by the package with a name, not by a manifest that only tells how modules are loaded', () => {
    putPackage('other', 'other', '4.5.6');
    put('other/dist/cjs/package.json', '{"type":"commonjs"}');
    put('bare/tool.js');
    expect(origins(['app'], ['app/main.js', 'other/dist/cjs/index.js', 'bare/tool.js'])).toEqual(['app', 'other 4.5', 'tool.js']);
  });

  it('and keeps what nothing tells: WebAssembly, and manifests that cannot be read', () => {
    put('node_modules/odd/package.json', '{"name":"../../etc","version":7}');
    mkdirSync(path.join(root, 'node_modules/folder/package.json'), { recursive: true });
    expect(
      origins(
        ['app'],
        ['app/main.js', 'wasm://wasm/1a2b', 'node_modules/odd/x.js', 'node_modules/folder/x.js', `/${'x'.repeat(5000)}/a.js`],
      ),
    ).toEqual(['app', 'WebAssembly', 'odd', 'folder', 'app']);
  });
});
