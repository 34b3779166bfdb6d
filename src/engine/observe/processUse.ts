import { join } from 'node:path';
import type { ProcessUse } from '../../model/domain/observation.ts';
import { unknownDescriptors } from './descriptors.ts';
import { type ProcStat, type ThreadTurns, parsePageBytes, parseRanUs, parseStatm, parseStatusSwitches, parseWaitedUs } from './procStat.ts';
import type { ProcessScan } from './processTable.ts';
import { namesIn, readSmallBytes, readSmallFile } from '../supervise/smallFile.ts';

/** What each thread did so far, keyed `pid/tid/start` so that a reused id is another one. */
export type TurnsByThread = ReadonlyMap<string, ThreadTurns>;

/** Reads memory, context switches and waits for the CPU of process trees; see {@link ProcessUseReader.read}. */
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

  /** What every thread of a tree did. The files of a process cover its first thread only, hence the walk through `task`. */
  turns(members: readonly ProcStat[]): TurnsByThread {
    const threads = new Map<string, ThreadTurns>();
    for (const { pid, threads: count, startTicks } of members) {
      const folder = join(this.procDir, String(pid));
      for (const tid of count === 1 ? [String(pid)] : namesIn(join(folder, 'task'))) {
        const of = count === 1 ? folder : join(folder, 'task', tid);
        const switches = parseStatusSwitches(readSmallFile(join(of, 'status')) ?? '');
        if (switches === null) continue;
        const schedstat = readSmallFile(join(of, 'schedstat')) ?? '';
        threads.set(`${pid}/${tid}/${startTicks}`, { ...switches, ranUs: parseRanUs(schedstat), waitedUs: parseWaitedUs(schedstat) });
      }
    }
    return threads;
  }

  /**
   * Use of a tree between two scans. `before` holds what its threads had done at the earlier one; when it has none of this tree, switches
   * and waits are `null`, because their beginning is not known.
   */
  read(
    members: readonly ProcStat[],
    cpuUs: ReadonlyMap<number, number>,
    windowMs: number,
    before: TurnsByThread,
  ): { use: ProcessUse; turns: TurnsByThread } {
    const used = members.reduce((sum, { pid }) => sum + (cpuUs.get(pid) ?? 0), 0);
    const turns = this.turns(members);
    const isKnown = [...turns.keys()].some((key) => before.has(key));
    const sum = (kind: keyof ThreadTurns, of: TurnsByThread = turns): number | null => {
      const grown = [...of].map(([key, now]) => {
        const to = now[kind];
        return to === null ? null : Math.max(0, to - (before.get(key)?.[kind] ?? 0));
      });
      return isKnown ? grown.reduce((total, one) => (total === null || one === null ? null : total + one), 0) : null;
    };
    const first = new Map(members.flatMap(({ pid, startTicks }) => [...turns].filter(([key]) => key === `${pid}/${pid}/${startTicks}`)));
    return {
      use: {
        cpuPercent: windowMs > 0 ? used / (windowMs * 10) : null,
        cpuUs: used,
        rssBytes: this.rssBytes(members),
        threads: members.reduce((total, process) => total + process.threads, 0),
        processes: members.length,
        voluntarySwitches: sum('voluntary'),
        involuntarySwitches: sum('involuntary'),
        waitedForCpuUs: sum('waitedUs'),
        firstThreadUs: sum('ranUs', first),
        ...unknownDescriptors,
      },
      turns,
    };
  }
}

const added = [
  'cpuPercent',
  'cpuUs',
  'threads',
  'processes',
  'voluntarySwitches',
  'involuntarySwitches',
  'waitedForCpuUs',
  'firstThreadUs',
] as const;

/** Several trees as one: what each has is added up, `rssBytes` are those of all their members together, since they share pages. */
export function joinUses(uses: readonly ProcessUse[], rssBytes: number): ProcessUse | null {
  const [first, ...others] = uses;
  if (first === undefined) return null;
  return others.reduce<ProcessUse>((sum, use) => {
    const most = (use.descriptors ?? -1) > (sum.descriptors ?? -1) ? use : sum;
    const joined = { ...most, rssBytes };
    for (const part of added) {
      const [a, b] = [sum[part], use[part]];
      joined[part] = a === null || b === null ? null : a + b;
    }
    return joined;
  }, first);
}

/** Members of several roots' trees together. */
export function membersOf(scan: ProcessScan, roots: readonly number[]): ProcStat[] {
  return roots.flatMap((root) => scan.trees.get(root) ?? []);
}
