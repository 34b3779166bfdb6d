import type { ReadingThread } from '../reading/readingThread.ts';
import type { Handlers, Notify } from '../rpc/engineServer.ts';
import { prepareDatabase, withOwner } from '../services/prepareDatabase.ts';
import type { DatabaseWants } from '../services/prepareDatabase.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';
import { localIds } from '../traffic/localIds.ts';
import type { LocalIds } from '../traffic/localIds.ts';
import type { DraftParameter } from '../traffic/trafficDraft.ts';
import { trafficProfile } from '../traffic/trafficProfile.ts';

/** What the handler needs of the engine. */
export interface TrafficHandlerOptions {
  reading: ReadingThread;
  notify: Notify;
  /** The declared target, or the reason why it cannot be started. */
  startable: (id: string) => Promise<DeclaredTarget>;
  /** Reserves the machine: a database may be made. */
  exclusive: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  database: (wants: DatabaseWants, signal: AbortSignal) => Promise<DatabaseAddress>;
}

/** The requests that the handler answers. */
export const trafficRequests = ['traffic/read'] as const;

/** Load profiles from traffic. */
export class TrafficHandler {
  constructor(private readonly options: TrafficHandlerOptions) {}

  handlers(): Pick<Handlers, (typeof trafficRequests)[number]> {
    const { reading } = this.options;
    return {
      'traffic/read': async ({ files, name, writes, target, asRecorded }, signal) => {
        const declared = target === null ? null : await this.options.startable(target);
        const { source, draft } = await reading.read('traffic', { files, wishes: { writes, asRecorded } }, signal);
        const local = declared === null ? null : await this.#local(declared, draft.parameters, signal);
        return trafficProfile(source, draft, local, { name, asRecorded });
      },
    };
  }

  /** Keys of the rows that the target’s database holds; null where it has none. */
  async #local(
    declared: DeclaredTarget,
    parameters: readonly DraftParameter[],
    signal: AbortSignal,
  ): Promise<Map<string, LocalIds> | null> {
    const wants = databaseWants(declared);
    if (wants === null) return null;
    const { exclusive, database, notify } = this.options;
    return exclusive(signal, async (own) => {
      const address = await database(wants, own);
      await prepareDatabase(address, wants, (message) => notify('engine/log', { level: 'info', source: 'traffic', message }), own);
      return withOwner(address, wants, (client) => localIds(client, parameters), own);
    });
  }
}
