import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { failure } from '../../model/failure.ts';
import { isForeign, isForsaken, isGone, processIdentity, processIdentitySchema, processStat } from '../supervise/identity.ts';
import type { ProcessIdentity } from '../supervise/identity.ts';
import { heartbeatMs, touch } from '../supervise/journal.ts';

const slotCount = 16;

/** A database folder that this engine has for itself while it lives. It stays on disk, so that the seed is there the next time. */
export interface ClusterSlot {
  dir: string;
  dataDir: string;
  password: string;
  release(): void;
}

/**
 * Takes the first database folder under `home` that no living engine holds: two windows never share a cluster. A folder whose server
 * still runs, orphaned, is passed over, and so is one that is held from another machine or container that shares `home`.
 */
export function takeClusterSlot(home: string, majorVersion: string, owner: { uid: number; gid: number } | null): ClusterSlot {
  const self = processIdentity(process.pid);
  if (self === null) throw failure('internal', 'This process cannot be identified.');
  mkdirSync(home, { recursive: true, mode: owner === null ? 0o700 : 0o755 });
  for (let number = 0; number < slotCount; number += 1) {
    const dir = path.join(home, `cluster-${majorVersion}-${number}`);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (owner !== null) chownSync(dir, owner.uid, owner.gid);
    const lock = path.join(dir, 'lock.json');
    if (!takeLock(lock, self)) continue;
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
    return { dir, dataDir, password: readPassword(dir), release };
  }
  throw failure(
    'no-database-folder',
    `All ${slotCount} database folders in ${home} are in use.`,
    'Close other windows that run Benchside, or run “Benchside: Stop Everything” there.',
  );
}

function readPassword(dir: string): string {
  const file = path.join(dir, 'password');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const password = randomBytes(32).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  return password;
}

/** Takes a lock that holds its owner's identity; one whose owner is provably gone is taken over. */
function takeLock(lock: string, self: ProcessIdentity): boolean {
  // Not named by the pid: in another container somebody else has the same.
  const mine = `${lock}.${randomBytes(6).toString('hex')}`;
  writeFileSync(mine, JSON.stringify(self), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(mine, lock);
        return true;
      } catch {
        if (isHeld(lock)) return false;
        // Moved aside first: of two engines that see the same stale lock only one can move it.
        const aside = `${mine}.stale`;
        try {
          renameSync(lock, aside);
        } catch {
          return false;
        }
        const wasTaken = isHeld(aside);
        // It goes back where it was, unless a third engine has come in between: then that one holds the folder.
        if (wasTaken && !existsSync(lock)) renameSync(aside, lock);
        else rmSync(aside, { force: true });
        if (wasTaken) return false;
      }
    }
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Whether somebody holds the lock who lives, or of whom we cannot know it and who has shown a sign of life within a day. */
function isHeld(lock: string): boolean {
  const holder = readHolder(lock);
  if (holder === null) return false;
  return isForeign(holder) ? !isForsaken(statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) : !isGone(holder);
}

function readHolder(lock: string): ProcessIdentity | null {
  try {
    return processIdentitySchema.safeParse(JSON.parse(readFileSync(lock, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Deletes a `postmaster.pid` whose server runs no more (an empty one, or one whose number was given to another process, would keep
 * PostgreSQL from starting). False when the server does run.
 */
function clearStalePid(dataDir: string): boolean {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return true;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (Number.isInteger(pid) && pid > 0 && runsIn(pid, dataDir)) return false;
  rmSync(file, { force: true });
  return true;
}

function runsIn(pid: number, dataDir: string): boolean {
  if (processIdentity(pid) === null) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch {
    // Not ours to look at: then it is not our server. Where there is no /proc the number alone speaks, in favour of a server.
    return processStat(pid) === null;
  }
}
