import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcStat, parseOpenFileLimit } from './procStat.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** Open file descriptors of the process that has most, and its soft limit; null where they are unknown. */
export interface Descriptors {
  descriptors: number | null;
  descriptorLimit: number | null;
}

export const unknownDescriptors: Descriptors = { descriptors: null, descriptorLimit: null };
/** The number of processes that are read: nothing that is benchmarked here has as many. */
const mostProcesses = 64;

/**
 * Open descriptors of a process tree, from /proc/<pid>/fd. Its size is their number on Linux 6.2 and later, which costs some µs however many
 * there are; before, they are listed, which costs about a ms for each 3,000.
 */
export function readDescriptors(members: readonly ProcStat[], procDir = '/proc'): Descriptors {
  let most: { pid: number; count: number } | null = null;
  for (const { pid } of members.slice(0, mostProcesses)) {
    const count = countOf(join(procDir, String(pid), 'fd'));
    if (count !== null && (most === null || count > most.count)) most = { pid, count };
  }
  if (most === null) return unknownDescriptors;
  const limits = readSmallFile(join(procDir, String(most.pid), 'limits')) ?? '';
  return { descriptors: most.count, descriptorLimit: parseOpenFileLimit(limits) };
}

/** Null for another user's process, and for one that has ended. */
function countOf(folder: string): number | null {
  try {
    const { size } = statSync(folder);
    return size > 0 ? size : readdirSync(folder).length;
  } catch {
    return null;
  }
}
