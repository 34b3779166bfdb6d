import { serverModes } from '../model/domain/userServer.ts';
import type { ServerMode } from '../model/domain/userServer.ts';
import { many, one } from './options.ts';
import type { Values } from './options.ts';
import { choice, word } from './values.ts';

/** What a command line says of a PostgreSQL server of the user's. */
export interface ServerOptions {
  postgresUrl: string | null;
  postgresMode: ServerMode;
  /** Hosts and databases (`host:port/database`) of the user's that were agreed to on the command line. */
  allowHosts: readonly string[];
  allowSql: readonly string[];
}

export const serverOptions = {
  postgresUrl: one('--postgres-url <url>', 'a PostgreSQL server of your own instead of the one that comes along', word),
  postgresMode: one(
    '--postgres-mode <mode>',
    'what is done on your server: own (work in databases made for it, the default), named (apply the SQL files in the database of the URL) or read-only (apply nothing)',
    choice(serverModes),
  ),
  allowSql: many('--allow-sql <host:port/database>', 'apply SQL files to this database of yours (mode named) without asking', word),
  allowHost: many('--allow-host <host>', 'use a PostgreSQL server on this other machine; remembered', word),
};

export function serverOf({ postgresUrl, postgresMode, allowSql, allowHost }: Values<typeof serverOptions>): ServerOptions {
  return { postgresUrl: postgresUrl ?? null, postgresMode: postgresMode ?? 'own', allowHosts: allowHost, allowSql };
}
