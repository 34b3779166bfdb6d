import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessUse } from '../../model/observation.ts';
import { unknownDescriptors } from './descriptors.ts';
import type { ProcStat, Switches } from './procStat.ts';
import { parsePageBytes, parseStatm, parseStatusSwitches } from './procStat.ts';
import type { ProcessScan } from './processTable.ts';
import { readSmallBytes, readSmallFile } from '../files/smallFile.ts';

/** Context switches so far by thread, keyed `pid/tid/start` so that a reused id is another one. */
type ThreadSwitches = ReadonlyMap<string, Switches>;

/** Reads memory and context switches of process trees; see {@link ProcessUseReader.read}. */
export class ProcessUseReader {
  readonly #pageBytes: number;

  constructor(readonly procDir = '/proc') {
    this.#pageBytes = parsePageBytes(readSmallBytes(join(procDir, 'self', 'auxv')) ?? Buffer.alloc(0));
  }

  /**
   * Memory of a tree with shared pages counted once: Σ RssAnon + the largest RssFile + RssShmem. Every PostgreSQL backend maps the same
   * shared buffers, so their sum would count those once for each; the largest is a lower bound, which is near because each
   * backend of a benchmark touches the same pages. (The exact figure, PSS, makes the kernel walk every page table.)
   */
  rssBytes(members: readonly ProcStat[]): number {
    let anonymous = 0;
    let shared = 0;
    for (const { pid } of members) {
      const memory = parseStatm(readSmallFile(join(this.procDir, String(pid), 'statm')) ?? '');
      if (memory === null) continue;
      anonymous += memory.anonymousPages;
      shared = Math.max(shared, memory.sharedPages);
    }
    return (anonymous + shared) * this.#pageBytes;
  }

  /** Context switches of every thread of a tree. `status` of a process tells of its first thread only, hence the walk through `task`. */
  switches(members: readonly ProcStat[]): ThreadSwitches {
    const threads = new Map<string, Switches>();
    for (const { pid, threads: count, startTicks } of members) {
      const folder = join(this.procDir, String(pid));
      for (const tid of count === 1 ? [String(pid)] : threadIds(folder)) {
        const text = readSmallFile(count === 1 ? join(folder, 'status') : join(folder, 'task', tid, 'status'));
        const switches = text === null ? null : parseStatusSwitches(text);
        if (switches !== null) threads.set(`${pid}/${tid}/${startTicks}`, switches);
      }
    }
    return threads;
  }

  /**
   * Use of a tree between two scans. `before` holds its switches at the earlier one; when it has none of this tree, switches are
   * `null`, because their beginning is not known.
   */
  read(
    members: readonly ProcStat[],
    cpuUs: ReadonlyMap<number, number>,
    windowMs: number,
    before: ThreadSwitches,
  ): { use: ProcessUse; switches: ThreadSwitches } {
    const used = members.reduce((sum, { pid }) => sum + (cpuUs.get(pid) ?? 0), 0);
    const switches = this.switches(members);
    const counted = [...switches].map(([key, now]) => {
      const earlier = before.get(key) ?? { voluntary: 0, involuntary: 0 };
      return { voluntary: now.voluntary - earlier.voluntary, involuntary: now.involuntary - earlier.involuntary };
    });
    const isKnown = [...switches.keys()].some((key) => before.has(key));
    const sum = (kind: keyof Switches): number | null =>
      isKnown ? counted.reduce((total, thread) => total + Math.max(0, thread[kind]), 0) : null;
    return {
      use: {
        cpuPercent: windowMs > 0 ? used / (windowMs * 10) : null,
        cpuUs: used,
        rssBytes: this.rssBytes(members),
        threads: members.reduce((total, process) => total + process.threads, 0),
        processes: members.length,
        voluntarySwitches: sum('voluntary'),
        involuntarySwitches: sum('involuntary'),
        ...unknownDescriptors,
      },
      switches,
    };
  }
}

/** Several trees as one; `rssBytes` of all their members together, since they share pages. */
export function joinUses(uses: readonly ProcessUse[], rssBytes: number): ProcessUse | null {
  const [first, ...others] = uses;
  if (first === undefined) return null;
  const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
  return others.reduce<ProcessUse>(
    (sum, use) => ({
      cpuPercent: plus(sum.cpuPercent, use.cpuPercent),
      cpuUs: plus(sum.cpuUs, use.cpuUs),
      rssBytes,
      threads: plus(sum.threads, use.threads),
      processes: plus(sum.processes, use.processes),
      voluntarySwitches: plus(sum.voluntarySwitches, use.voluntarySwitches),
      involuntarySwitches: plus(sum.involuntarySwitches, use.involuntarySwitches),
      ...((use.descriptors ?? -1) > (sum.descriptors ?? -1)
        ? { descriptors: use.descriptors, descriptorLimit: use.descriptorLimit }
        : { descriptors: sum.descriptors, descriptorLimit: sum.descriptorLimit }),
    }),
    first,
  );
}

function threadIds(processFolder: string): string[] {
  try {
    return readdirSync(join(processFolder, 'task'));
  } catch {
    return [];
  }
}

/** Members of several roots' trees together. */
export function membersOf(scan: ProcessScan, roots: readonly number[]): ProcStat[] {
  return roots.flatMap((root) => scan.trees.get(root) ?? []);
}
