import { type Failure, failure, toFailure } from '../../model/domain/failure.ts';
import type { ServerMode } from '../../model/domain/userServer.ts';
import type { ServiceState } from '../../model/protocol/protocol.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { poll } from '../supervise/pause.ts';
import { type ServerFacts, countStatements, readServerFacts, withClient } from './database.ts';
import { type DatabaseAddress, parsePostgresUrl } from './serverUrl.ts';
import { PostgresServer } from './postgresServer.ts';
import type { DatabaseWants } from './prepareDatabase.ts';
import type { ServerConsents } from './serverConsent.ts';
import { readSqlFiles } from './sqlFiles.ts';

export interface ExternalServer {
  url: string;
  mode: ServerMode;
  /** Besides this machine. */
  hosts: readonly string[];
}

/** A server that can be connected to, with what it says of itself. */
export interface Database {
  address: DatabaseAddress;
  facts: ServerFacts;
}

const restoredWithinMs = 20_000;

// What the server logs when one of its processes was killed and it restarts all the others.
const crashLine = /terminating any other active server processes/g;

const endedByItself = {
  message: 'PostgreSQL ended although nobody stopped it.',
  cure: 'Run it again: it is started again. If it was not you who ended it, see its log.',
};

/** The one PostgreSQL of an engine: embedded and started at first need, or the user's own by its URL. */
export class PostgresService {
  #state: ServiceState['state'] = 'stopped';
  #problem: Failure | null = null;
  #server: PostgresServer | null = null;
  #database: Promise<Database> | null = null;
  #facts: ServerFacts | null = null;
  #external: ExternalServer | null = null;
  readonly #passwords = new Set<string>();

  constructor(
    private readonly supervisor: Supervisor,
    private readonly folders: { assetsDir: string; storageDir: string },
    private readonly consents: ServerConsents,
    private readonly onChange: () => void,
  ) {}

  /** Uses this server from now on; null is the embedded one. A running server of Benchside is stopped when the user's replaces it. */
  async configure(external: ExternalServer | null): Promise<void> {
    if (JSON.stringify(external) === JSON.stringify(this.#external)) return;
    this.#external = external;
    await this.stop();
  }

  /**
   * Fails, with what a person would have to agree to, when the server of the user's may not be used for this: before anything is begun. What is refused here
   * is refused at the server's door, too.
   */
  requireAgreed(wants: readonly DatabaseWants[]): void {
    if (this.#external === null) return;
    let address: DatabaseAddress;
    try {
      address = this.#externalAddress(this.#external);
    } catch (error) {
      this.#problem = toFailure(error);
      this.#set('failed');
      throw error;
    }
    if (address.mode === 'named')
      this.consents.requireSql(address, readSqlFiles(wants.flatMap((want) => [...want.sqlFiles, ...want.prepareFiles])));
  }

  get state(): ServiceState {
    return {
      id: 'postgres',
      label: 'PostgreSQL',
      state: this.#state,
      port: this.#server?.address.port ?? null,
      pid: this.#server?.child.pid ?? null,
      external: this.#external !== null,
      version: this.#facts?.version ?? null,
      problem: this.#problem,
    };
  }

  /** The process of the embedded server; none for the user's server. */
  get rootPids(): number[] {
    return this.#server?.child.running === true ? [this.#server.child.pid] : [];
  }

  /** How often the embedded server has restarted its processes after one of them was killed; every client lost its connection then. */
  get crashRestarts(): number {
    return this.#server?.child.log.text().match(crashLine)?.length ?? 0;
  }

  /** What must not reach the disk: the passwords of the servers that were used, and those of the roles that were made there. */
  get secrets(): string[] {
    return [...this.#passwords].filter((password) => password !== '');
  }

  get log(): { text: string; droppedBytes: number } {
    const log = this.#server?.child.log;
    return { text: log?.text() ?? '', droppedBytes: log?.droppedBytes ?? 0 };
  }

  /** Fails when the embedded server has ended although nobody stopped it. */
  assertAlive(): void {
    if (this.#server !== null && !this.#server.child.running) {
      const { message, cure } = endedByItself;
      throw failure('postgres-died', message, cure, this.#server.child.log.tail(20));
    }
  }

  /** What fails, from now on, once the embedded server has ended or has restarted its processes: what needed it all the while was something else then. */
  sinceNow(): () => void {
    const before = this.crashRestarts;
    return () => {
      this.assertAlive();
      if (this.crashRestarts > before)
        throw failure(
          'postgres-died',
          'PostgreSQL restarted its sessions meanwhile: one of its processes was killed, or its disk is full.',
          'Try it again.',
        );
    };
  }

  /** Starts the server when it does not run yet, and says where it is. */
  async database(signal?: AbortSignal): Promise<Database> {
    const server = this.#server;
    if (server !== null && !(await answers(server, signal)) && this.#server === server) {
      // What it has left is ended first: its folder is used again.
      this.#forget('stopped');
      this.#database = server.stop().then(() => this.#open(signal));
      this.#database.catch(() => (this.#database = null));
    }
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
      const address = this.#external === null ? await this.#startEmbedded(signal) : this.#externalAddress(this.#external);
      this.#passwords.add(address.password);
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

  #externalAddress({ url, mode, hosts }: ExternalServer): DatabaseAddress {
    const address = parsePostgresUrl(url, mode);
    this.consents.requireHost(address, hosts);
    return { ...address, requireAgreed: (files) => this.consents.requireSql(address, files) };
  }

  async #startEmbedded(signal: AbortSignal | undefined): Promise<DatabaseAddress> {
    const server = await PostgresServer.start(this.supervisor, { ...this.folders, ...(signal === undefined ? {} : { signal }) });
    this.#server = server;
    const ended = new AbortController();
    const address = { ...server.address, ended: ended.signal, onLogin: (password: string) => void this.#passwords.add(password) };
    void server.child.exited.then(() => {
      const { message, cure } = endedByItself;
      ended.abort(failure('postgres-died', message, cure, server.child.log.tail(20)));
      if (this.#server !== server || this.#state === 'stopping') return;
      this.#problem = { code: 'postgres-died', ...endedByItself, detail: server.child.log.tail(20) };
      this.#set('failed');
    });
    await countStatements(address, signal);
    return address;
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

/**
 * Waits until Benchside's server accepts connections: one whose session was killed, or whose disk was full, is restoring its data. False when it does not come
 * back.
 */
async function answers(server: PostgresServer, signal: AbortSignal | undefined): Promise<boolean> {
  const connect = async (): Promise<'yes' | 'no' | null> => {
    if (!server.child.running) return 'no';
    try {
      await withClient(server.address, server.address.database, async () => undefined, signal);
      return 'yes';
    } catch (error) {
      signal?.throwIfAborted();
      if (toFailure(error).code !== 'postgres-unreachable') throw error;
      return null;
    }
  };
  return (await poll(connect, { timeoutMs: restoredWithinMs, everyMs: 100, signal })) === 'yes';
}
