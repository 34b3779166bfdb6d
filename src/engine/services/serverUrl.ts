import { isAbsolute } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { failure } from '../../model/domain/failure.ts';
import type { ServerMode } from '../../model/domain/userServer.ts';
import { largestTextBytes, readBoundedText } from '../files/boundedFile.ts';
import type { SqlFile } from './sqlFiles.ts';

/** How TLS is spoken, in libpq's words; `rootCertificate` is a file. */
export interface ServerTls {
  mode: 'disable' | 'require' | 'verify-ca' | 'verify-full';
  rootCertificate: string | null;
}

/** Where a database server can be reached, Benchside's or the user's. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  /** The database that is always there, or that the user's URL names. */
  database: string;
  external: boolean;
  /** What may be done there; our own server knows `own` only. */
  mode: ServerMode;
  /** The settings of the user's URL; null where it says nothing, and on our own server. */
  tls: ServerTls | null;
  /** Throws where files may not be applied in the database that the URL names, since nobody has agreed to them. */
  requireAgreed?: (files: readonly SqlFile[]) => void;
  /** Whether this is the superuser of our own server. No app gets this login. */
  administers?: true;
  /** For an app that is compared with another one in the same database: names the role of its own that it signs in as. */
  side?: string;
  /** Hears each password that is made for a role of our own server. */
  onLogin?: (password: string) => void;
  /** For Benchside's server: aborted when it ends, with the failure as its reason. A session of a server that was killed may outlive it. */
  ended?: AbortSignal;
}

const example = 'Write it as postgres://user:password@127.0.0.1:5432/database.';
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const known = ['sslmode', 'sslrootcert'];

/** Reads the address in a `postgres://` URL of the user's. What it asks for and cannot be done is refused rather than left out. */
export function parsePostgresUrl(text: string, mode: ServerMode = 'own'): DatabaseAddress {
  let url: URL;
  let [host, user, password, database] = ['', '', '', ''];
  try {
    url = new URL(text);
    [host, user, password, database] = [url.hostname, url.username, url.password, url.pathname.slice(1)].map((part) =>
      decodeURIComponent(part),
    ) as [string, string, string, string];
  } catch (error) {
    throw failure('postgres-url', 'The PostgreSQL URL cannot be read.', example, String(error));
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw failure('postgres-url', `The PostgreSQL URL starts with ${url.protocol} instead of postgres:.`, example);
  host = host.replace(/^\[(.*)\]$/, '$1');
  if (host.includes('/') || host.includes(','))
    throw failure(
      'postgres-url',
      `The PostgreSQL URL names “${host}” as its host: one host is understood, and no folder of a socket.`,
      example,
    );
  if (database.includes('/')) throw failure('postgres-url', `The PostgreSQL URL names “${database}” as its database.`, example);
  return {
    host: host === '' ? '127.0.0.1' : host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    password,
    database: database === '' ? 'postgres' : database,
    external: true,
    mode,
    tls: tlsOf(url.searchParams),
  };
}

function tlsOf(query: URLSearchParams): ServerTls | null {
  const other = [...query.keys()].find((name) => !known.includes(name));
  if (other !== undefined) {
    throw failure(
      'postgres-url',
      `The PostgreSQL URL asks for “${other}”, which Benchside does not know: nothing of a URL is left out in silence.`,
      `Take “${other}” out of it; ${known.join(' and ')} are understood.`,
    );
  }
  const asked = query.get('sslmode');
  const rootCertificate = query.get('sslrootcert');
  if (rootCertificate !== null && !isAbsolute(rootCertificate))
    throw failure('postgres-url', `The PostgreSQL URL names the certificate “${rootCertificate}”.`, 'Give its whole path in sslrootcert.');
  if (asked === null && rootCertificate === null) return null;
  // A root certificate alone means nothing to libpq, whose default does not check; a user who names one wants it checked.
  const mode = asked === null ? 'verify-full' : tlsModes.find((one) => one === asked);
  if (mode === undefined) {
    throw failure(
      'postgres-url',
      `The PostgreSQL URL asks for sslmode=${asked}, which leaves it open whether the connection is encrypted.`,
      `Choose one of ${tlsModes.join(', ')}.`,
    );
  }
  if (rootCertificate === null && mode === 'verify-ca')
    throw failure('postgres-url', 'The PostgreSQL URL asks for sslmode=verify-ca without a certificate.', 'Name its file in sslrootcert.');
  return { mode, rootCertificate };
}

/** What `pg` connects with, the database excepted. */
export function connectionOf({ host, port, user, password, tls }: DatabaseAddress): {
  host: string;
  port: number;
  user: string;
  password: string;
  ssl: boolean | ConnectionOptions;
} {
  return { host, port, user, password, ssl: tlsOptions(tls) };
}

/** The rule of libpq: `require` encrypts and checks nothing, unless a root certificate is named. */
function tlsOptions(tls: ServerTls | null): boolean | ConnectionOptions {
  if (tls === null || tls.mode === 'disable') return false;
  const { mode, rootCertificate } = tls;
  if (rootCertificate === null) return mode === 'require' ? { rejectUnauthorized: false } : true;
  let ca: string;
  try {
    ca = readBoundedText(rootCertificate, { largestBytes: largestTextBytes });
  } catch (error) {
    throw failure('postgres-tls', `The certificate ${rootCertificate} cannot be read.`, 'Correct sslrootcert in the URL.', String(error));
  }
  return mode === 'verify-full' ? { ca } : { ca, checkServerIdentity: () => undefined };
}

/** The address as a URL, with its password: for an app's environment only. */
export function postgresUrl(address: DatabaseAddress, database: string): string {
  const user = encodeURIComponent(address.user);
  const login = `${user}:${encodeURIComponent(address.password)}`;
  return `postgres://${login}@${serverName(address)}/${encodeURIComponent(database)}${tlsQuery(address)}`;
}

/** For pgjdbc; with user and password where it is to carry them. */
export function jdbcUrl(
  address: DatabaseAddress,
  database: string,
  login: Pick<DatabaseAddress, 'user' | 'password'> | null = null,
): string {
  const plain = `jdbc:postgresql://${serverName(address)}/${encodeURIComponent(database)}${tlsQuery(address)}`;
  if (login === null) return plain;
  return `${plain}${plain.includes('?') ? '&' : '?'}user=${encodeURIComponent(login.user)}&password=${encodeURIComponent(login.password)}`;
}

/** For R2DBC, with its password. */
export function r2dbcUrl(address: DatabaseAddress, database: string): string {
  return postgresUrl(address, database).replace(/^postgres:/, 'r2dbc:postgresql:');
}

export function serverName({ host, port }: Pick<DatabaseAddress, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function tlsQuery({ tls }: DatabaseAddress): string {
  if (tls === null) return '';
  const query = new URLSearchParams({
    sslmode: tls.mode,
    ...(tls.rootCertificate === null ? {} : { sslrootcert: tls.rootCertificate }),
  });
  return `?${query.toString()}`;
}
