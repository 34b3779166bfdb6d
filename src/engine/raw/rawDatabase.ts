import type { Client } from 'pg';
import { failure } from '../../model/domain/failure.ts';
import { type RawLoaded, type RawResult, type RawView, mostRawRows } from '../../model/domain/rawSample.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { type DatabaseAddress, postgresUrl } from '../services/serverUrl.ts';
import { withClient } from '../services/database.ts';
import { rawDatabaseName } from '../services/databaseOwner.ts';
import { createMarked } from '../services/managedDatabases.ts';
import { copyRows } from './copyRows.ts';
import type { RawRow } from './rawFile.ts';
import { schemaSql, schemaVersion, viewOrder } from './rawSchema.ts';

/** What the database holds at most. The runs that were loaded longest ago go first. */
export interface RawBounds {
  runs: number;
  rows: number;
}
export const rawBounds: RawBounds = { runs: 20, rows: mostRawRows };

/** No query of a view may take longer. */
const longestQueryMs = 120_000;
/** Loading takes as long as there are rows. */
const loading = { statementMs: 600_000, lockMs: 0 };
const numericTypes = new Set([20, 21, 23, 26, 700, 701, 1700]);

/** What is to be loaded of a run. */
export interface RawSource {
  record: Pick<RunRecord, 'id' | 'title' | 'startedAt' | 'durationMs' | 'valid' | 'load' | 'environment' | 'trials'>;
  share: number;
  timing: boolean;
  droppedRows: number;
  rows: () => AsyncIterable<RawRow[]>;
}

/** The raw samples in the workbench’s PostgreSQL. It is a copy: what goes can be loaded again from the runs’ folders. */
export class RawDatabase {
  constructor(
    private readonly address: DatabaseAddress,
    private readonly bounds: RawBounds = rawBounds,
  ) {}

  get connection(): string {
    return postgresUrl(this.address, rawDatabaseName);
  }

  /** The number of a run in the database; null when it is not there. */
  async find(runId: string, signal?: AbortSignal): Promise<number | null> {
    await this.#prepare(signal);
    return this.#with(signal, (client) => findRun(client, runId));
  }

  /** Loads a run in one transaction, unless it is there. What was loaded longest ago goes when the bounds would be exceeded. */
  async load(source: RawSource, onProgress: (rows: number) => void, signal?: AbortSignal): Promise<RawLoaded> {
    await this.#prepare(signal);
    const { connection } = this;
    return this.#with(signal, async (client) => {
      await client.query('BEGIN');
      // Two windows on one server load one after the other.
      await client.query('SELECT pg_advisory_xact_lock(727002)');
      const known = await findRun(client, source.record.id);
      if (known !== null) {
        await client.query('COMMIT');
        const { rows, joined } = await rowCounts(client, known);
        return { run: known, rows, joined, already: true, removed: [], messages: [], connection };
      }
      const run = await insertRun(client, source);
      const trials = await insertTrials(client, run, source);
      await client.query(`CREATE TABLE raw.requests_${run} PARTITION OF raw.requests FOR VALUES IN (${run})`);
      const options = { most: this.bounds.rows, onProgress, signal };
      const { rows, joined, cut } = await copyRows(client, run, trials, source.rows(), options);
      await client.query('UPDATE raw.runs SET rows = $2, joined_rows = $3 WHERE run = $1', [run, rows, joined]);
      const removed = await this.#removeOldest(client, run);
      await client.query('COMMIT');
      await client.query(`ANALYZE raw.requests_${run}`);
      return { run, rows, joined, already: false, removed, messages: this.#messages(removed, cut), connection };
    });
  }

  /** Reads a view of one run that was loaded, at most `limit` rows. */
  async query(run: number, view: RawView, limit: number, signal?: AbortSignal): Promise<RawResult> {
    return this.#with(signal, async (client) => {
      const sql = viewSql(run, view, limit);
      await client.query('BEGIN READ ONLY');
      await client.query(`SET LOCAL statement_timeout = ${longestQueryMs}`);
      const { fields, rows } = await client.query<(string | null)[]>({
        // One more, to know whether there are more.
        text: viewSql(run, view, limit + 1),
        rowMode: 'array',
        types: { getTypeParser: () => (text: string) => text },
      });
      await client.query('COMMIT');
      return {
        sql,
        columns: fields.map(({ name, dataTypeID }) => ({ name, numeric: numericTypes.has(dataTypeID) })),
        rows: rows.slice(0, limit),
        more: rows.length > limit,
      };
    });
  }

  async #with<T>(signal: AbortSignal | undefined, work: (client: Client) => Promise<T>): Promise<T> {
    const explaining = (client: Client): Promise<T> =>
      work(client).catch((error: unknown) => {
        throw explained(error);
      });
    return withClient(this.address, rawDatabaseName, explaining, signal, loading);
  }

  async #prepare(signal: AbortSignal | undefined): Promise<void> {
    const { address } = this;
    await withClient(
      address,
      address.database,
      async (client) => {
        await client.query('SELECT pg_advisory_lock(727002)');
        const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [rawDatabaseName]);
        if (found.rowCount !== 0) return;
        if (address.external && address.mode !== 'own') {
          throw failure(
            'raw-external',
            `Raw samples are kept in a database “${rawDatabaseName}”, your PostgreSQL server has none, and with “benchside.postgres.mode” as it is Benchside makes none.`,
            `Make it (CREATE DATABASE ${rawDatabaseName}), set the mode to own, or clear “benchside.postgres.url” to use the built-in server.`,
          );
        }
        if (address.external) await createMarked(client, address, rawDatabaseName, '');
        else await client.query(`CREATE DATABASE ${rawDatabaseName}`);
      },
      signal,
      loading,
    );
    await this.#with(signal, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(727002)');
      const { rows } = await client.query<{ version: string | null }>(
        `SELECT obj_description(oid, 'pg_namespace') AS version FROM pg_namespace WHERE nspname = 'raw'`,
      );
      const [schema] = rows;
      if (schema?.version !== schemaVersion) {
        if (schema !== undefined && schema.version?.startsWith('Benchside raw samples') !== true) {
          throw failure(
            'raw-schema',
            `The database “${rawDatabaseName}” has a schema “raw” that is not Benchside’s.`,
            'Rename that schema, or drop it if nobody needs it.',
          );
        }
        await client.query('DROP SCHEMA IF EXISTS raw CASCADE');
        await client.query(schemaSql);
      }
      await client.query('COMMIT');
    });
  }

  async #removeOldest(client: Client, kept: number): Promise<string[]> {
    const { rows } = await client.query<{ run: number; run_id: string; rows: string }>(
      'SELECT run, run_id, rows FROM raw.runs ORDER BY run = $1 DESC, loaded_at DESC, run DESC',
      [kept],
    );
    const removed: string[] = [];
    let total = 0;
    for (const [index, { run, run_id: id, rows: count }] of rows.entries()) {
      total += Number(count);
      if (index < this.bounds.runs && (total <= this.bounds.rows || run === kept)) continue;
      await client.query(`DROP TABLE raw.requests_${run}`);
      await client.query('DELETE FROM raw.runs WHERE run = $1', [run]);
      total -= Number(count);
      removed.push(id);
    }
    return removed;
  }

  #messages(removed: readonly string[], cut: boolean): string[] {
    const { runs, rows } = this.bounds;
    const bound = `The database holds at most ${runs} runs and ${rows.toLocaleString('en-US')} requests`;
    const messages: string[] = [];
    if (removed.length > 0) {
      const gone =
        removed.length === 1 ? 'run that was loaded longest ago was' : `${removed.length} runs that were loaded longest ago were`;
      const stay = removed.length === 1 ? 'It stays' : 'They stay';
      messages.push(`${bound}: the ${gone} removed from it. ${stay} in the list of runs and can be loaded again.`);
    }
    if (cut) messages.push(`${bound}: only the first ${rows.toLocaleString('en-US')} of this run were loaded. An export has all of them.`);
    return messages;
  }
}

