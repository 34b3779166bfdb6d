import { fileURLToPath } from 'node:url';
import { ConfigurationError } from './configurationError.mjs';
import { poolLibraries } from './connectionPools.mjs';

/**
 * Reads the settings from environment variables; a variable that is not set or is empty takes its default.
 * Without DATABASE_URL the address comes from PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE.
 * @throws {ConfigurationError} when a value cannot be used
 */
export function readConfiguration(environment) {
  return {
    host: environment.HOST || '127.0.0.1',
    port: integer(environment, 'PORT', 8080, 0, 65535),
    databaseUrl: databaseUrl(environment),
    poolSize: integer(environment, 'DB_POOL_SIZE', 10, 1, 1000),
    poolTimeoutMs: integer(environment, 'DB_POOL_TIMEOUT_MS', 2000, 250, 60000),
    poolLibrary: choice(environment, 'DB_POOL_LIBRARY', poolLibraries),
    workers: integer(environment, 'CLUSTER_WORKERS', 1, 1, 64),
    searchIn: choice(environment, 'SEARCH_IN', ['request', 'worker', 'process']),
    searchWorkers: integer(environment, 'SEARCH_WORKERS', 1, 1, 64),
    staticDir: environment.STATIC_DIR || fileURLToPath(new URL('../static', import.meta.url)),
    documentStoreUrl: documentStoreUrl(environment),
    documentStoreDb: documentStoreDb(environment),
    documentPoolSize: integer(environment, 'DOCUMENT_POOL_SIZE', 2, 1, 1000),
  };
}

/** One of several words, of which the first is the default. */
function choice(environment, name, choices) {
  const text = environment[name] || choices[0];
  if (choices.includes(text)) return text;
  throw new ConfigurationError(`${name} must be one of ${choices.join(', ')}, but it is ${JSON.stringify(text)}.`);
}

function integer(environment, name, preset, min, max) {
  const text = environment[name];
  if (text === undefined || text === '') return preset;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}, but it is ${JSON.stringify(text)}.`);
  }
  return value;
}

function databaseUrl(environment) {
  const text = environment.DATABASE_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    // the value is not shown, since it may hold a password
    throw new ConfigurationError('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.');
  }
  return text;
}

function documentStoreUrl(environment) {
  const text = environment.DOCUMENT_STORE_URL;
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new ConfigurationError('DOCUMENT_STORE_URL must be an address such as http://127.0.0.1:5984.');
  }
  return text;
}

function documentStoreDb(environment) {
  const name = environment.DOCUMENT_STORE_DB || 'documents';
  if (/^[a-z][a-z0-9_-]*$/.test(name)) return name;
  throw new ConfigurationError(
    `DOCUMENT_STORE_DB must be lower-case letters, digits, underscores and dashes, but it is ${JSON.stringify(name)}.`,
  );
}
