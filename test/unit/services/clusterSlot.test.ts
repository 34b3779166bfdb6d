import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeClusterSlot } from '../../../src/engine/services/clusterSlot.ts';
import type { ClusterSlot } from '../../../src/engine/services/clusterSlot.ts';
import { processIdentity } from '../../../src/engine/supervise/identity.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'benchside-slots-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const take = (version = '18'): ClusterSlot => takeClusterSlot(home, version, null);
const lockOf = (slot: ClusterSlot): string => path.join(slot.dir, 'lock.json');

describe('a database folder', () => {
  it('is held by one at a time, keeps its password, and is given out again when it is free', () => {
    const [first, second] = [take(), take()];
    expect([first, second].map(({ dir }) => path.basename(dir))).toEqual(['cluster-18-0', 'cluster-18-1']);
    expect(first.password).not.toBe(second.password);
    expect(statSync(path.join(first.dir, 'password')).mode & 0o077).toBe(0);
    first.release();
    const again = take();
    expect({ dir: again.dir, password: again.password }).toEqual({ dir: first.dir, password: first.password });
    expect(readdirSync(first.dir).sort()).toEqual(['lock.json', 'password']);
  });

  it('is not taken away from who holds it by a former holder that lets go twice', () => {
    const first = take();
    first.release();
    const second = take();
    first.release();
    expect(existsSync(lockOf(second))).toBe(true);
    expect(take().dir).not.toBe(second.dir);
  });

  it('of another version of PostgreSQL is another one', () => {
    expect([take('17'), take('18')].map(({ dir }) => path.basename(dir))).toEqual(['cluster-17-0', 'cluster-18-0']);
  });

  it.each([
    ['of an earlier boot', JSON.stringify({ pid: process.pid, startTime: '1', bootId: 'another boot' })],
    ['of a process whose number was given to another', JSON.stringify({ ...processIdentity(process.pid), startTime: '1' })],
    ['that was cut short', '{"pid":12'],
    ['that is empty', ''],
  ])('is taken over from a lock %s', (_name, lock) => {
    mkdirSync(path.join(home, 'cluster-18-0'));
    writeFileSync(path.join(home, 'cluster-18-0', 'lock.json'), lock);
    const slot = take();
    expect(path.basename(slot.dir)).toBe('cluster-18-0');
    expect(JSON.parse(readFileSync(lockOf(slot), 'utf8'))).toEqual(processIdentity(process.pid));
    expect(readdirSync(slot.dir).filter((name) => name !== 'lock.json' && name !== 'password')).toEqual([]);
  });

  it.each([
    ['on another machine', { host: '0badcafe', bootId: 'another' }],
    ['in another container of this machine', { pidNamespace: '1', pid: 4_194_400 }],
  ])('that is held %s is passed over until its holder has shown no sign of life for a day', (_where, elsewhere) => {
    mkdirSync(path.join(home, 'cluster-18-0'));
    const lock = path.join(home, 'cluster-18-0', 'lock.json');
    writeFileSync(lock, JSON.stringify({ ...processIdentity(process.pid), ...elsewhere }));
    expect(path.basename(take().dir)).toBe('cluster-18-1');
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(lock, longAgo, longAgo);
    expect(path.basename(take().dir)).toBe('cluster-18-0');
  });

  it.runIf(process.platform === 'linux')(
    'whose server runs on is passed over, also when the path to it goes through a link; a stale number is cleared',
    () => {
      const data = path.join(home, 'cluster-18-0', 'data');
      mkdirSync(data, { recursive: true });
      const link = `${home}-link`;
      symlinkSync(home, link);
      const before = process.cwd();
      try {
        // This process plays the server: it sits in the folder as a postmaster does.
        process.chdir(data);
        writeFileSync(path.join(data, 'postmaster.pid'), `${process.pid}\n`);
        const beside = takeClusterSlot(link, '18', null);
        expect(path.basename(beside.dir)).toBe('cluster-18-1');
        expect(existsSync(path.join(data, 'postmaster.pid'))).toBe(true);
        expect(existsSync(path.join(home, 'cluster-18-0', 'lock.json'))).toBe(false);
      } finally {
        process.chdir(before);
        rmSync(link);
      }
      expect(path.basename(take().dir)).toBe('cluster-18-0');
      expect(existsSync(path.join(data, 'postmaster.pid'))).toBe(false);
    },
  );

  it('is refused with a sentence when all are in use', () => {
    for (let count = 0; count < 16; count += 1) take();
    expect(() => take()).toThrow(/All 16 database folders .* are in use\./);
  });
});
