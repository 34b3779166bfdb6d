import { failure, toFailure } from '../../model/failure.ts';
import type { Failure } from '../../model/failure.ts';
import type { ServiceState } from '../../model/protocol.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { countStatements, parsePostgresUrl, readServerFacts } from './database.ts';
import type { ServerFacts } from './database.ts';
import { PostgresServer } from './postgresServer.ts';
import type { DatabaseAddress } from './postgresServer.ts';

/** A server that can be connected to, with what it says of itself. */
export interface Database {
  address: DatabaseAddress;
  facts: ServerFacts;
}

// What the server logs when one of its processes was killed and it restarts all the others.
const crashLine = /terminating any other active server processes/g;

const endedByItself = {
  message: 'PostgreSQL ended although nobody stopped it.',
  cure: 'Run it again: it is started anew. If it was not you who ended it, see its log.',
};

/** The one PostgreSQL of an engine: embedded and started at first need, or the user's own by its URL. */
export class PostgresService {
  #state: ServiceState['state'] = 'stopped';
  #problem: Failure | null = null;
  #server: PostgresServer | null = null;
  #database: Promise<Database> | null = null;
  #facts: ServerFacts | null = null;
  #url: string | null = null;
  #password: string | null = null;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly folders: { assetsDir: string; storageDir: string },
    private readonly onChange: () => void,
  ) {}

  /** Uses the server at this URL from now on; null is the embedded one. A server of ours that runs is stopped when the user's takes its place. */
  async configure(url: string | null): Promise<void> {
    if (url === this.#url) return;
    this.#url = url;
    await this.stop();
  }

  get state(): ServiceState {
    return {
      id: 'postgres',
      label: 'PostgreSQL',
      state: this.#state,
      port: this.#server?.address.port ?? null,
      pid: this.#server?.child.pid ?? null,
      external: this.#url !== null,
      version: this.#facts?.version ?? null,
      problem: this.#problem,
    };
  }

  /** The process of the embedded server; none when it is not ours. */
  get rootPids(): number[] {
    return this.#server?.child.running === true ? [this.#server.child.pid] : [];
  }

  /** How often the embedded server has restarted its processes after one of them was killed; every client lost its connection then. */
  get crashRestarts(): number {
    return this.#server?.child.log.text().match(crashLine)?.length ?? 0;
  }

  /** What must not reach the disk: the password of the server that was used last. */
  get secrets(): string[] {
    return this.#password === null || this.#password === '' ? [] : [this.#password];
  }

  get logText(): string {
    return this.#server?.child.log.text() ?? '';
  }

  get droppedLogBytes(): number {
    return this.#server?.child.log.droppedBytes ?? 0;
  }

  /** Fails when the embedded server has ended although nobody stopped it. */
  assertAlive(): void {
    if (this.#server !== null && !this.#server.child.running) {
      const { message, cure } = endedByItself;
      throw failure('postgres-died', message, cure, this.#server.child.log.tail(20));
    }
  }

  /** Starts the server when it does not run yet, and says where it is. */
  async database(signal?: AbortSignal): Promise<Database> {
    if (this.#server !== null && !this.#server.child.running) this.#forget('stopped');
    this.#database ??= this.#open(signal).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#database = null;
    if (server !== null) {
      this.#set('stopping');
      await server.stop();
    }
    this.#forget('stopped');
  }

  async #open(signal: AbortSignal | undefined): Promise<Database> {
    this.#set('starting');
    try {
      const address = this.#url === null ? await this.#startEmbedded(signal) : parsePostgresUrl(this.#url);
      this.#password = address.password;
      const facts = await readServerFacts(address, signal);
      this.#facts = facts;
      this.#set('running');
      return { address, facts };
    } catch (error) {
      await this.#server?.stop();
      this.#server = null;
      this.#problem = toFailure(error);
      this.#set(signal?.aborted === true ? 'stopped' : 'failed');
      throw error;
    }
  }

  async #startEmbedded(signal: AbortSignal | undefined): Promise<DatabaseAddress> {
    const server = await PostgresServer.start(this.supervisor, { ...this.folders, ...(signal === undefined ? {} : { signal }) });
    this.#server = server;
    await countStatements(server.address, signal);
    void server.child.exited.then(() => {
      if (this.#server !== server || this.#state === 'stopping') return;
      this.#problem = { code: 'postgres-died', ...endedByItself, detail: server.child.log.tail(20) };
      this.#set('failed');
    });
    return server.address;
  }

  #forget(state: ServiceState['state']): void {
    this.#server = null;
    this.#database = null;
    this.#facts = null;
    this.#set(state);
  }

  #set(state: ServiceState['state']): void {
    this.#state = state;
    if (state !== 'failed') this.#problem = null;
    this.onChange();
  }
}
