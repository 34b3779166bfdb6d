import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetProblem } from '../../../src/engine/targets/catalog.ts';
import { targetCommand } from '../../../src/engine/targets/launchTarget.ts';
import { targetJava } from '../../../src/engine/targets/targetJava.ts';
import { Toolchain } from '../../../src/engine/targets/toolchain.ts';
import { declared } from '../../support/declaredTarget.ts';

let folder: string;
let jdk: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-jdk-'));
  jdk = path.join(folder, 'jdk-21');
  mkdirSync(path.join(jdk, 'bin'), { recursive: true });
  mkdirSync(path.join(folder, 'empty'));
  writeFileSync(path.join(jdk, 'bin', 'java'), '#!/bin/sh\n');
  chmodSync(path.join(jdk, 'bin', 'java'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

const toolchain = new Toolchain({ nodePath: process.execPath, javaPath: '/opt/other/bin/java' });

function command(words: string[], more: Record<string, unknown> = {}): { argv: string[]; env: Record<string, string> } {
  const target = { ...declared('shop', { command: words, java: jdk, ...more }), baseDir: folder };
  return targetCommand(target, { pool: 4 }, 8123, { database: null, toolchain, cookieEnvironment: {} });
}

describe('the JDK that a target names', () => {
  it('is meant by “java” and by {java}, and is the JAVA_HOME of what is started', () => {
    const { argv, env } = command(['java', '-jar', 'shop.jar', '{port}']);
    expect(argv).toEqual([path.join(jdk, 'bin', 'java'), '-jar', 'shop.jar', '8123']);
    expect(env['JAVA_HOME']).toBe(jdk);
    expect(command(['./run.sh', '--jvm={java}']).argv[1]).toBe(`--jvm=${path.join(jdk, 'bin', 'java')}`);
    expect(command(['{java}', 'Shop']).argv[0]).toBe(path.join(jdk, 'bin', 'java'));
  });

  it('leaves those alone that name none', () => {
    const { argv, env } = command(['java', 'Shop'], { java: undefined, env: { JAVA_HOME: '/opt/mine' } });
    expect(argv[0]).toBe('/opt/other/bin/java');
    expect(env['JAVA_HOME']).toBe('/opt/mine');
  });

  it('may be its program, relative to the file, or in a variable', () => {
    const expected = { program: path.join(jdk, 'bin', 'java'), home: jdk };
    expect(targetJava('jdk-21', folder, 'Shop')).toEqual(expected);
    expect(targetJava('jdk-21/bin/java', folder, 'Shop')).toEqual(expected);
    expect(targetJava('${env:JDK_21}', '/', 'Shop', { JDK_21: jdk })).toEqual(expected);
    expect(targetJava('${env:JDKS}/jdk-21', '/', 'Shop', { JDKS: folder })).toEqual(expected);
  });

  it.each([
    ['a folder without Java', 'empty', /has no program bin\/java/],
    ['nothing', 'jdk-8', /where there is none/],
    ['a variable that is not set', '${env:NO_SUCH_JDK}', /variable NO_SUCH_JDK, which is not set/],
  ])('that is %s is said before anything is started', (_what, java, message) => {
    const target = { ...declared('shop', { command: ['java', 'Shop'], java }), baseDir: folder };
    expect(targetProblem(target, toolchain)).toMatchObject({ code: 'java-missing', message: expect.stringMatching(message) as string });
  });

  it('is needed for {java} in a command, too', () => {
    const target = declared('shop', { command: ['./run.sh', '{java}'] });
    expect(targetProblem(target, { java: null })).toMatchObject({ code: 'java-missing' });
  });
});
