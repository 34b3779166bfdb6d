import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/engine/supervise/program.ts';
import { passedOver, splitSearchPath } from '../../../src/engine/supervise/searchPath.ts';

let folder: string;
let repository: string;
let machine: string;
const join = (...folders: string[]): string => folders.join(path.delimiter);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-path-'));
  repository = path.join(folder, 'repository');
  machine = path.join(folder, 'machine');
  for (const file of ['repository/node', 'repository/node_modules/.bin/node', 'repository/node_modules/.bin/git', 'machine/node']) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '#!/bin/sh\n');
    chmodSync(path.join(folder, file), 0o755);
  }
  symlinkSync(repository, path.join(folder, 'link'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the PATH of an engine', () => {
  it('is without the folders of the workspace, however they are written', () => {
    const bin = path.join(repository, 'node_modules/.bin');
    const linked = path.join(folder, 'link/node_modules/.bin');
    expect(splitSearchPath(join(bin, machine, linked, repository), repository)).toEqual({
      machine,
      workspace: [bin, linked, repository],
    });
    expect(splitSearchPath(join(bin, machine), path.join(folder, 'link')).machine).toBe(machine);
    expect(splitSearchPath(join(bin, machine), null).machine).toBe(join(bin, machine));
    expect(splitSearchPath(join(`${repository}-2`, machine), repository).machine).toBe(join(`${repository}-2`, machine));
  });

  it('is without what depends on where one stands', () => {
    expect(splitSearchPath(join('.', '', 'node_modules/.bin', './bin', machine, ''), repository).machine).toBe(machine);
    expect(findProgram('searchPath.ts', '/', '.')).toBeNull();
  });

  it('keeps the programs of a person whose home folder is the workspace', () => {
    const own = path.join(homedir(), '.local', 'bin');
    const packages = path.join(homedir(), 'node_modules', '.bin');
    expect(splitSearchPath(join(packages, own), homedir())).toEqual({ machine: own, workspace: [packages] });
  });
});

describe('a program of the workspace that has the name of one of ours', () => {
  it('is told of, with what is used in its place and how it could be meant', () => {
    const bin = path.join(repository, 'node_modules/.bin');
    const said = passedOver(splitSearchPath(join(bin, machine), repository), []);
    expect(said[0]).toBe(
      `${bin}/node belongs to this workspace and is passed over: ${machine}/node is used. If it is meant, name it with --node or in the setting “benchside.nodePath”.`,
    );
    expect(said[1]).toBe(`${bin}/git belongs to this workspace and is passed over: no other one was found on the PATH.`);
    expect(said).toHaveLength(2);
    expect(passedOver(splitSearchPath(join(bin, machine), repository), ['node'])).toHaveLength(1);
    expect(passedOver(splitSearchPath(machine, repository), [])).toEqual([]);
  });
});
