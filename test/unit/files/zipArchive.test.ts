import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readZipEntry } from '../../../src/engine/files/zipArchive.ts';
import { zipArchive } from '../../support/zipArchive.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-zip-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const files = { 'a/B.class': 'x'.repeat(5_000), 'META-INF/MANIFEST.MF': 'Main-Class: a.B\r\n', last: '' };
const bounds = (): { largestBytes: number; within: string } => ({ largestBytes: 1_000, within: dir });
function read(bytes: Buffer, name = 'META-INF/MANIFEST.MF'): string | null {
  const file = path.join(dir, 'one.jar');
  writeFileSync(file, bytes);
  return readZipEntry(file, name, bounds())?.toString() ?? null;
}

describe('one file of an archive', () => {
  it('is read by its name, also where a script stands before the archive or a comment behind it', () => {
    const archive = zipArchive(files);
    expect(read(archive)).toBe('Main-Class: a.B\r\n');
    expect(read(Buffer.concat([Buffer.from('#!/bin/sh\nexec java -jar "$0"\n'), archive]))).toBe('Main-Class: a.B\r\n');
    expect(read(Buffer.concat([archive, Buffer.from('a comment')]))).toBe('Main-Class: a.B\r\n');
    expect(read(archive, 'last')).toBe('');
  });

  it('is none where there is none of that name, or a larger one', () => {
    expect(read(zipArchive(files), 'MANIFEST.MF')).toBeNull();
    expect(read(zipArchive(files), 'a/B.class')).toBeNull();
  });

  it('is none of what is no archive, or one that was cut or changed anywhere', () => {
    const archive = zipArchive(files);
    expect(read(Buffer.alloc(0))).toBeNull();
    expect(read(Buffer.alloc(10_000_000, 'PK'))).toBeNull();
    for (let length = 0; length < archive.length; length += 7) expect(read(archive.subarray(0, length))).toBeNull();
    for (let at = 0; at < archive.length; at += 3) {
      const changed = Buffer.from(archive);
      changed[at] = 0xff;
      expect(() => read(changed)).not.toThrow();
    }
  });

  it('is not read through a link out of the folder', () => {
    const outside = path.join(dir, 'outside.jar');
    writeFileSync(outside, zipArchive(files));
    const inside = path.join(dir, 'inside');
    mkdirSync(inside);
    symlinkSync(outside, path.join(inside, 'one.jar'));
    expect(() => readZipEntry(path.join(inside, 'one.jar'), 'last', { ...bounds(), within: inside })).toThrow('outside of this folder');
  });
});
