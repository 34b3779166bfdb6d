import { fileURLToPath } from 'node:url';
import { choice, integer, readConfiguration as readSampleConfiguration } from '../../node/configuration.mjs';
import { ConfigurationError } from '../../node/configurationError.mjs';
import { poolLibraries } from './poolLibraries.mjs';

/**
 * Reads the sample's settings and those of the workloads.
 * @throws {ConfigurationError} when a value cannot be used
 */
export function readConfiguration(environment) {
  return {
    ...readSampleConfiguration(environment),
    poolLibrary: choice(environment, 'DB_POOL_LIBRARY', poolLibraries),
    searchIn: choice(environment, 'SEARCH_IN', ['request', 'worker', 'process']),
    searchWorkers: integer(environment, 'SEARCH_WORKERS', 1, 1, 64),
    staticDir: environment.STATIC_DIR || fileURLToPath(new URL('../static', import.meta.url)),
    documentStoreUrl: documentStoreUrl(environment),
    documentStoreDb: documentStoreDb(environment),
    documentPoolSize: integer(environment, 'DOCUMENT_POOL_SIZE', 2, 1, 1000),
  };
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
