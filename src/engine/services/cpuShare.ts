import { readFileSync } from 'node:fs';
import { type CpuLimitProblem, cpuLimitFailure } from '../../model/domain/cpuLimitProblem.ts';
import { FailureError } from '../../model/domain/failure.ts';
import { allProcesses, processStat } from '../supervise/identity.ts';
import { poll } from '../supervise/pause.ts';
import { runTool } from '../supervise/runTool.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { withDescendants } from '../supervise/system/systemTools.ts';
import { type CpuGroup, type KernelFiles, kernelFiles, makeCpuGroup, membersOf, moveInto, removeCpuGroup, setQuota } from './cpuGroups.ts';

/** How CPU time is limited: by a quota of a control group, or by the cores a process may run on. */
export type CpuLimitMeans = 'cgroup-v2' | 'cgroup-v1' | 'affinity';

/** Processes whose CPU time is limited together. */
export interface CpuLimit {
  means: CpuLimitMeans;
  cores: number;
  /** Lets them use what there is, until `resume`. */
  suspend(): Promise<void>;
  /** Limits them again; rejects with `cpu-share-unavailable` where that cannot be. */
  resume(): Promise<void>;
  /** Lifts the limit from what still runs, and takes away what was made for it. */
  undo(): Promise<void>;
}

/** The cores that pinned processes of one engine run on, so that the next ones get others. */
const pinned = new WeakMap<Supervisor, Map<number, number>>();

/**
 * Limits processes, and all that they have forked and will fork, to so many cores of CPU time together: by a control group where we may make one, else (whole
 * cores only) by affinity with `taskset`, for which a supervisor is needed. Call it when they run. Returns the reason where neither is possible; then nothing is
 * limited. On a machine whose cores are all busy a control group competes as one with everything outside of it, however many threads
 * it has.
 */
export async function limitCpu(
  pids: readonly number[],
  cores: number,
  supervisor: Supervisor | null = null,
  files: KernelFiles = kernelFiles,
): Promise<CpuLimit | CpuLimitProblem> {
  if (process.platform !== 'linux') return 'no-linux';
  const group = makeCpuGroup(cores, files);
  const limit = group === null ? null : fill(group, pids, cores);
  if (limit !== null) return limit;
  if (!Number.isInteger(cores) || supervisor === null) return 'no-group';
  return pin(pids, cores, supervisor);
}

function fill(group: CpuGroup, pids: readonly number[], cores: number): CpuLimit | null {
  try {
    // What is forked while we look is in the group when its parent is; what was forked just before is found by the next look.
    for (let look = 0; look < 5; look += 1) {
      const inside = new Set(membersOf(group.dir));
      const outside = familyOf(pids).filter((pid) => !inside.has(pid));
      if (outside.length === 0) break;
      for (const pid of outside) moveInto(group.dir, pid);
    }
  } catch {
    removeCpuGroup(group);
    return null;
  }
  return {
    means: group.version === 2 ? 'cgroup-v2' : 'cgroup-v1',
    cores,
    suspend: async () => setQuota(group, null),
    resume: async () => {
      try {
        setQuota(group, cores);
      } catch (error) {
        throw new FailureError({ ...cpuLimitFailure('not-again'), detail: String(error) });
      }
    },
    undo: async () => {
      // A process that is being killed is in the group until it has gone.
      await poll(() => removeCpuGroup(group), { timeoutMs: 2_000, everyMs: 10 });
    },
  };
}

async function pin(pids: readonly number[], cores: number, supervisor: Supervisor): Promise<CpuLimit | CpuLimitProblem> {
  const allowed = allowedCores(readFileSync('/proc/self/status', 'utf8'));
  const uses = pinned.get(supervisor) ?? new Map<number, number>();
  pinned.set(supervisor, uses);
  const chosen = [...allowed].sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0) || a - b).slice(0, cores);
  const all = familyOf(pids);
  const set = async (list: readonly number[], pid: number): Promise<boolean> =>
    (await runTool(supervisor, ['taskset', '-a', '-c', '-p', list.join(','), String(pid)], { cwd: '/' })) !== null;
  for (const pid of all) if (!(await set(chosen, pid)) && processStat(pid) !== null) return 'no-taskset';
  for (const core of chosen) uses.set(core, (uses.get(core) ?? 0) + 1);
  const setAll = async (list: readonly number[]): Promise<void> => {
    for (const pid of familyOf(all)) if (processStat(pid) !== null) await set(list, pid);
  };
  return {
    means: 'affinity',
    cores,
    suspend: () => setAll(allowed),
    resume: () => setAll(chosen),
    undo: async () => {
      for (const core of chosen) uses.set(core, Math.max(0, (uses.get(core) ?? 0) - 1));
      await setAll(allowed);
    },
  };
}

/** The cores a process may run on, from `Cpus_allowed_list` of proc(5)'s status: "0-3,8" is 0, 1, 2, 3 and 8. */
export function allowedCores(status: string): number[] {
  const list = /^Cpus_allowed_list:\s*([\d,-]+)/m.exec(status)?.[1] ?? '0';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Those of these processes that still run, and all that descend from them. */
function familyOf(pids: readonly number[]): number[] {
  const rows = allProcesses();
  const known = new Set(rows.map(({ pid }) => pid));
  const running = pids.filter((pid) => known.has(pid));
  return withDescendants(rows, running);
}
