import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { installedJava, installedJavas, installedNode } from '../../../src/engine/targets/installedRuntimes.ts';
import { varied, withValues } from '../../../src/engine/variants/varied.ts';
import { variantKeyOf } from '../../../src/engine/variants/catalogue.ts';
import { declared } from '../../support/declaredTarget.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';

let home = '';

/** An installation as its maker lays it out, with a program that is never run. */
function install(folder: string, program: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries({ [program]: '', ...files })) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  chmodSync(path.join(folder, program), 0o755);
  return path.join(folder, program);
}

beforeAll(() => {
  home = temporaryFolder('runtimes');
  install(path.join(home, '.sdkman/candidates/java/91.0.1-tem'), 'bin/java', { release: 'JAVA_VERSION="91.0.1"\n' });
  install(path.join(home, '.sdkman/candidates/java/91.0.9-tem'), 'bin/java', { release: 'JAVA_VERSION="91.0.9"\n' });
  install(path.join(home, '.sdkman/candidates/java/broken'), 'bin/java', {});
  install(path.join(home, '.nvm/versions/node/v92.3.0'), 'bin/node', {});
  install(path.join(home, '.local/share/mise/installs/node/93'), 'bin/node', {
    'include/node/node_version.h': '#define NODE_MAJOR_VERSION 93\n',
  });
  install(path.join(home, 'elsewhere'), 'bin/node', { 'package.json': '{"version": "94.1.0"}' });
});
afterAll(removeTemporaryFolders);
afterEach(() => vi.unstubAllEnvs());

it('finds versions where their managers put them, the newest of each, and what a variable or the search path names before', () => {
  vi.stubEnv('HOME', home);
  expect(installedJava('91')).toBe(path.join(home, '.sdkman/candidates/java/91.0.9-tem/bin/java'));
  expect(installedNode('92')).toBe(path.join(home, '.nvm/versions/node/v92.3.0/bin/node'));
  expect(installedNode('93')).toBe(path.join(home, '.local/share/mise/installs/node/93/bin/node'));
  expect(installedJavas().map(({ feature }) => feature)).toContain(91);
  vi.stubEnv('JAVA_HOME', path.join(home, '.sdkman/candidates/java/91.0.1-tem'));
  expect(installedJava('91')).toContain('91.0.1-tem');
  expect(installedNode('94')).toBeNull();
  vi.stubEnv('PATH', path.join(home, 'elsewhere/bin'));
  expect(installedNode('94')).toBe(path.join(home, 'elsewhere/bin/node'));
});

it('takes a folder or a program by its path', () => {
  vi.stubEnv('HOME', home);
  const program = path.join(home, 'elsewhere/bin/node');
  for (const value of [path.join(home, 'elsewhere'), program, '~/elsewhere']) expect(installedNode(value)).toBe(program);
  expect(installedJava(path.join(home, 'elsewhere'))).toBeNull();
});

it('is a variant: the program that runs the target, its search path, and what is seen of the process', async () => {
  vi.stubEnv('HOME', home);
  const own = declared('own', { runtime: 'node', command: ['node', 'server.js'] });
  const {
    targets: [target = own],
  } = varied([own], { node: ['92', '93'] }, { java: null });
  const program = path.join(home, '.nvm/versions/node/v92.3.0/bin/node');
  expect(withValues(target, { node: '92' }).target).toMatchObject({
    command: [program, 'server.js'],
    env: { PATH: expect.stringContaining(`${path.dirname(program)}${path.delimiter}`) as string },
  });
  const jvm = declared('jvm', { runtime: 'jvm', command: ['java', '-jar', 'a.jar'] });
  expect(withValues(varied([jvm], { java: ['91'] }, { java: null }).targets[0] ?? jvm, { java: '91' }).target.java).toContain('91.0.9-tem');
  expect(() => varied([own], { node: ['92', '95'] }, { java: null })).toThrow(/No Node\.js 95 was found/);
  const seen = (runs: string): unknown => variantKeyOf('node')?.seen('92', { program: () => runs } as never, 'node');
  expect(await seen(program)).toMatchObject({ holds: true });
  expect(await seen(path.join(home, '.local/share/mise/installs/node/93/bin/node'))).toMatchObject({ holds: false });
});
