import { log } from '../../node/log.mjs';
import { routes } from '../../node/routes.mjs';
import { start } from '../../node/start.mjs';
import { readConfiguration } from './configuration.mjs';
import { LabDatabase } from './labDatabase.mjs';
import { openPool } from './poolLibraries.mjs';
import { openSearch } from './search/searchPlaces.mjs';
import { workloads } from './workloads.mjs';
import { openDocuments } from './workloads/documents.mjs';

await start({ readConfiguration, openServices, routes: [...routes, ...workloads] });

async function openServices(configuration) {
  const database = new LabDatabase(await openPool(configuration));
  const search = openSearch(configuration, log);
  const documents = await openDocuments(configuration);
  return {
    database,
    search,
    documents,
    staticDir: configuration.staticDir,
    openOwnPool: () => openPool({ ...configuration, poolSize: 1 }),
    close() {
      search.close();
      return Promise.allSettled([database.close(), documents.close()]);
    },
  };
}
