import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBounded, readBoundedSync, readBoundedText, readHead } from '../../../src/engine/files/boundedFile.ts';

const base = mkdtempSync(path.join(tmpdir(), 'benchside-bounded-'));
const folder = path.join(base, 'workspace');
const at = (name: string): string => path.join(folder, name);

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(at('plain'), 'words of mine');
  writeFileSync(path.join(base, 'outside'), 'words of others');
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 5_000_000_000);
  symlinkSync('plain', at('link'));
  symlinkSync('../outside', at('escape'));
  symlinkSync('/dev/zero', at('endless'));
  symlinkSync('/dev/stdin', at('terminal'));
  symlinkSync('.', at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.each<[string, (file: string, largestBytes: number) => Promise<Buffer>]>([
  ['at once', (file, largestBytes) => Promise.resolve().then(() => readBoundedSync(file, { largestBytes }))],
  ['in pieces', (file, largestBytes) => readBounded(file, { largestBytes })],
])('a file that is read %s', (_how, read) => {
  it('is given whole, through a link too', async () => {
    expect((await read(at('plain'), 13)).toString()).toBe('words of mine');
    expect((await read(at('link'), 13)).toString()).toBe('words of mine');
    // It says that it is empty.
    expect((await read('/proc/self/status', 100_000)).toString()).toContain('Pid:');
  });

  it('is refused by its size before it is read, also where it says that it is empty', async () => {
    await expect(read(at('plain'), 12)).rejects.toThrow('is too large (13 bytes; at most 12 are read)');
    await expect(read(at('large'), 1_000_000)).rejects.toThrow('is too large (5000000000 bytes');
    await expect(read('/proc/self/status', 20)).rejects.toThrow('is too large');
  });

  it.each(['endless', 'pipe', 'folder', 'terminal'])('is not waited for where there is none but something else (%s)', async (name) => {
    await expect(read(at(name), 1_000_000)).rejects.toThrow(/is not a file|ENXIO/);
  });
});

describe('a file of a workspace', () => {
  it('may be a link within it and not out of it', () => {
    expect(readBoundedText(at('link'), { largestBytes: 100, within: folder })).toBe('words of mine');
    expect(() => readBoundedText(at('escape'), { largestBytes: 100, within: folder })).toThrow('outside of this folder');
    expect(readBoundedText(at('escape'), { largestBytes: 100 })).toBe('words of others');
  });

  it('can be looked at by its beginning, however large it is, and what is none is not waited for', () => {
    expect(readHead(at('plain'), 5).toString()).toBe('words');
    expect(readHead(at('large'), 5)).toEqual(Buffer.alloc(5));
    for (const name of ['pipe', 'endless']) expect(() => readHead(at(name), 5)).toThrow('is not a file');
  });
});
