import { failure } from '../../model/domain/failure.ts';
import type { InitializeParams } from '../../model/protocol/protocol.ts';
import type { Handlers } from '../rpc/engineServer.ts';
import { listManagedDatabases, removeManagedDatabases } from '../services/managedDatabases.ts';
import type { ExternalServer, PostgresService } from '../services/postgresService.ts';
import type { ServerConsents } from '../services/serverConsent.ts';
import { type Declarations, findTarget } from '../targets/catalog.ts';
import { type RequirePeers, peersToAskAbout } from '../targets/peers.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { type DatabaseAddress, serverName } from '../services/serverUrl.ts';
import type { DatabaseWants } from '../services/prepareDatabase.ts';

interface ServerHandlerOptions {
  consents: ServerConsents;
  postgres: PostgresService;
  params: () => Pick<InitializeParams, 'postgresUrl' | 'postgresMode' | 'postgresHosts' | 'trusted'>;
  declarations: () => Promise<Declarations>;
}

/** Everything about a PostgreSQL server of the user's: what was agreed to there, and the databases that Benchside has made. */
export class ServerHandler {
  constructor(private readonly options: ServerHandlerOptions) {}

  handlers() {
    return {
      'consent/give': async ({ id, remember }) => {
        await this.options.consents.give(id, remember);
        return {};
      },
      'databases/list': async (_, signal) => {
        const address = await this.#address(signal);
        return { server: serverName(address), databases: await listManagedDatabases(address, signal) };
      },
      'databases/remove': async ({ names }, signal) => ({
        removed: await removeManagedDatabases(await this.#address(signal), names, signal),
      }),
    } satisfies Partial<Handlers>;
  }

  /** The service, pointed at the server that is in use now. */
  async configured(): Promise<PostgresService> {
    const { postgres, declarations } = this.options;
    await postgres.configure(this.#external(await declarations()));
    return postgres;
  }

  /** Takes the server that is in use now, and fails where a person has to agree to what these targets want of it. */
  async use(declarations: Declarations, targets: readonly string[]): Promise<void> {
    const { postgres } = this.options;
    await postgres.configure(this.#external(declarations));
    const wants = targets.flatMap((id) => databaseWants(findTarget(declarations, id)) ?? []);
    if (wants.length > 0) postgres.requireAgreed(wants);
  }

  /** Fails where a target connects to a host that nobody named, until a person agrees. */
  readonly requirePeers: RequirePeers = async ({ name, ...seen }) => {
    const { consents, params } = this.options;
    const [peer] = await peersToAskAbout({ ...seen, agreed: [...params().postgresHosts, ...consents.hosts] });
    if (peer !== undefined) consents.refusePeer(name, peer, seen.given);
  };

  /** The server that is in use now, for a caller with these wants; fails where a person has to agree to that first. */
  async agreedAddress(wants: DatabaseWants, signal: AbortSignal): Promise<DatabaseAddress> {
    const postgres = await this.configured();
    postgres.requireAgreed([wants]);
    return (await postgres.database(signal)).address;
  }

  /** A server that the workspace names is used only when the workspace is trusted: to connect is to start something of its. */
  #external(declarations: Declarations): ExternalServer | null {
    const { postgresUrl, postgresMode, postgresHosts, trusted } = this.options.params();
    const url = postgresUrl ?? (trusted ? declarations.postgresUrl : null);
    return url === null ? null : { url, mode: postgresMode, hosts: postgresHosts };
  }

  async #address(signal: AbortSignal): Promise<DatabaseAddress> {
    const postgres = await this.configured();
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
