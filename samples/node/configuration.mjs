import { ConfigurationError } from './configurationError.mjs';

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
    preparedStatements: choice(environment, 'DB_PREPARED_STATEMENTS', ['yes', 'no']) === 'yes',
    workers: integer(environment, 'CLUSTER_WORKERS', 1, 1, 64),
  };
}

export function integer(environment, name, preset, min, max) {
  const text = environment[name];
  if (text === undefined || text === '') return preset;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigurationError(`${name} must be a whole number from ${min} to ${max}, but it is ${JSON.stringify(text)}.`);
  }
  return value;
}

/** One of several words, of which the first is the default. */
export function choice(environment, name, choices) {
  const text = environment[name] || choices[0];
  if (choices.includes(text)) return text;
  throw new ConfigurationError(`${name} must be one of ${choices.join(', ')}, but it is ${JSON.stringify(text)}.`);
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
