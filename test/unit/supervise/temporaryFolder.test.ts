import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProcessIdentity, identityTag, processIdentity } from '../../../src/engine/supervise/identity.ts';
import { makeTemporaryFolder, sweepTemporaryFolders } from '../../../src/engine/supervise/temporaryFolder.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'benchside-temporary-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function leave(changes: Partial<ProcessIdentity>): string {
  const self = processIdentity(process.pid);
  if (self === null) throw new Error('this process has no identity');
  const name = `benchside-recording-${identityTag({ ...self, ...changes })}-abc123`;
  mkdirSync(path.join(parent, name));
  writeFileSync(path.join(parent, name, 'recording.jfr'), 'half');
  return name;
}

describe('temporary folders', () => {
  it('of engines that were killed are removed; those of living and of unknown ones, and what is not ours, stay', async () => {
    const own = makeTemporaryFolder('run', parent);
    leave({ pid: 4_194_400 });
    leave({ startTime: '1' });
    const kept = [leave({ host: '0badcafe' }), leave({ pidNamespace: '1', pid: 4_194_400 })];
    const others = ['benchside-x', 'benchside-run-12-abc123', 'mine'];
    for (const name of others) mkdirSync(path.join(parent, name));
    expect(await sweepTemporaryFolders([parent, path.join(parent, 'nowhere')])).toBe(2);
    expect(readdirSync(parent).sort()).toEqual([path.basename(own), ...kept, ...others].sort());
    expect(statSync(own).mode & 0o077).toBe(0);
  });

  it.runIf(process.platform === 'linux')('leave room for the path of a socket', () => {
    const folder = makeTemporaryFolder('probe', '/tmp');
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
    // Of 107 bytes; a machine that has run for years, and the largest pid.
    expect(path.join(folder, 'p.sock').length).toBeLessThan(95);
  });
});

it('a folder for temporary files that cannot be made is told with its cure', () => {
  expect(() => makeTemporaryFolder('test', path.join(tmpdir(), 'benchside-nowhere'))).toThrow(
    /cannot make temporary files in .*benchside-nowhere/,
  );
});
