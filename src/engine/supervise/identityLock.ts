import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { attempt } from '../../model/domain/attempt.ts';
import { type ProcessIdentity, isAbandoned, processIdentitySchema } from './identity.ts';

/** How the holder's file is read: null where there is nothing that could be one. */
export type ReadHolder = (lock: string) => string | null;

/**
 * Takes a lock: a file with its holder's identity, which is there whole or not at all. A lock is taken over if its holder is provably gone, or if it says
 * nothing.
 * @returns whether we hold it now
 */
export function takeIdentityLock(lock: string, self: ProcessIdentity, read: ReadHolder): boolean {
  // Not named by the pid: in another container another process has the same.
  const mine = `${lock}.${randomBytes(6).toString('hex')}`;
  writeFileSync(mine, JSON.stringify(self), { mode: 0o600, flag: 'wx' });
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(mine, lock);
        return true;
      } catch {
        if (isHeld(lock, read)) return false;
        // Moved aside first: of two engines that see the same stale lock only one can move it.
        const aside = `${mine}.stale`;
        try {
          renameSync(lock, aside);
        } catch {
          return false;
        }
        const wasTaken = isHeld(aside, read);
        // It goes back where it was, unless a third engine has come in between: then that one holds it.
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

/** Who holds a lock, by its contents; null where it says nothing. */
export function holderOf(lock: string, read: ReadHolder): ProcessIdentity | null {
  return attempt(() => processIdentitySchema.safeParse(JSON.parse(read(lock) ?? '')).data ?? null, null);
}

/** Whether the lock is held: its holder lives, or may live and has shown a sign of life within a day. */
function isHeld(lock: string, read: ReadHolder): boolean {
  const holder = holderOf(lock, read);
  return holder !== null && !isAbandoned(holder, lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
