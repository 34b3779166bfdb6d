import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { environmentSchema } from '../../../src/model/domain/run.ts';
import { hashFiles, readEnvironment, readGit, readVirtualisation } from '../../../src/engine/observe/fingerprint.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'observe-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(name: string, content: string): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const gitThat = (answers: Readonly<Record<string, string | null>>) => ({
  run: (args: readonly string[]) => Promise.resolve(answers[args[0] ?? ''] ?? null),
});

describe('the commit', () => {
  const commit = 'a'.repeat(40);

  it('is clean, or dirty with any changed or new file', async () => {
    expect(await readGit(gitThat({ 'rev-parse': `${commit}\n`, status: '' }))).toEqual({ commit, dirty: false });
    expect(await readGit(gitThat({ 'rev-parse': `${commit}\n`, status: '?? new.ts\n' }))).toEqual({ commit, dirty: true });
  });

  it('counts as dirty when that cannot be told', async () => {
    expect(await readGit(gitThat({ 'rev-parse': commit, status: null }))).toEqual({ commit, dirty: true });
  });

  it('is unknown without git, without a repository, and in one without commits', async () => {
    expect(await readGit(gitThat({}))).toBeNull();
    expect(await readGit(gitThat({ 'rev-parse': 'HEAD\n' }))).toBeNull();
  });
});

describe('the version of files', () => {
  it('changes with a content and with a name, not with the order or the place', async () => {
    const [a, b] = [put('x/a.js', 'one'), put('x/b.js', 'two')];
    const version = await hashFiles([a, b], join(root, 'x'));
    expect(version).toMatch(/^[0-9a-f]{12}$/);
    expect(await hashFiles([b, a], join(root, 'x'))).toBe(version);
    expect(await hashFiles([put('y/a.js', 'one'), put('y/b.js', 'two')], join(root, 'y'))).toBe(version);
    expect(await hashFiles([put('z/a.js', 'one'), put('z/c.js', 'two')], join(root, 'z'))).not.toBe(version);
    put('x/b.js', 'two ');
    expect(await hashFiles([a, b], join(root, 'x'))).not.toBe(version);
  });

  it('fails for a file that is not there', async () => {
    await expect(hashFiles([join(root, 'none')])).rejects.toThrow(/ENOENT/);
  });
});

describe('virtualisation', () => {
  it('is told by the CPU’s hypervisor flag, with the maker where firmware names it', () => {
    put('proc/cpuinfo', 'processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n');
    expect(readVirtualisation(root)).toBe('hypervisor');
    put('sys/class/dmi/id/sys_vendor', 'QEMU\n');
    put('sys/class/dmi/id/product_name', 'Standard PC\n');
    expect(readVirtualisation(root)).toBe('QEMU Standard PC');
  });

  it('is none on bare metal', () => {
    put('proc/cpuinfo', 'flags\t\t: fpu vme\n');
    put('sys/class/dmi/id/sys_vendor', 'LENOVO\n');
    put('sys/class/dmi/id/product_name', '20XW\n');
    expect(readVirtualisation(root)).toBeNull();
  });

  it('names a container', () => {
    put('proc/1/cgroup', '2:cpu:/docker/abc\n');
    expect(readVirtualisation(root)).toBe('container');
  });
});

it('the environment of this machine is complete enough for a run’s record', async () => {
  const facts = {
    benchsideVersion: '0.1.0',
    nodeVersion: '20.20.0',
    javaVersion: null,
    postgresVersion: '18.4',
    postgresSettings: { shared_buffers: '128MB' },
    samplesVersion: 'abc',
    git: null,
  };
  // As in a container with a limit, which is a machine of that size.
  const affinity = vi.spyOn(os, 'availableParallelism').mockReturnValue(0.25);
  const environment = await readEnvironment(facts);
  affinity.mockRestore();
  expect(environmentSchema.parse(environment)).toEqual(environment);
  expect(environment.cores).toBe(0.25);
  expect(environment.memoryBytes).toBeGreaterThan(1e8);
  expect(environment.git).toBeNull();
});
