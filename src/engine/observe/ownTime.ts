import path from 'node:path';
import { ProcessTable } from './processTable.ts';
import { parseWaitedUs, tickUs } from './procStat.ts';
import { type TurnsByThread, ProcessUseReader } from './processUse.ts';
import { readSmallFile } from '../supervise/smallFile.ts';

/** What the processes of a group did in a stretch of time, in ms. */
export interface Stretch {
  wallMs: number;
  /** CPU time that they got, of all threads. */
  cpuMs: number;
  /** Time for which threads could have run and waited for a core, of all threads. */
  waitedMs: number;
  /** The same of our own thread that asks it: what is asked late cannot be answered in time. */
  weWaitedMs: number;
}

/** A machine that is never free may make nobody wait for more than so many times as long. */
const mostTimes = 10;
/** Whoever wants so much of a core is computing. */
const busyShare = 0.2;
const everyMs = 1_000;
const shortestMs = 100;

/**
 * How much of a stretch counts for a limit: the time less what threads waited for a core, ours among them, at least the CPU time that they got, at least a tenth, and at most all of it. On a machine with
 * a core for each that wants one it is all.
 */
export function countedMs({ wallMs, cpuMs, waitedMs, weWaitedMs }: Stretch): number {
  return Math.min(wallMs, Math.max(wallMs / mostTimes, cpuMs, wallMs - waitedMs - weWaitedMs));
}

/**
 * How much time a group of processes has had for its work, from now on. A limit by the clock alone mistakes a busy machine for a fault of the service. On other
 * platforms than Linux, CPU times are unknown, and the clock counts.
 */
export class OwnTime {
  readonly #table: ProcessTable;
  readonly #reader: ProcessUseReader;
  #atMs = performance.now();
  #cpuMs = 0;
  #turns: TurnsByThread = new Map();
  #weWaitedUs = 0;
  #countedMs = 0;
  /** Whether it computed, or wanted to, when it was last looked at. */
  isComputing = false;
  /** All since the beginning. */
  readonly #whole = { wallMs: 0, cpuMs: 0 };

  /** @param pgid the group’s leader; its descendants belong to it */
  constructor(
    private readonly pgid: number,
    procDir = '/proc',
  ) {
    this.#table = new ProcessTable(procDir);
    this.#reader = new ProcessUseReader(procDir);
    if (process.platform !== 'linux') return;
    const members = this.#members();
    this.#cpuMs = cpuOf(members);
    this.#turns = this.#reader.turns(members);
    this.#weWaitedUs = this.#ourWaitUs();
  }

  /** Milliseconds that count so far. What was done since the last look, less than a second ago, counts in full. */
  spentMs(): number {
    const sinceMs = performance.now() - this.#atMs;
    if (sinceMs < everyMs) return this.#countedMs + sinceMs;
    this.#look();
    return this.#countedMs;
  }

  /** Whether its time is over. `times`: a group that still computes gets so many times the limit of an idle one. */
  isOver(limitMs: number, times = 1): boolean {
    const limit = (): number => (this.isComputing ? times : 1) * limitMs;
    if (this.spentMs() <= limit()) return false;
    this.#look();
    return this.#countedMs > limit();
  }

  /** How it used its time, as words that continue `before`; empty where CPU times are unknown. */
  words(before: string): string {
    if (process.platform !== 'linux') return '';
    const { wallMs, cpuMs } = this.#whole;
    const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
    const did = this.isComputing ? 'it still computes' : 'it stands still';
    // Of a second that is off nothing follows.
    const withheld = wallMs - this.#countedMs;
    return `${before}${did}, after ${seconds(cpuMs)} of CPU time in ${seconds(wallMs)}${withheld > 0.2 * wallMs ? `, in ${seconds(withheld)} of which this machine had no core for it` : ''}`;
  }

  #look(): void {
    const wallMs = performance.now() - this.#atMs;
    this.#atMs += wallMs;
    const stretch = { wallMs, ...this.#used() };
    // Between two looks in a row nothing can be seen.
    if (wallMs >= shortestMs) this.isComputing = stretch.cpuMs + stretch.waitedMs > busyShare * wallMs;
    this.#countedMs += countedMs(stretch);
    for (const key of ['wallMs', 'cpuMs'] as const) this.#whole[key] += stretch[key];
  }

  #ourWaitUs(): number {
    return parseWaitedUs(readSmallFile(path.join(this.#table.procDir, 'self', 'schedstat')) ?? '') ?? 0;
  }

  #members() {
    return this.#table.scan([this.pgid], []).trees.get(this.pgid) ?? [];
  }

  #used(): Omit<Stretch, 'wallMs'> {
    if (process.platform !== 'linux') return { cpuMs: 0, waitedMs: 0, weWaitedMs: 0 };
    const members = this.#members();
    const [cpuMs, turns] = [cpuOf(members), this.#reader.turns(members)];
    const weWaitedUs = this.#ourWaitUs();
    let waitedUs = 0;
    for (const [thread, now] of turns) waitedUs += Math.max(0, (now.waitedUs ?? 0) - (this.#turns.get(thread)?.waitedUs ?? 0));
    const used = {
      cpuMs: Math.max(0, cpuMs - this.#cpuMs),
      waitedMs: waitedUs / 1_000,
      weWaitedMs: (weWaitedUs - this.#weWaitedUs) / 1_000,
    };
    [this.#cpuMs, this.#turns, this.#weWaitedUs] = [cpuMs, turns, weWaitedUs];
    return used;
  }
}

function cpuOf(members: readonly { ownTicks: number; reapedTicks: number }[]): number {
  return members.reduce((sum, { ownTicks, reapedTicks }) => sum + ownTicks + reapedTicks, 0) * (tickUs / 1_000);
}
