import { closeSync, openSync, readSync } from 'node:fs';
import { remembered } from '../../../model/domain/remembered.ts';
import { compilerThread } from '../../../model/domain/runtimes.ts';
import { namesIn, readSmallFile } from '../../supervise/smallFile.ts';

/** For each thread, by `pid/tid`: ns that it ran, and that it was ready to run and waited for a core. */
export type ClockReading = ReadonlyMap<string, readonly [ranNs: number, waitedNs: number]>;

/** What threads used between two readings, in µs. */
export interface CpuBetween {
  totalUs: number;
  /** How long all were ready to run and waited for a core. */
  waitedUs: number;
  /** The part of a JVM’s compilers in the total, by the names of their threads. */
  compilerUs: number;
  /** Their part of the waiting. */
  compilerWaitedUs: number;
  /** The thread that used most, except for compilers, and how long it was ready to run and waited for a core. */
  busiestUs: number;
  busiestWaitedUs: number;
}

/**
 * CPU time of processes and all their threads from `/proc/<pid>/task/<tid>/schedstat`, whose first two fields count ns (utime and stime count ticks of 10 ms).
 * Time that others took is not in it. Files stay open between readings: one costs about half a µs. On a system without `/proc` every reading is empty.
 */
export class ThreadClocks {
  readonly #files = new Map<string, number>();
  readonly #compiles = new Map<string, boolean>();
  readonly #buffer = Buffer.alloc(96);

  /** `pids` is asked at each reading: processes may come and go. */
  constructor(private readonly pids: () => readonly number[]) {}

  read(): ClockReading {
    const reading = new Map<string, readonly [number, number]>();
    for (const pid of this.pids()) {
      for (const tid of namesIn(`/proc/${pid}/task`)) {
        const times = this.#read(`${pid}/${tid}`, `/proc/${pid}/task/${tid}/schedstat`);
        if (times !== null) reading.set(`${pid}/${tid}`, times);
      }
    }
    for (const key of this.#files.keys()) if (!reading.has(key)) this.#forget(key);
    return reading;
  }

  /** Null where neither reading knows of any thread. A thread that began in between counts from its beginning; what one that ended used last is lost. */
  between(before: ClockReading, after: ClockReading): CpuBetween | null {
    if (before.size === 0 || after.size === 0) return null;
    const used: CpuBetween = { totalUs: 0, waitedUs: 0, compilerUs: 0, compilerWaitedUs: 0, busiestUs: 0, busiestWaitedUs: 0 };
    for (const [key, [ranNs, waitedNs]] of after) {
      const [ranBefore, waitedBefore] = before.get(key) ?? [0, 0];
      const us = (ranNs - ranBefore) / 1000;
      if (!(us > 0)) continue;
      const waitedUs = Math.max(0, waitedNs - waitedBefore) / 1000;
      used.totalUs += us;
      used.waitedUs += waitedUs;
      if (this.#isCompiler(key)) {
        used.compilerUs += us;
        used.compilerWaitedUs += waitedUs;
      } else if (us > used.busiestUs) {
        used.busiestUs = us;
        used.busiestWaitedUs = waitedUs;
      }
    }
    return used;
  }

  close(): void {
    for (const key of [...this.#files.keys()]) this.#forget(key);
  }

  #read(key: string, path: string): readonly [number, number] | null {
    try {
      let file = this.#files.get(key);
      if (file === undefined) {
        file = openSync(path, 'r');
        this.#files.set(key, file);
      }
      const length = readSync(file, this.#buffer, 0, this.#buffer.length, 0);
      const [ran, waited] = this.#buffer.toString('latin1', 0, length).split(' ', 2).map(Number);
      return ran === undefined || waited === undefined || !Number.isFinite(ran + waited) ? null : [ran, waited];
    } catch {
      this.#forget(key);
      return null;
    }
  }

  #isCompiler(key: string): boolean {
    return remembered(this.#compiles, key, () => compilerThread.test(text(`/proc/${key.replace('/', '/task/')}/comm`)));
  }

  #forget(key: string): void {
    const file = this.#files.get(key);
    this.#files.delete(key);
    if (file !== undefined) closeSync(file);
  }
}

/** The children of a process, by `/proc/<pid>/task/<tid>/children`. */
export function childrenOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((tid) =>
    text(`/proc/${pid}/task/${tid}/children`)
      .split(' ')
      .flatMap((child) => (child === '' ? [] : [Number(child)])),
  );
}

export function withDescendants(pids: readonly number[]): number[] {
  const found = new Set<number>();
  const visit = (pid: number): void => {
    if (found.has(pid)) return;
    found.add(pid);
    for (const child of childrenOf(pid)) visit(child);
  };
  for (const pid of pids) visit(pid);
  return [...found];
}

function text(path: string): string {
  return (readSmallFile(path) ?? '').trim();
}
