import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { type AgainstBaseline, type RunMarks, type RunRecord, type RunSummary, runIdSchema } from '../../model/domain/run.ts';
import { type RunDigest, againstBaseline, baselinesOf, digestRun } from './baseline.ts';
import { type ListedRun, readListedRun, unreadable } from './listedRun.ts';
import { fileProblem, readRun } from './readRun.ts';
import { RunIndex } from './runIndex.ts';
import type { ListedRunReader } from './runListThread.ts';
import { hashFile, readRegular } from '../files/boundedFile.ts';
import { assertFileName, folderMode, sha256, statOrNull, writeFailure } from '../files/safeFiles.ts';
import { StoreFolder, timedId } from '../files/storeFolder.ts';
import { readMarks, tidyMarks, writeMarks } from './runMarks.ts';
import { RunWriter } from './runWriter.ts';

const listedAtOnce = 16;
/** One file of a run that is read at once: histograms and thread dumps are far below. */
const largestFileBytes = 512 * 1024 * 1024;
const changed = 'has other contents than were written';

/** A row of the list from the last reading; `stamp` shows whether its folder has changed since. */
interface Listed extends ListedRun {
  stamp: string;
  /** How it compared with that baseline when the list was last read. */
  judged?: { base: RunDigest; against: AgainstBaseline };
}

export interface RunStoreOptions {
  /** Values that must not reach the disk, such as the database's password; asked for at each write. */
  secrets?: () => readonly string[];
  /** How a run is read for the list; in this thread by default. */
  readListed?: ListedRunReader;
}

/**
 * The runs of one workspace: `runs/<id>/` below its root folder (`.benchside`). The folders are the truth; what is kept in memory and in the index is only a
 * cache. Several processes may use one store at a time: a run appears and disappears by one rename.
 */
export class RunStore {
  readonly runsFolder: string;
  readonly #folder: StoreFolder;
  readonly #secrets: () => readonly string[];
  readonly #readListed: ListedRunReader;
  readonly #index: RunIndex;
  readonly #summaries = new Map<string, Listed>();
  #lastTime = 0;

  /** @param rootFolder absolute path of `.benchside`; it is made by the first run. */
  constructor(
    readonly rootFolder: string,
    options: RunStoreOptions = {},
  ) {
    this.#folder = new StoreFolder(rootFolder, 'runs');
    this.runsFolder = this.#folder.path;
    this.#secrets = options.secrets ?? (() => []);
    this.#readListed = options.readListed ?? readListedRun;
    this.#index = new RunIndex(rootFolder);
  }

