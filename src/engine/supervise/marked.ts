import { readFileSync } from 'node:fs';
import { linkTarget } from './smallFile.ts';
import { cookieName } from './environment.ts';
import { type ProcessIdentity, allPids, isSameProcess, processIdentity } from './identity.ts';
import { pause } from './pause.ts';
import { sendSignal } from './stopLadder.ts';

/**
 * Processes of which we may read the environment and whose environment says `variable=value`. A process that was started with an
 * environment of its own making escapes. Linux only; elsewhere none.
 */
export function processesMarked(variable: string, value: string): ProcessIdentity[] {
  const needle = `${variable}=${value}`;
  return allPids().flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.split('\0').includes(needle) ? (processIdentity(pid) ?? []) : [];
    } catch {
      return [];
    }
  });
}

/** Whether a process is one of PostgreSQL's, which must never be killed. */
export function isPostgres(pid: number): boolean {
  // Its program may have been replaced while it ran, as by an upgrade.
  return /\/postgres(\.exe)?( \(deleted\))?$/.test(linkTarget(`/proc/${pid}/exe`) ?? '');
}

/**
 * Ends everything that carries this engine's cookie; PostgreSQL's processes, which must never be killed, are waited for. A process that is just replacing its
 * program has no environment to be known by for a moment, and one that is just being forked is not in the list yet: nothing must be found twice in a row.
 * @returns what was signalled, and whether nothing is left
 */
export async function endMarked(cookie: string, withinMs: number): Promise<{ signalled: ProcessIdentity[]; isClear: boolean }> {
  const deadline = performance.now() + withinMs;
  const signalled = new Map<number, ProcessIdentity>();
  for (let clean = 0; ;) {
    const found = processesMarked(cookieName, cookie);
    for (const identity of found)
      if (!isPostgres(identity.pid) && isSameProcess(identity) && sendSignal(identity.pid, 'SIGKILL', 'process'))
        signalled.set(identity.pid, identity);
    clean = found.length === 0 ? clean + 1 : 0;
    if (clean === 2 || performance.now() > deadline) return { signalled: [...signalled.values()], isClear: clean === 2 };
    await pause(20);
  }
}
