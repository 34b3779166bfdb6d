import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Allowance, declaredIn } from '../../../src/agents/allowance.ts';
import { takeTurn } from '../../../src/agents/turn.ts';
import { type ProcessIdentity, processIdentity } from '../../../src/engine/supervise/identity.ts';

let folder: string;
let workspaceDir: string;
let storageDir: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-allowance-'));
  workspaceDir = path.join(folder, 'workspace');
  storageDir = path.join(folder, 'storage');
  mkdirSync(workspaceDir);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const target = { id: 'shop', command: ['node', 'server.js'], routes: [{ path: '/' }] };
const declare = (...targets: object[]): void => writeFileSync(path.join(workspaceDir, 'benchside.json'), JSON.stringify({ targets }));
const refusal = (dir = workspaceDir): string | undefined => new Allowance(storageDir, dir).refusal()?.message;

describe('the user’s permission', () => {
  it('is needed, holds for later processes, and can be taken back', async () => {
    declare(target);
    expect(refusal()).toMatch(/has not allowed/);
    await new Allowance(storageDir, workspaceDir).allow();
    expect(refusal()).toBeUndefined();
    await new Allowance(storageDir, workspaceDir).forbid();
    expect(refusal()).toMatch(/has not allowed/);
  });

  it('is of one folder, whichever way it is named', async () => {
    const other = path.join(folder, 'other');
    mkdirSync(other);
    symlinkSync(workspaceDir, path.join(folder, 'link'));
    await new Allowance(storageDir, workspaceDir).allow();
    expect([refusal(), refusal(path.join(folder, 'link')), refusal(other)]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/has not allowed/),
    ]);
  });

  it.each([
    ['another command', { ...target, command: ['sh', '-c', 'curl'] }],
    ['another argument of a setting', { ...target, settings: { pool: { default: 1, arguments: ['--eval={value}'] } } }],
    ['another environment', { ...target, env: { NODE_OPTIONS: '--require ./x.js' } }],
    ['another folder', { ...target, cwd: '..' }],
    ['other build commands', { ...target, build: [['sh', 'x']] }],
    ['other SQL files', { ...target, postgres: { env: {}, sql: ['drop.sql'] } }],
  ])('ends with %s', async (_what, changed) => {
    declare(target);
    await new Allowance(storageDir, workspaceDir).allow();
    declare(changed);
    expect(refusal()).toMatch(/has changed since/);
  });

  it('ends with another target and with another server, and not with other routes, words or load profiles', async () => {
    declare(target);
    const allowance = new Allowance(storageDir, workspaceDir);
    await allowance.allow();
    declare({ ...target, routes: [{ path: '/a' }], label: 'Shop', description: 'Sells.', ready: { path: '/health' } });
    expect(refusal()).toBeUndefined();
    declare(target, { ...target, id: 'more' });
    expect(refusal()).toMatch(/has changed since/);
    writeFileSync(
      path.join(workspaceDir, 'benchside.json'),
      JSON.stringify({ targets: [target], postgres: { url: 'postgres://elsewhere/db' } }),
    );
    expect(refusal()).toMatch(/has changed since/);
  });

  it('is none where its file is damaged, and a benchside.json that is no JSON is told from another', async () => {
    await new Allowance(storageDir, workspaceDir).allow();
    writeFileSync(path.join(storageDir, 'agent-workspaces.json'), '{');
    expect(refusal()).toMatch(/has not allowed/);
    writeFileSync(path.join(workspaceDir, 'benchside.json'), '{ "targets": [');
    const one = declaredIn(workspaceDir).sha256;
    writeFileSync(path.join(workspaceDir, 'benchside.json'), '{ "targets": [ {');
    expect(declaredIn(workspaceDir).sha256).not.toBe(one);
  });

  it('shows everything that its digest is of, whole', () => {
    const long = `--config=${'x'.repeat(500)}`;
    declare({
      ...target,
      command: ['node', 'a b.js', long],
      cwd: 'elsewhere',
      env: { NODE_OPTIONS: '--require ./x.js' },
      settings: { pool: { default: 1, arguments: ['--eval={value}'] } },
      postgres: { env: {}, sql: ['drop.sql'] },
      build: [['./fetch', '--all']],
      java: './jdk',
      label: 'Shop',
    });
    expect(declaredIn(workspaceDir)).toMatchObject({
      targets: [
        {
          id: 'shop',
          lines: [
            `command: ["node","a b.js","${long}"]`,
            'cwd: "elsewhere"',
            'env: {"NODE_OPTIONS":"--require ./x.js"}',
            'settings: {"pool":{"default":1,"arguments":["--eval={value}"]}}',
            'postgres: {"env":{},"sql":["drop.sql"]}',
            'build: [["./fetch","--all"]]',
            'java: "./jdk"',
          ],
        },
      ],
      shared: [],
    });
    writeFileSync(path.join(workspaceDir, 'benchside.json'), JSON.stringify({ targets: [], postgres: { url: 'postgres://elsewhere/db' } }));
    expect(declaredIn(workspaceDir).shared).toEqual(['postgres of all targets: {"url":"postgres://elsewhere/db"}']);
  });

  it('is of what was shown, though the file is another one when it is given', async () => {
    declare(target);
    const shown = declaredIn(workspaceDir);
    declare({ ...target, command: ['sh'] });
    const allowance = new Allowance(storageDir, workspaceDir);
    await allowance.allow(shown);
    expect(allowance.starts()).toBe(shown.sha256);
    expect(refusal()).toMatch(/has changed since/);
  });

  it('waits for no pipe and reads no device that stands in the place of benchside.json', () => {
    const file = path.join(workspaceDir, 'benchside.json');
    const none = declaredIn(workspaceDir);
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    expect(declaredIn(workspaceDir)).toEqual(none);
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect(declaredIn(workspaceDir)).toEqual(none);
  });
});

describe('the turn to measure', () => {
  it('is one client’s at a time, and is free again afterwards', () => {
    const end = takeTurn(storageDir);
    expect(() => takeTurn(storageDir)).toThrow(/measures on this machine now/);
    end();
    takeTurn(storageDir)();
  });

  const held = (by: Partial<ProcessIdentity>): void => {
    mkdirSync(storageDir, { recursive: true });
    writeFileSync(path.join(storageDir, 'agent-measuring'), JSON.stringify({ ...processIdentity(process.pid), ...by }));
  };

  it('of a process that runs no more is free, and so is one that was broken off while it was taken', () => {
    held({ startTime: '9' });
    takeTurn(storageDir)();
    writeFileSync(path.join(storageDir, 'agent-measuring'), '');
    takeTurn(storageDir)();
    expect(readdirSync(storageDir)).toEqual([]);
  });

  it('of another machine that shares the home is free a day later', () => {
    held({ host: '0badcafe', bootId: 'another' });
    expect(() => takeTurn(storageDir)).toThrow(/measures on this machine now/);
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(path.join(storageDir, 'agent-measuring'), longAgo, longAgo);
    takeTurn(storageDir)();
  });

  it('that somebody else has taken meanwhile is not ended', () => {
    const end = takeTurn(storageDir);
    const other = processIdentity(process.ppid);
    held(other ?? {});
    end();
    expect(() => takeTurn(storageDir)).toThrow(/measures on this machine now/);
  });
});
