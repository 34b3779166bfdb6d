import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/target.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';

afterAll(removeTemporaryFolders);
const slow = 120_000;

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('unknown');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

async function benchside(folder: string, ...args: string[]): Promise<{ code: number | null; out: string; said: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd: folder,
    env: { ...process.env, BENCHSIDE_STORAGE: path.join(folder, 'storage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, said: out + err };
}

/** No framework, and nothing that is called as a server is. */
const app = `
import * as web from 'node:http';
const make = web.createServer;
make((request, response) => {
  const known = request.url === '/' || request.url === '/things';
  response.statusCode = known ? 200 : 404;
  response.end(known ? 'here' : 'what?');
})['listen'](Number(process.env.PORT), '127.0.0.1');
`;
const brief = ['--load', 'quick', '--duration', '0.5', '--rounds', '1'];

function declaredIn(folder: string) {
  return workspaceFileSchema.parse(parse(readFileSync(path.join(folder, 'benchside.json'), 'utf8'))).targets;
}

describe('a service of which nothing is known but what starts it', () => {
  it('is found by its npm script, started, declared as it was seen, and measured', { timeout: slow }, async () => {
    const folder = folderOf({
      'package.json': JSON.stringify({ name: 'odd', type: 'module', scripts: { test: 'node --test', start: 'cd lib && node run.js' } }),
      'lib/run.js': app,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toContain('npm run start  (package.json:1: scripts.start)');
    expect(declaredIn(folder)).toMatchObject([
      {
        id: 'odd',
        runtime: 'node',
        command: ['npm', 'run', 'start'],
        port: { env: 'PORT' },
        ready: { path: '/' },
        routes: [{ path: '/' }],
      },
    ]);
    const run = await benchside(folder, 'run', ...brief);
    expect(run.code, run.said).toBe(0);
    expect(run.said).toMatch(/req(?:uests)?\/s/);
  });

  it('is the one that a command starts, with the route that it is said to answer', { timeout: slow }, async () => {
    const folder = folderOf({ 'one.mjs': app, 'other.mjs': 'console.log("not this one")' });
    const init = await benchside(folder, 'init', '-y', '--route', '/things', '--', 'LEVEL=2', 'node', 'one.mjs', '--quiet');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)).toMatchObject([
      {
        command: ['node', 'one.mjs', '--quiet'],
        env: { LEVEL: '2' },
        routes: [{ path: '/things', weight: 1 }],
        ready: { path: '/things' },
      },
    ]);
  });

  it('is not guessed among several: they are listed, and how to name one', { timeout: slow }, async () => {
    const folder = folderOf({
      'package.json': JSON.stringify({ scripts: { api: 'node api.mjs', web: 'node web.mjs' } }),
      'api.mjs': app,
      'web.mjs': app,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(1);
    expect(init.said).toContain('1  node api.mjs  (package.json:1: scripts.api)');
    expect(init.said).toContain('2  node web.mjs  (package.json:1: scripts.web)');
    expect(init.said).toContain('Name its command: benchside init -- node api.mjs');
    expect(existsSync(path.join(folder, 'benchside.json'))).toBe(false);
    const { found } = JSON.parse((await benchside(folder, 'init', '--json')).out) as { found: { candidates: { file: string }[] } };
    expect(found.candidates).toMatchObject([
      { file: 'package.json', line: 1, what: 'scripts.api' },
      { file: 'package.json', line: 1, what: 'scripts.web' },
    ]);
  });

  it('is not declared where it does not come up: its last words are told, and what to do', { timeout: slow }, async () => {
    const folder = folderOf({ 'one.js': 'console.error("I need a STAR"); process.exit(3);' });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(1);
    expect(init.said).toContain('I need a STAR');
    expect(init.said).toMatch(/did not come up\. Name the command that starts it: benchside init -- node one\.js/);
    expect(existsSync(path.join(folder, 'benchside.json'))).toBe(false);
  });

  it('and there is none: what to do is said', { timeout: slow }, async () => {
    const init = await benchside(folderOf({ 'read.me': 'nothing' }), 'init', '-y');
    expect(init.code).toBe(1);
    expect(init.said).toContain('No file here says how a service is started. Name its command: benchside init -- COMMAND');
  });
});
