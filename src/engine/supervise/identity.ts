import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod';
import { linkTarget, namesIn, readSmallFile } from './smallFile.ts';
import { ownSystem } from './system/ownSystem.ts';
import type { ProcessRow } from './system/systemTools.ts';

/**
 * Who a process is. A pid alone is no identity, since it is given to another process later, and counts only where it was given: with the start time
 * (Linux: clock ticks since boot, field 22 of /proc/<pid>/stat; macOS: seconds since 1970; Windows: 100 ns since 1601), the boot, the machine and the PID namespace it is.
 */
export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string().regex(/^(\d+|unknown)$/),
  bootId: z.string(),
  host: z.string().default('unknown').describe('8 hexadecimal digits that tell this machine or container from others'),
  pidNamespace: z.string().default('unknown').describe('Linux: number of the namespace in which the pid counts'),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** Where a pid counts. */
type Place = Pick<ProcessIdentity, 'bootId' | 'host' | 'pidNamespace'>;

function readPlace(): Place {
  const boot = readSmallFile('/proc/sys/kernel/random/boot_id')?.trim().replaceAll('-', '');
  // Containers may carry the same machine id, but have names of their own; a name's domain changes with the network. Only a digest leaves this machine.
  const names = `${readSmallFile('/etc/machine-id')?.trim() ?? ''}\0${hostname().split('.')[0] ?? ''}`;
  return {
    bootId: boot?.slice(0, 8) ?? 'none',
    host: createHash('sha256').update(names).digest('hex').slice(0, 8),
    // Only Linux has namespaces.
    pidNamespace: /\d+/.exec(linkTarget('/proc/self/ns/pid') ?? '')?.[0] ?? '0',
  };
}

let cachedPlace: Place | undefined;
function here(): Place {
  cachedPlace ??= readPlace();
  return cachedPlace;
}

/** State letter, parent and start time of a process from /proc; null when it does not exist (or there is no /proc). */
export function processStat(pid: number): { state: string; ppid: number; pgid: number; startTime: string } | null {
  const text = readSmallFile(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The command's name is in parentheses and may hold spaces and parentheses itself: fields count from behind the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { state, ppid: Number(ppid), pgid: Number(pgid), startTime };
}

/** The numbers of all processes; none where there is no /proc, or it is hidden. */
export function allPids(): number[] {
  return process.platform === 'linux' ? namesIn('/proc').map(Number).filter(Number.isInteger) : [];
}

/** All processes, and where each comes from; none where there is no /proc, or it is hidden. */
export function allProcesses(): ProcessRow[] {
  return allPids().flatMap((pid) => {
    const stat = processStat(pid);
    return stat === null ? [] : [{ pid, ppid: stat.ppid, pgid: stat.pgid }];
  });
}

/** Whether there is a process with this number, also one of another user. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A query costs up to half a second and may come twice a second: within so short a time no number is given out again. */
const recentMs = 3_000;
const recent = new Map<number, { askedMs: number; since: string | null }>();

function recentStartTime(pid: number): string | null {
  const known = recent.get(pid);
  if (known !== undefined && performance.now() - known.askedMs < recentMs) return known.since;
  const since = ownSystem?.startTime(pid) ?? null;
  recent.set(pid, { askedMs: performance.now(), since });
  return since;
}

/**
 * Start time of a living process of this place; `unknown` where the platform does not report it, null when there is none (or only a zombie that nobody
 * collected).
 */
function livingSince(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = processStat(pid);
    return stat === null || stat.state === 'Z' || stat.state === 'X' ? null : stat.startTime;
  }
  if (!hasProcess(pid)) return null;
  const since = recentStartTime(pid);
  return since === 'none' || since === 'zombie' ? null : (since ?? 'unknown');
}

/** Identity of a living process; null when there is none, or only a zombie that nobody collected. */
export function processIdentity(pid: number): ProcessIdentity | null {
  const startTime = livingSince(pid);
  return startTime === null ? null : { pid, startTime, ...here() };
}

/**
 * Whether we cannot know anything of that process: it is, or was, on another machine or in another PID namespace. We may neither end nor remove what is
 * foreign, except for its age (see {@link isForsaken}).
 */
export function isForeign({ host, bootId, pidNamespace }: ProcessIdentity): boolean {
  if (host !== 'unknown' && host !== here().host) return true;
  return bootId === here().bootId && pidNamespace !== 'unknown' && pidNamespace !== here().pidNamespace;
}

/** What a foreign owner has not touched for so long has no owner. A lid may be closed for a night. */
const forsakenAfterMs = 24 * 60 * 60 * 1000;

/** Whether what was last touched at `touchedMs` (ms since 1970) may be cleared away though nothing is known of its owner. */
export function isForsaken(touchedMs: number, nowMs = Date.now()): boolean {
  return nowMs - touchedMs > forsakenAfterMs;
}

/** Whether what this process has made and was last touched at `touchedMs` may be cleared away: it is gone, or unknown and has not touched it for long. */
export function isAbandoned(owner: ProcessIdentity, touchedMs: number): boolean {
  return isForeign(owner) ? isForsaken(touchedMs) : isGone(owner);
}

/**
 * Whether that very process provably no longer runs. In doubt the answer is false: it decides what may be removed, and removing what is still in use is the
 * worse mistake.
 */
export function isGone(identity: ProcessIdentity): boolean {
  if (isForeign(identity)) return false;
  if (identity.bootId !== here().bootId) return true;
  const since = livingSince(identity.pid);
  if (since === null) return true;
  return identity.startTime !== 'unknown' && since !== 'unknown' && since !== identity.startTime;
}

/** Whether that very process provably still runs: the only ground on which it may be signalled. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  if (isForeign(identity) || identity.bootId !== here().bootId || identity.startTime === 'unknown') return false;
  return livingSince(identity.pid) === identity.startTime;
}

/** An identity as a part of the name of a file or folder, so that the owner is known from its first moment on. */
export function identityTag({ pid, startTime, bootId, host, pidNamespace }: ProcessIdentity): string {
  return [pid, startTime, bootId, host, pidNamespace].join('.');
}

/** Source of an expression whose one group is such a tag. */
export const identityTagPattern = String.raw`(\d{1,10}\.(?:\d{1,20}|unknown)\.[0-9a-z]{4,8}\.[0-9a-f]{8}\.\d{1,12})`;
const wholeTag = new RegExp(`^${identityTagPattern}$`);

/** The identity that a tag says; null for other text. */
export function parseIdentityTag(tag: string): ProcessIdentity | null {
  if (!wholeTag.test(tag)) return null;
  const [pid, startTime, bootId, host, pidNamespace] = tag.split('.');
  return processIdentitySchema.safeParse({ pid: Number(pid), startTime, bootId, host, pidNamespace }).data ?? null;
}

/** Whether a name has, as the one group of `form`, the tag of an owner that provably no longer runs. */
export function isOfGone(name: string, form: RegExp): boolean {
  const owner = parseIdentityTag(form.exec(name)?.[1] ?? '');
  return owner !== null && isGone(owner);
}

/** Our own tag. */
export function ownIdentityTag(): string {
  cachedTag ??= identityTag(processIdentity(process.pid) ?? { pid: process.pid, startTime: 'unknown', ...here() });
  return cachedTag;
}
let cachedTag: string | undefined;
