import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { failure } from '../../model/domain/failure.ts';
import { type ProcessIdentity, allPids, processIdentity, processStat } from '../supervise/identity.ts';
import { takeIdentityLock } from '../supervise/identityLock.ts';
import { heartbeatMs, touch } from '../supervise/journal.ts';
import { isPostgres } from '../supervise/marked.ts';
import { type Owner, ensureHome, ensurePrivateFolder, isFolderOf, readForeignFile, readPrivateFile } from './privateFolder.ts';

const slotCount = 16;

/** A database folder that this engine has for itself while it lives. It stays on disk, so that the seed is there the next time. */
export interface ClusterSlot {
  dir: string;
  dataDir: string;
  password: string;
  /** Whether the data folder holds a whole cluster that this password opens; otherwise it has to be made. */
  whole: boolean;
  release(): void;
}

/**
 * Acquires the first database folder under `home` that no living engine holds: two windows never share a cluster. A folder is skipped if its server still runs,
 * orphaned, or if another machine or container that shares `home` holds it.
 * @param owner the user that runs PostgreSQL where that is another user: only the data folder belongs to that user, so that nothing else can interfere with
 * what we write
 */
export function takeClusterSlot(chosenHome: string, majorVersion: string, owner: Owner | null): ClusterSlot {
  const self = processIdentity(process.pid);
  if (self === null) throw failure('internal', 'This process cannot be identified.');
  const home = ensureHome(chosenHome, owner === null ? 0o700 : 0o755);
  for (let number = 0; number < slotCount; number += 1) {
    const dir = path.join(home, `cluster-${majorVersion}-${number}`);
    // The user that runs PostgreSQL has to pass through it.
    ensurePrivateFolder(dir, owner === null ? 0o700 : 0o711, owner);
    const lock = path.join(dir, 'lock.json');
    if (!takeIdentityLock(lock, self, readForeignFile)) continue;
    const dataDir = path.join(dir, 'data');
    if (!clearStalePid(dataDir)) {
      rmSync(lock, { force: true });
      continue;
    }
    let held = true;
    const heart = setInterval(() => touch(lock), heartbeatMs).unref();
    // Once only: a second release would take the folder away from the engine that holds it by then.
    const release = (): void => {
      clearInterval(heart);
      if (held) rmSync(lock, { force: true });
      held = false;
    };
    const known = knownPassword(dir);
    const password = known ?? newPassword(dir);
    return { dir, dataDir, password, whole: known !== null && isWhole(dataDir, owner), release };
  }
  throw failure(
    'no-database-folder',
    `All ${slotCount} database folders in ${home} are in use.`,
    'Close other windows that run Benchside, or run “Benchside: Stop Everything” there.',
  );
}

const passwordForm = /^[\w-]{43}$/;

/** A file that was cut short, or that another user may have written, holds no password. */
function knownPassword(dir: string): string | null {
  const text = readPrivateFile(path.join(dir, 'password'));
  return text !== null && passwordForm.test(text) ? text : null;
}

function newPassword(dir: string): string {
  const password = randomBytes(32).toString('base64url');
  const unfinished = path.join(dir, 'password.new');
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(descriptor, password);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path.join(dir, 'password'));
  return password;
}

/**
 * A cluster is made next to its place and renamed, so that an existing one is whole. Earlier versions made it in place: there the databases that are made last
 * (template0, postgres) show it.
 */
function isWhole(dataDir: string, owner: Owner | null): boolean {
  if (!isFolderOf(owner, dataDir)) return false;
  const base = path.join(dataDir, 'base');
  if (!isFolderOf(owner, base) || !existsSync(path.join(dataDir, 'global', 'pg_control'))) return false;
  const databases = readdirSync(base).filter((name) => /^\d+$/.test(name) && existsSync(path.join(base, name, 'PG_VERSION')));
  return databases.length >= 3;
}

/**
 * Deletes a `postmaster.pid` whose server no longer runs (an empty one, or one whose number was given to another process, would keep PostgreSQL from starting).
 * False when the server does run.
 */
function clearStalePid(dataDir: string): boolean {
  const file = path.join(dataDir, 'postmaster.pid');
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return true;
  const pid = Number((readForeignFile(file) ?? '').split('\n')[0]);
  if (Number.isInteger(pid) && pid > 0 && runsIn(pid, dataDir)) return false;
  // Sessions of a server that was killed continue with what they are doing, and without this file nothing keeps a new one apart from them.
  if (postgresIn(dataDir).length > 0) return false;
  rmSync(file, { force: true });
  return true;
}

/** PostgreSQL's processes that work in a data folder, whatever has become of their server. Linux only; elsewhere none. */
export function postgresIn(dataDir: string): ProcessIdentity[] {
  return allPids()
    .filter((pid) => runsIn(pid, dataDir) && isPostgres(pid))
    .flatMap((pid) => processIdentity(pid) ?? []);
}

function runsIn(pid: number, dataDir: string): boolean {
  if (processIdentity(pid) === null) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch {
    // A process that we may not examine is not our server. Where there is no /proc the number alone speaks, in favour of a server.
    return processStat(pid) === null;
  }
}
