import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import type { RecordedCpu } from '../../model/domain/recording.ts';
import { namesIn, readSmallFile } from '../supervise/smallFile.ts';
import { type ProcStat, tickUs } from '../observe/procStat.ts';
import { ProcessTable } from '../observe/processTable.ts';
import { pause } from '../supervise/pause.ts';
import { splitArguments, titleOf } from './jvm/listJvms.ts';
import { inspectJvm } from './jvm/jvmProcess.ts';
import { scriptOf } from './node/listNodes.ts';
import { readNodeFacts } from './node/nodeProcess.ts';
import { nodeProblem } from './node/openInspector.ts';
import type { RecordedProcess } from './recorder.ts';

/** For so long it is looked who computes. */
const lookMs = 400;
/** Who has less than this share of what all use is not worth a profiler. */
const leastShare = 0.02;
const leastTicks = 2;
const mostRecorded = 16;
const nsPerTick = tickUs * 1000;

/** A process and all that descend from it or are in its process group: workers of a cluster, forks, a launcher and what it launched. */
export class ProcessFamily {
  readonly #table = new ProcessTable();
  readonly #root: number;
  /** By pid: CPU time in ticks at the first reading. */
  readonly #before = new Map<number, number>();
  /** By pid, of those that are recorded: CPU time of their threads then. */
  readonly #threadsBefore = new Map<number, ReturnType<typeof threadTimes>>();
  #reapedBefore = 0;

  constructor(private readonly process: RecordedProcess) {
    this.#root = process.root ?? process.pid;
  }

  /** Those that are to be recorded: who computes, the busiest first; where nobody does, or nothing is known, the process that was named. */
  async busiest(signal: AbortSignal): Promise<number[]> {
    const able = this.#members().filter(({ pid }) => pid === this.process.pid || this.#isRecordable(pid));
    if (able.length < 2) return [this.process.pid];
    await pause(lookMs, signal);
    const before = new Map(able.map(({ pid, ownTicks }) => [pid, ownTicks]));
    const used = this.#members().flatMap(({ pid, ownTicks }) => {
      const known = before.get(pid);
      return known === undefined ? [] : [{ pid, ticks: ownTicks - known }];
    });
    const all = used.reduce((sum, { ticks }) => sum + ticks, 0);
    const busy = used.filter(({ ticks }) => ticks >= leastTicks && ticks >= leastShare * all);
    if (busy.length === 0) return [this.process.pid];
    return busy
      .sort((a, b) => b.ticks - a.ticks)
      .slice(0, mostRecorded)
      .map(({ pid }) => pid);
  }

  /** From now on the CPU time of a process counts. */
  begin(pid: number): void {
    const found = this.#members().find((member) => member.pid === pid);
    if (found !== undefined) this.#before.set(pid, found.ownTicks);
    this.#threadsBefore.set(pid, threadTimes(pid));
  }

  /** From now on the CPU time of those counts for which it does not yet, and of those that end. */
  beginOthers(): void {
    const members = this.#members();
    for (const { pid, ownTicks } of members) if (!this.#before.has(pid)) this.#before.set(pid, ownTicks);
    this.#reapedBefore = members.reduce((sum, { reapedTicks }) => sum + reapedTicks, 0);
  }

  /** What was used since; null where the platform does not report it, or all have ended. `recorded`: pids that are in the recording. */
  cpu(recorded: ReadonlySet<number>): RecordedCpu | null {
    const members = this.#members();
    if (members.length === 0) return null;
    const alive = new Set(members.map(({ pid }) => pid));
    const processes = members.map(({ pid, ownTicks, command }) => ({
      pid,
      title: this.titleOf(pid) ?? command,
      kernelNs: (ownTicks - (this.#before.get(pid) ?? 0)) * nsPerTick,
      recorded: recorded.has(pid),
      ...(recorded.has(pid) ? { threads: this.#threadsOf(pid) } : {}),
    }));
    // Who ended counts on in who waited for it, with what it had used before.
    const reaped = members.reduce((sum, { reapedTicks }) => sum + reapedTicks, 0) - this.#reapedBefore;
    const earlier = [...this.#before].reduce((sum, [pid, ticks]) => sum + (alive.has(pid) ? 0 : ticks), 0);
    const ended = Math.max(0, reaped - earlier) * nsPerTick;
    return {
      kernelNs: processes.reduce((sum, { kernelNs }) => sum + kernelNs, 0) + ended,
      endedNs: ended,
      processes: processes.filter(({ kernelNs, recorded: known }) => known || kernelNs > 0),
    };
  }

  /** What a process runs, for people; null where it has ended. */
  titleOf(pid: number): string | null {
    const argv = splitArguments(readSmallFile(`/proc/${pid}/cmdline`) ?? '');
    const [program] = argv;
    if (program === undefined) return null;
    const name = path.basename(program);
    if (name === 'java') return titleOf(argv, null).slice(0, longestTitle);
    const script = readNodeFacts(pid)?.isNode === true ? scriptOf(argv) : null;
    return (script === null ? name : path.basename(script)).slice(0, longestTitle);
  }

  /** What the threads of a process used since, the busiest first. */
  #threadsOf(pid: number): { number: number; name: string; kernelNs: number }[] {
    const before = this.#threadsBefore.get(pid);
    return [...threadTimes(pid)]
      .map(([number, { name, ns }]) => ({ number, name, kernelNs: ns - (before?.get(number)?.ns ?? 0) }))
      .filter(({ kernelNs }) => kernelNs > 0)
      .sort((a, b) => b.kernelNs - a.kernelNs)
      .slice(0, mostThreads);
  }

  #isRecordable(pid: number): boolean {
    if (this.process.runtime === 'jvm') return attempt(() => inspectJvm(pid).pid === pid, false);
    const facts = readNodeFacts(pid);
    if (facts === null || !facts.isNode) return false;
    return this.process.probes?.sessions.some(({ hello }) => hello.pid === pid) === true || nodeProblem(facts) === null;
  }

  #members(): readonly ProcStat[] {
    if (process.platform !== 'linux') return [];
    return this.#table.scan([this.#root], []).trees.get(this.#root) ?? [];
  }
}

const longestTitle = 80;
const mostThreads = 500;

/**
 * By its number in the system, what each thread of a process is called and the CPU time that it used so far, in ns; none where the platform does not report it.
 */
function threadTimes(pid: number): Map<number, { name: string; ns: number }> {
  const folder = `/proc/${pid}/task`;
  const times = new Map<number, { name: string; ns: number }>();
  for (const entry of namesIn(folder)) {
    // Time on a processor, time waited for one, and turns: the kernel's scheduler/sched-stats.
    const ns = Number(readSmallFile(`${folder}/${entry}/schedstat`)?.split(' ', 1)[0] ?? Number.NaN);
    if (Number.isFinite(ns)) times.set(Number(entry), { name: (readSmallFile(`${folder}/${entry}/comm`) ?? '').trim(), ns });
  }
  return times;
}