  /** A new id: the time in base 36 and 96 random bits. Ids of one store are strictly later one after the other. */
  newId(): string {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    return timedId(this.#lastTime);
  }

  /** Starts to write the run `id`. Throws `disk-full`, `store-not-writable`, `store-link` or `store-write`. */
  async begin(id: string): Promise<RunWriter> {
    assertRunId(id);
    const folder = this.#folder.temporary(id);
    try {
      await this.#folder.make();
      await mkdir(folder, { mode: folderMode });
    } catch (error) {
      throw writeFailure(error, this.runsFolder);
    }
    return new RunWriter(id, folder, this.runsFolder, this.#secrets);
  }

  /**
   * All runs, newest first. A folder that cannot be read is listed as `unreadable` with the reason; it never makes the list fail.
   * The list checks `run.json` and the sizes of the run's files, once for as long as nothing in its folder changes; `read` checks their contents.
   */
  async list(): Promise<RunSummary[]> {
    const ids = (await this.#folder.names()).filter((name) => runIdSchema.safeParse(name).success).sort(newestFirst);
    const known = new Set(ids);
    for (const id of this.#summaries.keys()) if (!known.has(id)) this.#summaries.delete(id);
    const rows: (Listed | null)[] = new Array<Listed | null>(ids.length).fill(null);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < ids.length; index = next++) rows[index] = await this.#listed(ids[index] ?? '');
    };
    await Promise.all(Array.from({ length: listedAtOnce }, work));
    await this.#index.save(known);
    return withBaselines(rows.filter((row) => row !== null));
  }

  /** What a person wrote of a run; none for a run that has no marks or does not exist. */
  async marks(id: string): Promise<RunMarks> {
    assertRunId(id);
    await this.#folder.assertReal();
    return (await readMarks(join(this.runsFolder, id))).marks;
  }

  /**
   * Replaces the marks of a run. As a baseline it takes the place of the other one of the same targets.
   * Throws as {@link read} does, `run-marks` for marks that are too long, and as `begin` when they cannot be written.
   */
  async mark(id: string, marks: RunMarks): Promise<void> {
    const tidy = tidyMarks(marks);
    const { targets } = digestRun(await this.#record(id));
    try {
      await writeMarks(join(this.runsFolder, id), tidy);
    } catch (error) {
      throw writeFailure(error, this.runsFolder);
    }
    if (!tidy.baseline) return;
    // The new one counts already; a baseline that cannot be unpinned here is only not shown as one.
    const ids = (await this.#folder.names()).filter((name) => name !== id && runIdSchema.safeParse(name).success);
    for (const other of ids) {
      const folder = join(this.runsFolder, other);
      const { marks: otherMarks } = await readMarks(folder);
      if (!otherMarks.baseline || (await this.#listed(other))?.baseline?.digest.targets !== targets) continue;
      await writeMarks(folder, { ...otherMarks, baseline: false }).catch(() => undefined);
    }
  }

  /**
   * The record of one run, after its files were checked against their sizes and hashes.
   * Throws `run-id`, `run-not-found`, `run-damaged` or `run-newer`.
   */
  async read(id: string): Promise<RunRecord> {
    const record = await this.#record(id);
    for (const file of record.files) {
      const reason = await fileProblem(file.name, async () =>
        (await hashFile(join(this.runsFolder, id, file.name))) === file.sha256 ? null : changed,
      );
      if (reason !== null) throw damaged(id, reason);
    }
    return record;
  }

  /** One file of a run, checked against its hash. Throws as `read` does, and `run-file` for a name that the run does not list. */
  async readFile(id: string, name: string): Promise<Buffer> {
    assertFileName(name);
    const record = await this.#record(id);
    const file = record.files.find((candidate) => candidate.name === name);
    if (file === undefined) throw failure('run-file', `This run has no file ${name}.`, 'Choose one of the files that its record lists.');
    let content: Buffer = Buffer.alloc(0);
    const reason = await fileProblem(name, async () => {
      content = await readRegular(join(this.runsFolder, id, name), largestFileBytes);
      return sha256(content) === file.sha256 ? null : changed;
    });
    if (reason !== null) throw damaged(id, reason);
    return content;
  }

  /** Takes a run off the list. It is kept in the trash, so that `restore` can bring it back, until `sweep` removes it a day later. */
  async remove(id: string): Promise<void> {
    assertRunId(id);
    if ((await this.#folder.discard(id)) === 'missing') throw notFound(id);
  }

  /** Brings a removed run back. Throws `run-not-found` when it is not in the trash. */
  async restore(id: string): Promise<void> {
    assertRunId(id);
    const outcome = await this.#folder.restore(id);
    if (outcome === 'missing') throw failure('run-not-found', 'This run is not in the trash any more.', 'Run the benchmark again.', id);
    if (outcome === 'exists') throw failure('run-exists', 'This run is on the list already.', 'Nothing needs to be done.', id);
  }

  /** As {@link StoreFolder.sweep}. Returns how many folders went. */
  sweep(nowMs?: number): Promise<number> {
    return this.#folder.sweep(nowMs);
  }

  async #record(id: string): Promise<RunRecord> {
    assertRunId(id);
    await this.#folder.assertReal();
    const reading = await readRun(join(this.runsFolder, id), id);
    if ('record' in reading) return reading.record;
    if (reading.problem === 'missing') throw notFound(id);
    if (reading.problem === 'newer') {
      throw failure('run-newer', `This run was ${reading.reason}.`, 'Update Benchside to open it; it was left as it is.', id);
    }
    throw damaged(id, reading.reason);
  }

  async #listed(id: string): Promise<Listed | null> {
    try {
      const folder = join(this.runsFolder, id);
      const stamp = await stampOf(folder);
      const cached = this.#summaries.get(id);
      if (cached?.stamp === stamp) return cached;
      const kept = await this.#index.get(id, stamp);
      const read = kept ?? (await this.#readListed(folder, id));
      if (read === null) return null;
      if (kept === null) await this.#index.set(id, stamp, read);
      const listed: Listed = { stamp, ...read };
      this.#summaries.set(id, listed);
      return listed;
    } catch (error) {
      return { stamp: '', summary: unreadable(id, 'damaged', error instanceof Error ? error.message : String(error)), baseline: null };
    }
  }
}

/** The rows, each compared with the baseline of its targets; a baseline is one only as long as no later one was pinned. */
function withBaselines(rows: readonly Listed[]): RunSummary[] {
  const baselines = baselinesOf(rows.flatMap((row) => (row.baseline === null ? [] : [row.baseline])));
  return rows.map((row) => {
    const { summary, baseline } = row;
    if (summary.kind !== 'run' || baseline === null) return summary;
    const base = baselines.get(baseline.digest.targets);
    if (base === undefined || base.id === summary.id) return summary;
    if (row.judged?.base !== base.digest)
      row.judged = { base: base.digest, against: againstBaseline(base.id, base.digest, baseline.digest) };
    return { ...summary, marks: { ...summary.marks, baseline: false }, againstBaseline: row.judged.against };
  });
}

/** Changes whenever a file of a run's folder was written, replaced, renamed, added or removed. */
async function stampOf(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const stats = await Promise.all([folder, ...names.sort().map((name) => join(folder, name))].map(statOrNull));
  const parts = stats.map((one) => (one === null ? '-' : `${one.ino}:${one.size}:${one.mtimeMs}:${one.ctimeMs}`));
  return createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 22);
}

/** By the time within the ids, which damaged runs have, too. */
function newestFirst(a: string, b: string): number {
  const time = (id: string): number => Number.parseInt(id.slice(0, id.indexOf('-')), 36);
  return time(b) - time(a) || (a < b ? 1 : -1);
}

/** Throws `run-id` unless `id` has the form of a run id; so no id can ever be a path. */
function assertRunId(id: string): void {
  if (!runIdSchema.safeParse(id).success) {
    throw failure(
      'run-id',
      `“${id.slice(0, 60)}” is not the id of a run.`,
      'Choose a run from the list (“benchside runs” prints the ids).',
    );
  }
}

function notFound(id: string): Error {
  return failure(
    'run-not-found',
    'There is no such run in this workspace.',
    'Choose a run from the list (“benchside runs” prints the ids).',
    id,
  );
}

function damaged(id: string, reason: string): Error {
  return failure(
    'run-damaged',
    `This run is damaged: ${reason}.`,
    'Delete it and run the benchmark again; other runs are not affected.',
    id,
  );
}
