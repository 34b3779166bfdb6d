import type { Bouncer } from '../../../model/domain/bouncer.ts';
import type { DatabaseAddress } from '../serverUrl.ts';

export interface BouncerPlan {
  bouncer: Bouncer;
  /** Connections to PostgreSQL for all its clients together. */
  poolSize: number;
  server: Pick<DatabaseAddress, 'host' | 'port' | 'user' | 'password' | 'tls'>;
  database: string;
  /** A port of 127.0.0.1; there is no socket of the file system. */
  port: number;
  /** Who may ask its console; no user of PostgreSQL. */
  admin: { user: string; password: string };
  userFile: string;
  /** The CA of the server’s certificate; null where it is not checked. */
  serverCaFile: string | null;
}

/** Clients that it accepts: the apps' own pools limit what they open. */
const mostClients = 5_000;
/** What a client’s statement waits for a server connection at most; PgBouncer’s own default. */
const queryWaitS = 120;

/**
 * What a client may ask for at the start of a session and PgBouncer ignores: limits of time, which say nothing of how long anything takes, and what pgjdbc
 * always asks for. With anything else (a search path, say) other statements would be measured than are meant: PgBouncer refuses such a client.
 */
export const passedOverParameters = [
  'extra_float_digits',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
] as const;

/** PgBouncer’s configuration; source of every setting: pgbouncer.org, config. */
export function bouncerConfig(plan: BouncerPlan): string {
  const { bouncer, poolSize, server, database, port, admin, userFile, serverCaFile } = plan;
  const { tls } = server;
  return `${[
    '[databases]',
    // Names of other characters are not valid here: one that nobody has named goes to the server unchanged.
    `${/^\w+$/.test(database) ? database : '*'} = host=${literal(server.host)} port=${server.port}`,
    '',
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    // With the password in plain text PgBouncer speaks SCRAM to its clients and to the server.
    'auth_type = scram-sha-256',
    `auth_file = ${userFile}`,
    `admin_users = ${admin.user}`,
    `pool_mode = ${bouncer.mode}`,
    `default_pool_size = ${poolSize}`,
    'min_pool_size = 0',
    'reserve_pool_size = 0',
    `max_client_conn = ${mostClients}`,
    `query_wait_timeout = ${queryWaitS}`,
    // A log-in that a change of the pool has cut off counts as failed: for its own 15 s no other would be tried.
    'server_login_retry = 0.2',
    `ignore_startup_parameters = ${[...passedOverParameters, ...(bouncer.ignoreStartupParameters ?? [])].join(', ')}`,
    ...(bouncer.preparedStatements === undefined ? [] : [`max_prepared_statements = ${bouncer.preparedStatements}`]),
    `server_tls_sslmode = ${tls?.mode ?? 'disable'}`,
    ...(serverCaFile === null ? [] : [`server_tls_ca_file = ${serverCaFile}`]),
    // Its log is kept with the run: of thousands of connections only those that fail are of interest.
    'log_connections = 0',
    'log_disconnections = 0',
    'log_stats = 0',
    'log_pooler_errors = 1',
  ].join('\n')}\n`;
}

/** Who may come in, with the password as it is: a hash would do for clients, but not for the server behind. */
export function bouncerUsers(users: readonly { user: string; password: string }[]): string {
  return users.map(({ user, password }) => `${quoted(user)} ${quoted(password)}\n`).join('');
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
