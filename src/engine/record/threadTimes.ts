import { readdirSync } from 'node:fs';
import { attempt } from '../../model/domain/attempt.ts';
import { readSmallFile } from '../files/smallFile.ts';

/**
 * By its number in the system, what each thread of a process is called and the CPU time that it used so far, in ns; none where the platform does not report it.
 */
export function threadTimes(pid: number): Map<number, { name: string; ns: number }> {
  const folder = `/proc/${pid}/task`;
  const times = new Map<number, { name: string; ns: number }>();
  for (const entry of listed(folder)) {
    // Time on a processor, time waited for one, and turns: the kernel's scheduler/sched-stats.
    const ns = Number(readSmallFile(`${folder}/${entry}/schedstat`)?.split(' ', 1)[0] ?? Number.NaN);
    if (Number.isFinite(ns)) times.set(Number(entry), { name: (readSmallFile(`${folder}/${entry}/comm`) ?? '').trim(), ns });
  }
  return times;
}

function listed(folder: string): string[] {
  return attempt(() => readdirSync(folder), []);
}
