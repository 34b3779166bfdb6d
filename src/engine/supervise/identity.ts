import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Who a process is. A pid alone is no identity, since it is given to another process later; with the start time
 * (clock ticks since boot, field 22 of /proc/<pid>/stat) and the boot's id it is.
 */
export const processIdentitySchema = z.object({ pid: z.number().int().positive(), startTime: z.string(), bootId: z.string() });
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

let cachedBootId: string | undefined;
/** Id of this boot; a constant where the platform tells none. */
export function bootId(): string {
  cachedBootId ??= readText('/proc/sys/kernel/random/boot_id')?.trim() ?? 'no-boot-id';
  return cachedBootId;
}

/** State letter, parent and start time of a process from /proc; null when it does not exist (or there is no /proc). */
export function processStat(pid: number): { state: string; ppid: number; pgid: number; startTime: string } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The command's name is in parentheses and may hold spaces and parentheses itself: fields count from behind the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { state, ppid: Number(ppid), pgid: Number(pgid), startTime };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Identity of a living process; null when there is none, or only a zombie that nobody collected. */
export function processIdentity(pid: number): ProcessIdentity | null {
  if (process.platform !== 'linux') return exists(pid) ? { pid, startTime: 'unknown', bootId: bootId() } : null;
  const stat = processStat(pid);
  return stat === null || stat.state === 'Z' || stat.state === 'X' ? null : { pid, startTime: stat.startTime, bootId: bootId() };
}

/**
 * Whether that very process provably runs no more. In doubt the answer is false: it is used to decide what may be
 * cleared away, and clearing away what somebody still uses is the worse mistake.
 */
export function isGone(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return true;
  const now = processIdentity(identity.pid);
  if (now === null) return true;
  return identity.startTime !== 'unknown' && now.startTime !== 'unknown' && now.startTime !== identity.startTime;
}

/** Whether that very process provably still runs: the only ground on which it may be signalled. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  const now = processIdentity(identity.pid);
  return now !== null && identity.startTime !== 'unknown' && now.startTime === identity.startTime && now.bootId === identity.bootId;
}
