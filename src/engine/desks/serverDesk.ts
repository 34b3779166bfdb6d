import { failure } from '../../model/failure.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { listOwnDatabases, removeOwnDatabases } from '../services/ownDatabases.ts';
import type { PostgresService } from '../services/postgresService.ts';
import type { ServerConsents } from '../services/serverConsent.ts';
import { serverName } from '../services/serverUrl.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';

/** What the desk needs of the engine. */
export interface ServerDeskOptions {
  consents: ServerConsents;
  /** Points the service at the server that is in use now. */
  postgres: () => Promise<PostgresService>;
}

/** The requests that the desk answers. */
export const serverRequests = ['consent/give', 'databases/list', 'databases/remove'] as const;
type ServerDeskRequest = (typeof serverRequests)[number];

/** Everything about a PostgreSQL server of the user's: what was agreed to there, and the databases that Benchside has made. */
export class ServerDesk {
  constructor(private readonly options: ServerDeskOptions) {}

  handlers(): Pick<Handlers, ServerDeskRequest> {
    return {
      'consent/give': async ({ id, remember }) => {
        await this.options.consents.give(id, remember);
        return {};
      },
      'databases/list': async (_, signal) => {
        const address = await this.#address(signal);
        return { server: serverName(address), databases: await listOwnDatabases(address, signal) };
      },
      'databases/remove': async ({ names }, signal) => ({ removed: await removeOwnDatabases(await this.#address(signal), names, signal) }),
    };
  }

  async #address(signal: AbortSignal): Promise<DatabaseAddress> {
    const postgres = await this.options.postgres();
    if (!postgres.state.external) {
      throw failure(
        'postgres-no-server',
        'No PostgreSQL server of yours is in use: the databases of the built-in one are in its own folder.',
        'Name your server in “benchside.postgres.url” or with --postgres-url.',
      );
    }
    return (await postgres.database(signal)).address;
  }
}
