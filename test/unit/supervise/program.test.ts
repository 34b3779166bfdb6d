import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { childEnvironment } from '../../../src/engine/supervise/environment.ts';
import { findProgram, requireProgram, withoutShell } from '../../../src/engine/supervise/program.ts';
import { postgresLadder } from '../../../src/engine/supervise/stopLadder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-program-'));
  for (const name of ['one', 'two']) mkdirSync(path.join(folder, name));
  const file = (name: string, mode: number): void => {
    writeFileSync(path.join(folder, name), '#!/bin/sh\n');
    chmodSync(path.join(folder, name), mode);
  };
  file('one/data', 0o644);
  file('two/data', 0o755);
  file('two/tool', 0o755);
  mkdirSync(path.join(folder, 'one/tool'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a program', () => {
  it('is the first on the path that may be executed and is a file', () => {
    const searchPath = ['one', 'two'].map((name) => path.join(folder, name)).join(path.delimiter);
    expect(findProgram('tool', '/', searchPath)).toBe(path.join(folder, 'two/tool'));
    expect(findProgram('data', '/', searchPath)).toBe(path.join(folder, 'two/data'));
    expect(findProgram('none', '/', searchPath)).toBeNull();
    expect(findProgram('tool', path.join(folder, 'two'), undefined)).toBeNull();
    // An empty entry would be the current folder.
    expect(findProgram('tool', path.join(folder, 'two'), path.delimiter)).toBeNull();
  });

  it('that is npm is what its script starts, on Windows, which starts no script without a shell', () => {
    const nodejs = path.join(folder, 'nodejs');
    const cli = path.join(nodejs, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    mkdirSync(path.dirname(cli), { recursive: true });
    writeFileSync(cli, '');
    const searchPath = `${path.join(folder, 'one')};${nodejs}`;
    const started = [path.join(nodejs, 'node.exe'), cli, 'start'];
    expect(withoutShell(['npm', 'start'], searchPath, 'win32')).toEqual(started);
    expect(withoutShell(['npm.cmd', 'start'], searchPath, 'win32')).toEqual(started);
    // It has no npx, and other systems start scripts.
    expect(withoutShell(['npx', 'start'], searchPath, 'win32')).toEqual(['npx', 'start']);
    expect(withoutShell(['npm', 'start'], searchPath, 'linux')).toEqual(['npm', 'start']);
    expect(withoutShell(['node', 'npm'], searchPath, 'win32')).toEqual(['node', 'npm']);
  });

  it('with a slash in its name is found from the working folder, not on the path', () => {
    expect(findProgram('./tool', path.join(folder, 'two'), '')).toBe(path.join(folder, 'two/tool'));
    expect(findProgram(path.join(folder, 'two/tool'), '/', '')).toBe(path.join(folder, 'two/tool'));
    expect(findProgram('two/tool', '/', folder)).toBeNull();
  });

  it('that is missing, or whose working folder is, fails with a sentence and a cure', () => {
    const failureOf = (program: string, cwd: string): unknown => {
      try {
        return requireProgram(program, cwd, folder, 'Shop');
      } catch (error) {
        return error instanceof FailureError ? error.failure : error;
      }
    };
    expect(failureOf('nowhere', folder)).toMatchObject({
      code: 'program-not-found',
      message: expect.stringMatching(/^Shop .*“nowhere”/) as string,
      cure: expect.stringContaining('PATH') as string,
    });
    expect(failureOf('./nowhere', folder)).toMatchObject({ code: 'program-not-found', cure: expect.stringContaining(folder) as string });
    expect(failureOf('./tool', path.join(folder, 'three'))).toMatchObject({
      code: 'cwd-missing',
      cure: expect.stringContaining('"cwd"') as string,
    });
  });
});

describe('a child’s environment', () => {
  it('holds nothing of the editor or the package manager, and what is given on top', () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      NODE_OPTIONS: '--inspect',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '1',
      npm_config_x: 'y',
      HARMLESS: 'kept',
    });
    try {
      const environment = childEnvironment({ PORT: '1', HARMLESS: 'replaced' });
      for (const name of ['NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE', 'VSCODE_PID', 'npm_config_x'])
        expect(environment).not.toHaveProperty(name);
      expect(environment).toMatchObject({ PORT: '1', HARMLESS: 'replaced', PATH: process.env['PATH'] });
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});

describe('PostgreSQL', () => {
  it('is never sent SIGKILL, nor is its group', () => {
    expect(postgresLadder.map(({ signal, to }) => `${signal} ${to}`)).toEqual(['SIGINT process', 'SIGQUIT process']);
  });
});
