import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcStat, parseProcStat, tickUs } from './procStat.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** Which processes belong to which root at one moment. */
export interface ProcessScan {
  /** Clock ticks since the machine was started, when the scan began. */
  uptimeTicks: number;
  /** All that belong to any root, by pid. */
  processes: ReadonlyMap<number, ProcStat>;
  /** Members of each root's tree, by the root's pid. A process belongs to one root only: the nearest. */
  trees: ReadonlyMap<number, readonly ProcStat[]>;
}

/**
 * Finds the processes of given roots: a root, its descendants, and the members of its process group after its parent ended (children that lose their parent
 * move to another one and keep their group).
 *
 * One scan lists /proc and reads `stat` of each process that may belong to the roots. A process that was found not to belong to them never will, so it is not
 * read again while it lives, unless it is made a root itself: on a desktop with many processes this would be the largest cost of a scan.
 */
export class ProcessTable {
  #strangers = new Set<number>();

  constructor(readonly procDir = '/proc') {}

  /** `roots` are the trees to distinguish; `ownRoots` are Benchside's too, but lose to any of `roots` (the engine, of which all others are children). */
  scan(roots: readonly number[], ownRoots: readonly number[]): ProcessScan {
    if ([...roots, ...ownRoots].some((root) => this.#strangers.has(root))) this.#strangers.clear();
    const uptimeTicks = Math.floor(Number.parseFloat(readSmallFile(join(this.procDir, 'uptime')) ?? '0') * 100);
    const all = this.#read();
    const owners = ownersOf(all, new Set(roots), new Set(ownRoots));

    const processes = new Map<number, ProcStat>();
    const trees = new Map<number, ProcStat[]>([...roots, ...ownRoots].map((root) => [root, []]));
    for (const [pid, process] of all) {
      const owner = owners.get(pid) ?? null;
      if (owner === null) {
        this.#strangers.add(pid);
        continue;
      }
      processes.set(pid, process);
      trees.get(owner)?.push(process);
    }
    return { uptimeTicks, processes, trees };
  }

  #read(): Map<number, ProcStat> {
    const all = new Map<number, ProcStat>();
    const stillThere = new Set<number>();
    for (const name of readdirSync(this.procDir)) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      if (this.#strangers.has(pid)) {
        stillThere.add(pid);
        continue;
      }
      const text = readSmallFile(join(this.procDir, name, 'stat'));
      const process = text === null ? null : parseProcStat(text);
      if (process !== null) all.set(pid, process);
    }
    this.#strangers = stillThere;
    return all;
  }

  /**
   * CPU time in µs that the trees of `roots` have used so far, for exact differences at the edges of a window: utime + stime of the living and, by cutime +
   * cstime of their parents, of those that ended (a PostgreSQL backend counts on in its postmaster). The kernel keeps it in ns and reports it in steps of 10 ms
   * for each process: in a window of 2 s, at most 0.5 % for each busy process. The schedstat files have ns, but leave out ended threads. `null` when none of
   * the roots is alive.
   */
  cpuTimeUs(roots: readonly number[], ownRoots: readonly number[]): number | null {
    const { trees } = this.scan(roots, ownRoots);
    const members = roots.flatMap((root) => trees.get(root) ?? []);
    if (members.length === 0) return null;
    return tickUs * members.reduce((sum, process) => sum + process.ownTicks + process.reapedTicks, 0);
  }
}

/** The root of each process: the nearest one up its line of parents; else, or when that is an own root, the root that leads its group. */
function ownersOf(
  all: ReadonlyMap<number, ProcStat>,
  roots: ReadonlySet<number>,
  ownRoots: ReadonlySet<number>,
): Map<number, number | null> {
  const owners = new Map<number, number | null>();
  const find = (pid: number, depth: number): number | null => {
    const known = owners.get(pid);
    if (known !== undefined) return known;
    const process = all.get(pid);
    if (process === undefined || depth > 100) return null;
    let owner: number | null = roots.has(pid) || ownRoots.has(pid) ? pid : find(process.parent, depth + 1);
    if ((owner === null || ownRoots.has(owner)) && roots.has(process.group)) owner = process.group;
    owners.set(pid, owner);
    return owner;
  };
  for (const pid of all.keys()) find(pid, 0);
  return owners;
}

/**
 * CPU time in µs used between two scans by each process of the later one. A process that appeared counts from 0 if it was started in between. What an ended
 * process used since the earlier scan is in the reaped time of its nearest living ancestor, minus what it had used before.
 */
export function cpuBetween(before: ProcessScan, after: ProcessScan): Map<number, number> {
  const usedByEnded = new Map<number, number>();
  for (const [pid, process] of before.processes) {
    if (isAlive(process, after)) continue;
    let ancestor = process.parent;
    for (let depth = 0; depth < 100; depth += 1) {
      const parent = before.processes.get(ancestor);
      if (parent === undefined || isAlive(parent, after)) break;
      ancestor = parent.parent;
    }
    if (ancestor !== pid) usedByEnded.set(ancestor, (usedByEnded.get(ancestor) ?? 0) + process.ownTicks + process.reapedTicks);
  }
  const used = new Map<number, number>();
  for (const [pid, process] of after.processes) {
    const earlier = before.processes.get(pid);
    const known = earlier !== undefined && earlier.startTicks === process.startTicks;
    // The start is rounded down to a tick, hence the one tick of grace.
    if (!known && process.startTicks < before.uptimeTicks - 1) {
      used.set(pid, 0);
      continue;
    }
    const own = process.ownTicks - (known ? earlier.ownTicks : 0);
    const reaped = process.reapedTicks - (known ? earlier.reapedTicks : 0) - (usedByEnded.get(pid) ?? 0);
    used.set(pid, tickUs * (Math.max(0, own) + Math.max(0, reaped)));
  }
  return used;
}

function isAlive(process: ProcStat, scan: ProcessScan): boolean {
  return scan.processes.get(process.pid)?.startTicks === process.startTicks;
}
