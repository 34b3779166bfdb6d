import pg from 'pg';
import { failure } from '../../model/domain/failure.ts';
import { inTime } from '../../model/domain/inTime.ts';
import { LockWatch } from './lockWatch.ts';
import { type DatabaseAddress, connectionOf, serverName } from './serverUrl.ts';

/** How long one statement may take, and how long it may wait for a lock; 0: for ever. */
export interface StatementLimits {
  statementMs: number;
  lockMs: number;
}

/** What is answered at once unless something is wrong. */
const quick: StatementLimits = { statementMs: 30_000, lockMs: 10_000 };
/** Tables are made and filled, which may be many rows; a lock that another session holds is not waited for. */
export const setUp: StatementLimits = { statementMs: 600_000, lockMs: 10_000 };
/** A server that is frozen does not keep its own limits. */
const answerGraceMs = 15_000;

/**
 * Runs `work` on a connection of its own, which is closed whatever happens. An abort cuts the connection. `locks` knows who kept a statement waiting.
 * Fails with what is wrong with the server, in words.
 */
export async function withClient<T>(
  address: DatabaseAddress,
  database: string,
  work: (client: pg.Client, locks: LockWatch) => Promise<T>,
  signal?: AbortSignal,
  limits: StatementLimits = quick,
): Promise<T> {
  signal?.throwIfAborted();
  address.ended?.throwIfAborted();
  const client = new pg.Client({
    ...connectionOf(address),
    database,
    application_name: 'benchside',
    connectionTimeoutMillis: 10_000,
    query_timeout: limits.statementMs + answerGraceMs,
  });
  client.on('error', () => undefined);
  const ends = [signal, address.ended].filter((one) => one !== undefined);
  let cut: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    cut = () => reject(ends.find((one) => one.aborted)?.reason as Error);
  });
  aborted.catch(() => undefined);
  for (const end of ends) end.addEventListener('abort', cut, { once: true });
  let locks: LockWatch | null = null;
  try {
    await Promise.race([client.connect(), aborted]);
    // Not as parameters of the connection: a pooler before the server may not know them.
    const limited = client.query<{ pid: number }>(
      `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), pg_backend_pid() AS pid`,
      [String(limits.statementMs), String(limits.lockMs)],
    );
    const { rows } = await Promise.race([limited, aborted]);
    locks = new LockWatch(address, rows[0]?.pid ?? 0);
    return await Promise.race([work(client, locks), aborted]);
  } catch (error) {
    signal?.throwIfAborted();
    address.ended?.throwIfAborted();
    throw databaseFailure(error, address, database, locks);
  } finally {
    for (const end of ends) end.removeEventListener('abort', cut);
    locks?.stop();
    const closed = client.end().catch(() => undefined);
    // A server that does not answer must not hold up who has cancelled.
    if (!ends.some((end) => end.aborted)) await inTime(1_000, closed, () => undefined);
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);
/** The connection broke, or the server is going down or coming up (PostgreSQL's error codes, class 57P). */
const broken = new Set(['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03']);
/** The driver's words when the connection broke while a statement was in progress, or before one was begun. */
const brokenBefore = /^Connection terminated|is not queryable$/;
const distrusted = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** What a failed statement means to a person; any other error unchanged. `what` is the subject of the failure. */
export function databaseFailure(
  error: unknown,
  address: DatabaseAddress,
  database: string,
  locks: LockWatch | null,
  what?: string,
): unknown {
  if (!(error instanceof Error)) return error;
  const { code, message: said } = error as Error & { code?: string };
  const where = serverName(address);
  const subject = what === undefined ? '' : `${what}: `;
  const again = address.external ? 'Start it, or correct “benchside.postgres.url”.' : 'Run it again; see the log if it happens again.';
  if (code !== undefined && unreachable.has(code)) return failure('postgres-unreachable', `There is no PostgreSQL at ${where}.`, again);
  if (said === 'timeout expired')
    return failure('postgres-unreachable', `PostgreSQL at ${where} did not take a connection within 10 s.`, again);
  if ((code !== undefined && broken.has(code)) || brokenBefore.test(said))
    return failure('postgres-unreachable', `${subject}PostgreSQL at ${where} broke the connection off.`, again, said);
  if (said === 'Query read timeout')
    return failure('postgres-unreachable', `${subject}PostgreSQL at ${where} does not answer any more.`, again);
  if (said.includes('does not support SSL') || (code !== undefined && distrusted.test(code))) {
    return failure(
      'postgres-tls',
      `The connection to PostgreSQL at ${where} cannot be secured as the URL asks: ${said}.`,
      'Correct sslmode and sslrootcert in the URL, or the server’s certificate.',
    );
  }
  switch (code) {
    case '28P01':
    case '28000':
      return failure(
        'postgres-login',
        `PostgreSQL at ${where} refused the user ${address.user}.`,
        'Correct user and password in “benchside.postgres.url”.',
        said,
      );
    case '3D000':
      return failure(
        'postgres-database',
        `PostgreSQL at ${where} has no database “${database}”.`,
        'Create it, or name another one in the URL.',
      );
    case '53100':
      return failure(
        'disk-full',
        `${subject}the disk that holds the data of PostgreSQL at ${where} is full.`,
        'Free some space there, then run again.',
        said,
      );
    case '55P03': {
      const holder = locks?.holderPid ?? null;
      return failure(
        'postgres-locked',
        `${subject}a lock in the database “${database}” at ${where} did not come free. ${locks?.sentence ?? 'Who held it was not to be seen.'}`,
        holder === null
          ? 'End the transaction that holds it, then run again.'
          : `End that transaction, or its session (SELECT pg_terminate_backend(${holder})), then run again.`,
      );
    }
    case '57014':
      return failure(
        'postgres-slow',
        `${subject}a statement in the database “${database}” at ${where} took too long and was ended.`,
        'Look at what the server is busy with; apply large amounts of data yourself beforehand.',
      );
    default:
      return error;
  }
}

export interface ServerFacts {
  version: string;
  maxConnections: number;
  settings: Record<string, string>;
}

const settingsOfInterest = [
  'max_connections',
  'shared_buffers',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'jit',
  'work_mem',
  'effective_cache_size',
  'random_page_cost',
];

/** Gives our own server the view of what it counts of each statement. Its counters run in any case; a server of the user's is left as it is. */
export async function countStatements(address: DatabaseAddress, signal?: AbortSignal): Promise<void> {
  const text = 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements';
  await withClient(address, address.database, (client) => client.query(text), signal);
}

export async function readServerFacts(address: DatabaseAddress, signal?: AbortSignal): Promise<ServerFacts> {
  type Row = { name: string; setting: string; unit: string | null };
  const query = 'SELECT name, setting, unit FROM pg_settings WHERE name = ANY($1)';
  const asked = [[...settingsOfInterest, 'server_version']];
  const { rows } = await withClient(address, address.database, (client) => client.query<Row>(query, asked), signal);
  const values = new Map(rows.map(({ name, setting, unit }) => [name, unit === null ? setting : `${setting} × ${unit}`]));
  return {
    version: (values.get('server_version') ?? 'unknown').split(' ')[0] ?? 'unknown',
    maxConnections: Number(values.get('max_connections') ?? 100),
    settings: Object.fromEntries(settingsOfInterest.flatMap((name) => (values.has(name) ? [[name, values.get(name) ?? '']] : []))),
  };
}
