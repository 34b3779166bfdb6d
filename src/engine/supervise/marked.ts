import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { processIdentity } from './identity.ts';
import type { ProcessIdentity } from './identity.ts';

/**
 * Processes of which we may read the environment and whose environment says `variable=value`. A process that was started with an
 * environment of its own making escapes. Linux only; elsewhere none.
 */
export function processesMarked(variable: string, value: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return [];
  const needle = `${variable}=${value}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
        if (!environment.split('\0').includes(needle)) return [];
        const identity = processIdentity(Number(name));
        return identity === null ? [] : [identity];
      } catch {
        return [];
      }
    });
}

/** Whether a process is one of PostgreSQL's, which must never be killed. */
export function isPostgres(pid: number): boolean {
  try {
    // Its program may have been replaced while it ran, as by an upgrade.
    return /\/postgres(\.exe)?( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return false;
  }
}
