import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoadedWorkspaceFile, loadWorkspaceFile } from '../../../src/engine/targets/workspaceFile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string): LoadedWorkspaceFile {
  const file = path.join(folder, 'benchside.json');
  writeFileSync(file, text);
  const loaded = loadWorkspaceFile(file);
  if (loaded === null) throw new Error('it was not read');
  return loaded;
}

/** A file with one target, in which `change` replaces parts of the text. */
function withTarget(target: string, rest = ''): string {
  return `{\n  "targets": [\n    {\n      "id": "shop",\n      "command": ["node", "shop.js"],\n      "routes": [{ "path": "/" }],\n      ${target}\n    }\n  ]${rest}\n}\n`;
}

function messages(text: string): string[] {
  const loaded = load(text);
  expect(loaded.content).toBeNull();
  for (const { code, cure, detail } of loaded.problems)
    expect({ code, cure: cure !== '', detail }).toEqual({ code: 'workspace-file', cure: true, detail: loaded.file });
  return loaded.problems.map(({ message }) => message);
}

describe('benchside.json', () => {
  const file = (): string => path.join(folder, 'benchside.json');
  afterEach(() => rmSync(file(), { force: true }));

  it.skipIf(process.platform === 'win32').each([
    ['an endless device behind a link', () => symlinkSync('/dev/zero', file()), /is a link to a file outside of this folder|is not a file/],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [file()]), /it is not a file/],
    ['a folder', () => mkdirSync(file()), /it is not a file/],
    ['a link out of the workspace', () => symlinkSync('/etc/passwd', file()), /is a link to a file outside of this folder/],
    ['more than anybody writes', () => truncateSync(made(), 5_000_000_000), /it is too large \(5000000000 bytes/],
  ])('is said to be unusable, without reading or waiting, where it is %s', (_what, make, expected) => {
    make();
    const loaded = loadWorkspaceFile(file());
    expect(loaded?.content).toBeNull();
    expect(loaded?.problems.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
    rmSync(file(), { recursive: true });
  });

  it.each(['[', '{"a":', '{"targets":['])('is said to be nested too deeply, and ends nothing, where it is %s without end', (opening) => {
    expect(messages(opening.repeat(30_000))).toEqual([expect.stringMatching(/nested too deeply|expected/)]);
  });

  it('may be a link to another file of the workspace', () => {
    writeFileSync(path.join(folder, 'shared.json'), '{}');
    symlinkSync('shared.json', file());
    expect(loadWorkspaceFile(file())?.problems).toEqual([]);
  });

  function made(): string {
    writeFileSync(file(), '');
    return file();
  }

  it('may hold comments and trailing commas; what is left out has its default', () => {
    const { content, problems, baseDir } = load(
      '// ours\n{\n  "targets": [\n    { "id": "shop", /* the one */ "command": ["node", "shop.js"], "routes": [{ "path": "/" },], },\n  ],\n}\n',
    );
    expect(problems).toEqual([]);
    expect(baseDir).toBe(folder);
    expect(content?.targets[0]).toMatchObject({
      runtime: 'other',
      cwd: '.',
      port: { env: 'PORT' },
      ready: { path: '/', timeoutMs: 60_000 },
      settings: {},
      stopGraceMs: 2000,
    });
  });

  it('that is not there is no mistake', () => {
    expect(loadWorkspaceFile(path.join(folder, 'none.json'))).toBeNull();
  });

  it.each([
    ['a colon is missing', '{\n  "targets" []\n}', 'benchside.json:2:13: colon expected.'],
    ['the end is missing', '{ "targets": [', /^benchside\.json:1:15: close bracket expected\.$/],
    ['it is empty', '', /^benchside\.json:1:1: .*\.$/],
    ['it is not JSON', 'targets: []', /^benchside\.json:1:1: invalid symbol\.$/],
  ])('names line and column of a mistake in its syntax: %s', (_name, text, expected) => {
    expect(messages(text)[0]).toMatch(expected);
  });

  it.each([
    [
      'a key that is not known, at that key',
      withTarget('"colour": "red"'),
      'benchside.json:7:7: targets.0.colour: there is no such key here; check its spelling.',
    ],
    [
      'a key that is misspelled, with the nearest one',
      withTarget('"stopGracems": 5'),
      'benchside.json:7:7: targets.0.stopGracems: there is no such key here; the nearest one is “stopGraceMs”.',
    ],
    [
      'a part that is missing',
      '{ "targets": [{ "id": "a", "runtime": "node", "command": ["x"] }] }',
      /targets\.0\.routes: it is missing, and has to be a list\.$/,
    ],
    ['another kind of thing', withTarget('"stopGraceMs": "soon"'), /targets\.0\.stopGraceMs: it has to be a number\.$/],
    [
      'a negative pool',
      withTarget('"settings": { "pool": { "default": -1, "env": "POOL" } }'),
      /^benchside\.json:7:31: targets\.0\.settings\.pool\.default: .*>=0\.$/,
    ],
    [
      'a setting that reaches nothing',
      withTarget('"settings": { "pool": { "default": 1 } }'),
      /^benchside\.json:7:21: targets\.0\.settings\.pool: a setting needs env or arguments/,
    ],
    [
      'a default outside its range',
      withTarget('"settings": { "pool": { "default": 9, "max": 8, "env": "POOL" } }'),
      /settings\.pool: the default is outside min … max/,
    ],
    [
      'a choice without choices',
      withTarget('"settings": { "threads": { "kind": "choice", "choices": [], "default": "a", "env": "T" } }'),
      /settings\.threads\.choices: /,
    ],
    [
      'a setting that is no object',
      withTarget('"settings": { "pool": 8 }'),
      /^benchside\.json:7:21: targets\.0\.settings\.pool: it has to be an object\.$/,
    ],
    [
      'zero connections',
      withTarget('"env": {}', ',\n  "loadProfiles": [{ "name": "mine", "connections": 0 }]'),
      /^benchside\.json:10:38: loadProfiles\.0\.connections: at least one connection\.$/,
    ],
    [
      'zero connections in a ladder',
      withTarget('"env": {}', ',\n  "loadProfiles": [{ "name": "mine", "connections": [4, 0] }]'),
      /loadProfiles\.0\.connections\.1: at least one connection/,
    ],
    [
      'a missing key, at what should hold it',
      '{ "targets": [{ "id": "shop", "routes": [{ "path": "/" }] }] }',
      /^benchside\.json:1:15: targets\.0\.command: /,
    ],
    [
      'an id with capitals',
      withTarget('"label": "Shop"').replace('"shop"', '"Shop"'),
      /^benchside\.json:4:7: targets\.0\.id: an id is lower-case/,
    ],
    [
      'the same id twice',
      '{ "targets": [{ "id": "shop", "command": ["a"], "routes": [{ "path": "/" }] },\n  { "id": "shop", "command": ["b"], "routes": [{ "path": "/" }] }] }',
      'benchside.json:2:5: two targets have the id “shop”.',
    ],
    [
      'the same load profile twice',
      '{ "loadProfiles": [{ "name": "mine", "connections": 1 }, { "name": "mine", "connections": 2 }] }',
      /^benchside\.json:1:60: two load profiles have the name “mine”\.$/,
    ],
  ])('names the place of %s', (_name, text, expected) => {
    const [first] = messages(text);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  it('names the nearest key also where the one that is missing is needed, and none where none is near', () => {
    const text = (key: string): string => `{ "targets": [{ "id": "a", "runtime": "node", "command": ["x"], "${key}": [] }] }`;
    expect(messages(text('rotues')).join()).toContain('targets.0.rotues: there is no such key here; the nearest one is “routes”.');
    expect(messages(text('ROUTE')).join()).toContain('targets.0.ROUTE: there is no such key here; the nearest one is “routes”.');
    expect(messages(text('urls')).join()).toContain('targets.0.urls: there is no such key here; check its spelling.');
  });

  it('tells all that is wrong, not only the first of it', () => {
    expect(messages(withTarget('"cwd": 1, "colour": "red", "stopGraceMs": -5'))).toHaveLength(3);
  });
});
