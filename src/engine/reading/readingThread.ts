import { statSync } from 'node:fs';
import path from 'node:path';
import type { Detection } from '../../model/domain/detection.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { inTime } from '../../model/domain/inTime.ts';
import type { HeapCensus } from '../calltree/heapCensus.ts';
import type { readSavedRequests } from '../run/tuning/savedRequestFiles.ts';
import { type LoadedWorkspaceFile, unusableWorkspaceFile, workspaceFileName } from '../targets/workspaceFile.ts';
import { type WorkspaceProfiles, profileFiles } from '../targets/workspaceProfiles.ts';
import type { readTraffic } from '../traffic/readTraffic.ts';
import type { TrafficWishes } from '../traffic/trafficDraft.ts';
import { AskedThread, isOutOfMemory } from '../supervise/askedThread.ts';

/** What a thread can read. Paths are absolute. */
export interface Readings {
  discover: { params: { dir: string; command?: readonly string[] }; result: Detection };
  workspaceFile: { params: { file: string }; result: LoadedWorkspaceFile | null };
  workspaceProfiles: { params: { dir: string }; result: WorkspaceProfiles };
  traffic: { params: { files: readonly string[]; wishes: TrafficWishes }; result: ReturnType<typeof readTraffic> };
  heapCensus: { params: { files: readonly string[]; least: number }; result: HeapCensus };
  savedRequests: { params: { assetsDir: string; workspaceDir: string | null }; result: Awaited<ReturnType<typeof readSavedRequests>> };
}
type Reading = keyof Readings;

/** What reading may take at most: what takes longer or needs more was made for that. */
export interface ReadingBudget {
  deadlineMs: number;
  heapMb: number;
}
const budgets: Readonly<Record<Reading, ReadingBudget>> = {
  discover: { deadlineMs: 30_000, heapMb: 384 },
  workspaceFile: { deadlineMs: 15_000, heapMb: 256 },
  workspaceProfiles: { deadlineMs: 15_000, heapMb: 256 },
  // A log of some millions of lines.
  traffic: { deadlineMs: 120_000, heapMb: 1_024 },
  // Snapshots of a heap of 100 MB, one after the other.
  heapCensus: { deadlineMs: 90_000, heapMb: 2_048 },
  savedRequests: { deadlineMs: 15_000, heapMb: 256 },
};
const subjects: Readonly<Record<Reading, { what: string; cure: string }>> = {
  discover: { what: 'The folder', cure: 'Open the folder of one service, or write its benchside.json by hand.' },
  workspaceFile: { what: 'The file benchside.json', cure: 'Make it smaller: leave out targets, or routes of them.' },
  workspaceProfiles: { what: 'The folder of load profiles', cure: 'Make the load profiles smaller, or fewer.' },
  traffic: { what: 'The traffic', cure: 'Read a part of it: an hour says as much as a day.' },
  heapCensus: { what: 'The snapshot of the heap', cure: 'Look for the leak with a smaller heap, or fewer objects.' },
  savedRequests: { what: 'The folder of experiments', cure: 'Move away those that are not experiments of yours.' },
};
/** A file that was written so shortly before it was read may have been written again with the same time. */
const sureAfterMs = 50;

/**
 * Reads untrusted files, each in a thread of its own that is ended when it takes too long or needs too much memory. The engine's own thread stays free for
 * whatever it measures meanwhile, and hears that its client has gone.
 */
export class ReadingThread {
  #known: { key: string; loaded: LoadedWorkspaceFile } | null = null;
  #profiles: { key: string; read: WorkspaceProfiles } | null = null;

  constructor(
    private readonly workerPath: string,
    private readonly budget: Partial<ReadingBudget> = {},
  ) {}

  /** Fails with `reading-too-long` and `reading-too-large`. An abort ends the reading. */
  async read<R extends Reading>(reading: R, params: Readings[R]['params'], signal?: AbortSignal): Promise<Readings[R]['result']> {
    signal?.throwIfAborted();
    const { deadlineMs, heapMb } = { ...budgets[reading], ...this.budget };
    const { what, cure } = subjects[reading];
    const thread = new AskedThread<Readings>(this.workerPath, heapMb, {
      ended: () => new Error('The thread that reads has ended.'),
      broken: (error) =>
        isOutOfMemory(error) ? failure('reading-too-large', `${what} needs more than ${heapMb} MB of memory to be read.`, cure) : error,
    });
    try {
      return await inTime(deadlineMs, thread.ask(reading, params, signal), () => {
        throw failure('reading-too-long', `${what} takes more than ${deadlineMs / 1000} s to read.`, cure);
      });
    } finally {
      await thread.close();
    }
  }

  /** The load profiles in files of a folder’s own. Files that have not changed are read once. */
  async workspaceProfiles(folder: string | null): Promise<WorkspaceProfiles> {
    const files = folder === null ? [] : profileFiles(folder);
    if (folder === null || files.length === 0) return { profiles: [], problems: [] };
    const key = files.map((one) => one.key).join('\n');
    if (this.#profiles?.key !== key) {
      try {
        this.#profiles = { key, read: await this.read('workspaceProfiles', { dir: folder }) };
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        this.#profiles = { key, read: { profiles: [], problems: [error.failure] } };
      }
    }
    return structuredClone(this.#profiles.read);
  }

  /**
   * What the `benchside.json` of a folder declares; null when there is none. A file that has not changed is read once. What goes wrong is a problem of the
   * file.
   */
  async workspaceFile(folder: string | null): Promise<LoadedWorkspaceFile | null> {
    if (folder === null) return null;
    const file = path.join(folder, workspaceFileName);
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
    if (stats === undefined) return null;
    const key = [file, stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
    if (this.#known?.key === key) return structuredClone(this.#known.loaded);
    this.#known = null;
    try {
      const loaded = await this.read('workspaceFile', { file });
      const isSure = Date.now() - Number(stats.ctimeMs) > sureAfterMs;
      if (loaded !== null && isSure) this.#known = { key, loaded };
      return loaded === null ? null : structuredClone(loaded);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return unusableWorkspaceFile(file, error.failure);
    }
  }
}
