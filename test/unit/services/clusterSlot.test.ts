import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClusterSlot, takeClusterSlot } from '../../../src/engine/services/clusterSlot.ts';
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

  it('whose password was cut short has a new one, and its cluster, which that does not open, is to be made', () => {
    const first = take();
    makeCluster(first.dataDir);
    first.release();
    expect(take()).toMatchObject({ dir: first.dir, whole: true, password: first.password });
    rmSync(lockOf(first));
    writeFileSync(path.join(first.dir, 'password'), '');
    const again = take();
    expect(again).toMatchObject({ dir: first.dir, whole: false, password: expect.stringMatching(/^[\w-]{43}$/) as string });
    expect(readFileSync(path.join(first.dir, 'password'), 'utf8')).toBe(again.password);
  });

  it('whose cluster was broken off while it was made is to be made', () => {
    const first = take();
    mkdirSync(first.dataDir);
    writeFileSync(path.join(first.dataDir, 'PG_VERSION'), '18\n');
    first.release();
    expect(take()).toMatchObject({ dir: first.dir, whole: false });
  });
});

/** What tells a whole cluster from a broken-off one. */
function makeCluster(dataDir: string): void {
  for (const database of ['1', '4', '5']) {
    mkdirSync(path.join(dataDir, 'base', database), { recursive: true });
    writeFileSync(path.join(dataDir, 'base', database, 'PG_VERSION'), '18\n');
  }
  mkdirSync(path.join(dataDir, 'global'));
  writeFileSync(path.join(dataDir, 'global', 'pg_control'), '');
}

// Only root can give a folder to somebody else.
describe.runIf(process.getuid?.() === 0)('a database folder of root', () => {
  const nobody = { uid: 65_534, gid: 65_534 };
  const takeAsRoot = (): ClusterSlot => takeClusterSlot(home, '18', nobody);
  beforeEach(() => chmodSync(home, 0o755));

  it('is root’s with all that is in it; only its data is for who runs PostgreSQL', () => {
    const { dir } = takeAsRoot();
    const ofRoot = [dir, path.join(dir, 'lock.json'), path.join(dir, 'password')].map((file) => statSync(file));
    expect(ofRoot.map(({ uid }) => uid)).toEqual([0, 0, 0]);
    expect(ofRoot.map(({ mode }) => mode & 0o777)).toEqual([0o711, 0o600, 0o600]);
  });

  it('that was the other user’s is taken over; the links that they put into it are neither followed nor believed', () => {
    const [victim, bait] = [path.join(home, 'victim'), 'A'.repeat(43)];
    writeFileSync(victim, bait, { mode: 0o600 });
    const dir = path.join(home, 'cluster-18-0');
    mkdirSync(dir, { mode: 0o700 });
    for (const name of ['password', 'password.new', 'lock.json', `lock.json.${process.pid}`]) symlinkSync(victim, path.join(dir, name));
    makeCluster(path.join(dir, 'data'));
    symlinkSync(victim, path.join(dir, 'data', 'postmaster.pid'));
    lchownSync(path.join(dir, 'data'), nobody.uid, nobody.gid);
    lchownSync(dir, nobody.uid, nobody.gid);
    const slot = takeAsRoot();
    expect(slot).toMatchObject({ dir, whole: false });
    expect(slot.password).not.toBe(bait);
    expect(readFileSync(victim, 'utf8')).toBe(bait);
    expect(lstatSync(path.join(dir, 'password')).isFile()).toBe(true);
    expect(statSync(dir).uid).toBe(0);
  });

  it('with a hard link to a file of root’s as its password does not take it for one', () => {
    const victim = path.join(home, 'victim');
    writeFileSync(victim, 'A'.repeat(43), { mode: 0o600 });
    const dir = path.join(home, 'cluster-18-0');
    mkdirSync(dir);
    linkSync(victim, path.join(dir, 'password'));
    lchownSync(dir, nobody.uid, nobody.gid);
    expect(takeAsRoot().password).not.toBe('A'.repeat(43));
    expect(readFileSync(victim, 'utf8')).toBe('A'.repeat(43));
  });

  it('is refused with a sentence where others may write around it, or somebody else has put it there', () => {
    chmodSync(home, 0o777);
    expect(takeAsRoot).toThrow(/others may write into it/);
    chmodSync(home, 0o755);
    mkdirSync(path.join(home, 'cluster-18-0'));
    lchownSync(path.join(home, 'cluster-18-0'), 12_345, 12_345);
    expect(takeAsRoot).toThrow(/belongs to another user/);
    rmdirSync(path.join(home, 'cluster-18-0'));
    symlinkSync(tmpdir(), path.join(home, 'cluster-18-0'));
    expect(takeAsRoot).toThrow(/a link or a file stands there/);
  });
});
