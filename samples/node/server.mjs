import { readConfiguration } from './configuration.mjs';
import { Database } from './database.mjs';
import { openPool } from './pool.mjs';
import { routes } from './routes.mjs';
import { start } from './start.mjs';

await start({ readConfiguration, openServices, routes });

function openServices(configuration) {
  const database = new Database(openPool(configuration));
  return { database, close: () => database.close() };
}
