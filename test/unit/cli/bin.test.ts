import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };

const repository = path.resolve(import.meta.dirname, '../../..');
const command = manifest.bin.benchside;
let clone: string;

/** As a fresh clone has it: neither dependencies nor a build. */
beforeEach(() => {
  clone = realpathSync(mkdtempSync(path.join(tmpdir(), 'benchside-clone-')));
  for (const file of ['package.json', command]) cpSync(path.join(repository, file), path.join(clone, file));
});
afterEach(() => rmSync(clone, { recursive: true }));

function benchside(args: readonly string[], { cwd = clone, node = process.versions.node } = {}) {
  const pretend = path.join(clone, 'pretend.cjs');
  writeFileSync(pretend, `Object.defineProperty(process.versions, 'node', { value: '${node}' });`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', pretend, path.join(clone, command), ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('before the build the command says what to run first, and where', () => {
  const here = benchside(['runs']);
  expect(here).toMatchObject({ status: 1, stdout: '' });
  expect(here.stderr).toMatch(/^Benchside is not built yet\.\nRun “npm start”: .*“npm run setup”/);
  expect(benchside(['runs'], { cwd: tmpdir() }).stderr).toContain(`Run “npm start” in ${clone}`);
});

it('on a Node that is too old the command says which it needs', () => {
  for (const node of ['18.20.8', '20.18.3']) {
    const { status, stderr } = benchside(['runs'], { node });
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^Benchside needs Node 20\\.19\\.0 or later, and this is ${node}\\.\nInstall`));
  }
  for (const node of ['20.19.0', '22.0.0', '100.1.0']) expect(benchside(['runs'], { node }).stderr).toContain('not built yet');
});

it('its version is known without a build; everything else is the build’s', () => {
  expect(benchside(['--version'])).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  mkdirSync(path.join(clone, 'dist'));
  writeFileSync(path.join(clone, 'dist/cli.cjs'), 'console.log(process.argv.slice(2).join());');
  expect(benchside(['runs', '--json'])).toMatchObject({ status: 0, stdout: 'runs,--json\n' });
});
