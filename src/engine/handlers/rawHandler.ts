import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { RawFormat, RawLoaded, RawRun } from '../../model/domain/rawSample.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { Engine } from './engine.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { statOrNull, writeFully } from '../files/safeFiles.ts';
import { csvFile } from '../raw/csvFile.ts';
import { parquetFile } from '../raw/parquetFile.ts';
import { ProxyTimes } from '../raw/proxyTimes.ts';
import { RawDatabase } from '../raw/rawDatabase.ts';
import { type RawRow, rawFileName, rawRows } from '../raw/rawFile.ts';

/** Everything about raw samples that were kept: loading them into the database, asking it, and writing them to files. */
export class RawHandler {
  constructor(private readonly engine: Engine) {}

  handlers() {
    return {
      'raw/list': async () => ({ runs: await this.#list() }),
      'raw/load': ({ runId }, signal) => this.engine.exclusive(signal, (own) => this.#load(runId, own)),
      'raw/query': async ({ runId, view, limit }, signal) => {
        const database = await this.#database(signal);
        const run = await database.find(runId, signal);
        if (run === null)
          throw failure(
            'raw-not-loaded',
            'The raw samples of this run are not in the database.',
            'Load them first (“benchside raw load”, or the command Query Raw Samples).',
          );
        return database.query(run, view, limit, signal);
      },
      'raw/export': ({ runId, format, file }, signal) => this.engine.exclusive(signal, (own) => this.#export(runId, format, file, own)),
    } satisfies Partial<Handlers>;
  }

  /** Runs with raw samples, newest first. */
  async #list(): Promise<RawRun[]> {
    const { store } = this.engine;
    const runs: RawRun[] = [];
    for (const summary of await store.list()) {
      if (summary.kind !== 'run') continue;
      const stats = await statOrNull(path.join(store.runsFolder, summary.id, rawFileName));
      if (stats === null) continue;
      const { raw, title, startedAt } = await store.read(summary.id).catch(() => ({ raw: undefined, title: '', startedAt: '' }));
      if (raw !== undefined) runs.push({ runId: summary.id, title, startedAt, bytes: stats.size, record: raw });
    }
    return runs;
  }

  async #load(runId: string, signal: AbortSignal): Promise<RawLoaded> {
    const { record, rows } = await this.#source(runId, signal);
    const { raw } = record;
    const database = await this.#database(signal);
    return database.load(
      { record, share: raw.share, timing: raw.timing, droppedRows: raw.droppedRows, rows },
      (done) => this.#progress('Loading', done, raw.rows),
      signal,
    );
  }

  /** Writes all rows to a new file next to the named one, and renames it when it is whole. */
  async #export(runId: string, format: RawFormat, file: string, signal: AbortSignal): Promise<{ rows: number; bytes: number }> {
    if (!path.isAbsolute(file)) throw failure('raw-export', 'The file to export to needs its whole path.', 'Name it with its folder.');
    const { record, rows } = await this.#source(runId, signal);
    const output =
      format === 'csv' ? csvFile : parquetFile({ benchside_run: record.id, title: record.title, started_at: record.startedAt });
    // The name cannot be guessed: through a link at a known name another file would be overwritten.
    const unfinished = `${file}.unfinished-${randomBytes(6).toString('hex')}`;
    let count = 0;
    let bytes = 0;
    try {
      const handle = await open(unfinished, 'wx');
      const write = async (piece: Buffer): Promise<void> => {
        await writeFully(handle, piece);
        bytes += piece.byteLength;
      };
      try {
        await write(output.begin());
        for await (const batch of rows()) {
          signal.throwIfAborted();
          count += batch.length;
          await write(output.rows(batch));
          this.#progress('Exporting', count, record.raw.rows);
        }
        await write(output.end());
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw exportFailure(error, file);
    }
    return { rows: count, bytes };
  }

  /** A run’s record and its rows, joined with the proxy’s logs. */
  async #source(
    runId: string,
    signal: AbortSignal,
  ): Promise<{ record: RunRecord & { raw: NonNullable<RunRecord['raw']> }; rows: () => AsyncIterable<RawRow[]> }> {
    const { store } = this.engine;
    const { raw, ...record } = await store.read(runId);
    if (raw === undefined)
      throw failure('raw-none', 'This run has no raw samples.', 'Run it again with raw samples (“benchside run --raw”).');
    const folder = path.join(store.runsFolder, runId);
    const logs = raw.proxyLogs.filter((name) => record.files.some((file) => file.name === name)).map((name) => path.join(folder, name));
    const proxy = logs.length === 0 ? null : await ProxyTimes.read(logs, signal);
    return { record: { ...record, raw }, rows: () => rawRows(path.join(folder, rawFileName), proxy) };
  }

  async #database(signal: AbortSignal): Promise<RawDatabase> {
    const { address } = await (await this.engine.server.configured()).database(signal);
    return new RawDatabase(address);
  }

  #progress(doing: 'Loading' | 'Exporting', done: number, total: number): void {
    this.engine.tell('raw', { code: 'raw-rows', doing, rows: done, of: total }, Math.min(1, done / Math.max(1, total)));
  }
}

function exportFailure(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return failure('disk-full', `The disk is full: ${file} was not written.`, 'Free some space, or choose a file on another disk.');
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EISDIR' || code === 'ENOTDIR') {
    return failure(
      'raw-export',
      `${file} cannot be written.`,
      'Choose a file in a folder that exists and that you may write.',
      String(error),
    );
  }
  return error;
}
