import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { engineAddress, isPackageManager } from '../../../src/probe/node/launchedAs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'benchside-launched-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the address of the engine', () => {
  const of = (address?: string, token?: string): unknown =>
    engineAddress({ BENCHSIDE_PROBE_ADDRESS: address, BENCHSIDE_PROBE_TOKEN: token });

  it('is a socket in a folder or a port of this machine', () => {
    expect(of('unix:/tmp/a b/p.sock', 'secret')).toEqual({ connect: { path: '/tmp/a b/p.sock' }, token: 'secret' });
    expect(of('tcp:127.0.0.1:4711', 'secret')).toEqual({ connect: { host: '127.0.0.1', port: 4711 }, token: 'secret' });
  });

  it.each([
    [undefined, undefined],
    ['unix:/tmp/p.sock', undefined],
    [undefined, 'secret'],
    ['unix:', 'secret'],
    ['tcp:127.0.0.1:70000', 'secret'],
    ['tcp:127.0.0.1', 'secret'],
    ['http://127.0.0.1:80', 'secret'],
    ['unix:/tmp/p.sock', 'x'.repeat(201)],
  ])('%s with token %s is none', (address, token) => {
    expect(of(address, token)).toBeNull();
  });
});

describe('a package manager', () => {
  it.each(['npm-cli.js', 'npx-cli.js', 'npm', 'yarn.js', 'yarn-4.5.0.cjs', 'pnpm.cjs', 'corepack.js'])('is %s', (name) => {
    expect(isPackageManager(path.join(folder, name))).toBe(true);
  });

  it.each(['server.js', 'npm-server.js', 'yarnish.mjs', 'start.ts', '', undefined])('is not %s', (name) => {
    expect(isPackageManager(name === undefined || name === '' ? name : path.join(folder, name))).toBe(false);
  });

  it('is known through a link of another name', () => {
    writeFileSync(path.join(folder, 'npm-cli.js'), '');
    symlinkSync(path.join(folder, 'npm-cli.js'), path.join(folder, 'n'));
    expect(isPackageManager(path.join(folder, 'n'))).toBe(true);
  });
});