/** The statement that reads a view; the same for people as for us. */
export function viewSql(run: number, view: RawView, limit: number): string {
  return `SELECT * FROM raw.${view} WHERE run = ${run} ORDER BY ${viewOrder[view]} LIMIT ${limit}`;
}

async function findRun(client: Client, runId: string): Promise<number | null> {
  const { rows } = await client.query<{ run: number }>('SELECT run FROM raw.runs WHERE run_id = $1', [runId]);
  return rows[0]?.run ?? null;
}

async function rowCounts(client: Client, run: number): Promise<{ rows: number; joined: number }> {
  const sql = 'SELECT rows, joined_rows FROM raw.runs WHERE run = $1';
  const { rows } = await client.query<{ rows: string; joined_rows: string }>(sql, [run]);
  return { rows: Number(rows[0]?.rows ?? 0), joined: Number(rows[0]?.joined_rows ?? 0) };
}

async function insertRun(client: Client, { record, share, timing, droppedRows }: RawSource): Promise<number> {
  const { id, title, startedAt, durationMs, valid } = record;
  const [load, environment] = [JSON.stringify(record.load), JSON.stringify(record.environment)];
  const { rows } = await client.query<{ run: number }>(
    `INSERT INTO raw.runs (run_id, title, started_at, duration_ms, valid, load, environment, share, timing, dropped_rows)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING run`,
    [id, title, startedAt, durationMs, valid, load, environment, share, timing, droppedRows],
  );
  return rows[0]?.run ?? 0;
}

/** Returns the number of each trial by its key. */
async function insertTrials(client: Client, run: number, { record }: RawSource): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const [index, trial] of record.trials.entries()) {
    numbers.set(trial.key, index + 1);
    await client.query('INSERT INTO raw.trials VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[run, index + 1, trial.key, trial.target, JSON.stringify(trial.settings), trial.connections, trial.throughput.mean],
      trial.latencyMs?.p99 ?? null,
    ]);
  }
  return numbers;
}

function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === '57014')
    return failure(
      'raw-slow',
      'The query took longer than two minutes and was ended.',
      'Ask for fewer rows, or query the table raw.requests with a narrower condition.',
    );
  if (code === '53100')
    return failure(
      'disk-full',
      'The disk that holds the database is full: nothing was loaded.',
      'Free some space, or export the raw samples to a file on another disk.',
    );
  return error;
}
