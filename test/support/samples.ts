import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, Agent, request } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { withClient } from '../../src/engine/services/database.ts';
import { type DatabaseAddress, postgresUrl } from '../../src/engine/services/serverUrl.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { type Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { TargetProcess } from '../../src/engine/targets/launchTarget.ts';
import { sampleWants, seededDatabase } from './sampleData.ts';
import { sharedPostgres } from './sharedPostgres.ts';
import { waitFor } from './waitFor.ts';

export const repositoryDir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const samplesDir = path.join(repositoryDir, 'samples');

export const sampleNames = ['node', 'java'] as const;
export const labNames = ['lab-node', 'lab-java'] as const;
export type SampleName = (typeof sampleNames)[number] | (typeof labNames)[number];

const node = [process.execPath, 'server.mjs'];
// What is tried here lasts seconds: code that the second compiler makes faster would not earn its own cost.
const java = (jar: string): string[] => ['java', '-Xmx128m', '-XX:TieredStopAtLevel=1', '-jar', `target/${jar}`];
const programs: Record<SampleName, { folder: string; command: string[] }> = {
  node: { folder: 'node', command: node },
  java: { folder: 'java', command: java('bulletin-board.jar') },
  'lab-node': { folder: 'lab/node', command: node },
  'lab-java': { folder: 'lab/java', command: java('bulletin-board-lab.jar') },
};

const nodePackages = ['node/node_modules/pg/package.json', 'lab/node/node_modules/busboy/package.json'];

/** Fails with a sentence when a sample, or what the lab makes of it, was not built. */
export function requireSamples(): void {
  const made = ['java/target/bulletin-board.jar', 'lab/java/target/bulletin-board-lab.jar', ...nodePackages];
  const missing = made.find((file) => !existsSync(path.join(samplesDir, file)));
  if (missing !== undefined) throw new Error(`There is no samples/${missing}: run “node scripts/setup.mjs”.`);
}

/** An answer with its body as it came. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface Question {
  method?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** A sample, or a program of the lab, that runs (or has ended). */
export class SampleApp {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    readonly name: SampleName,
    readonly child: TargetProcess,
    readonly port: number,
  ) {}

  /** Sends one request; the path goes out as it is. Rejects when the connection breaks or nothing comes for 15 s. */
  ask(target: string, { method = 'GET', body, headers = {} }: Question = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: this.port, path: target, method, headers, agent: this.#agent, timeout: 15_000 },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const whole = Buffer.concat(chunks);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: whole, text: whole.toString('utf8') });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${this.name} did not answer ${method} ${target} within 15 s`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.child.stop();
  }
}

/** Of sessions in `pg_stat_activity`, those of the samples in the database that is asked. */
export const ownSessions = `application_name = 'bulletin-board' AND datname = current_database()`;

/** The samples' data in a database of its own on the PostgreSQL that all files share, and the apps that are started on it. */
export class SampleStack {
  readonly #supervisor = new Supervisor();
  readonly #database = `bulletin_board_${randomBytes(8).toString('hex')}`;
  #address: DatabaseAddress | null = null;

  async start(): Promise<void> {
    const address = await sharedPostgres();
    await withClient(address, address.database, (client) => client.query(`CREATE DATABASE ${this.#database} TEMPLATE ${seededDatabase}`));
    this.#address = address;
  }

  async stop(): Promise<void> {
    await this.#supervisor.stopAll();
    if (this.#address === null) return;
    await withClient(this.#address, this.#address.database, (client) => client.query(`DROP DATABASE ${this.#database} WITH (FORCE)`));
  }

  get databasePort(): number {
    return this.#running().port;
  }

  /** Address of the samples' database, with user and password, for an app that is no sample. */
  get databaseUrl(): string {
    return postgresUrl(this.#running(), this.#database);
  }

  /** Does what is done before every run. */
  async applyPrepare(): Promise<void> {
    for (const file of sampleWants(this.#database).prepareFiles) await this.query(readFileSync(file, 'utf8'));
  }

  /** Runs a statement in the samples' database. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return withClient(this.#running(), this.#database, async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** Makes every insert wait until the lock is given back, so that a request is on its way for as long as a test wants it to be. */
  async lockAds(): Promise<() => Promise<void>> {
    const client = new pg.Client(postgresUrl(this.#running(), this.#database));
    await client.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE ads IN SHARE MODE');
    return () => client.end();
  }

  /** Waits until exactly one statement of the samples waits for what is named here, such as `Lock` or `PgSleep`. */
  async untilOneWaits(what: 'Lock' | 'PgSleep'): Promise<void> {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE ${ownSessions} AND $1 IN (wait_event_type, wait_event)`;
    await waitFor(async () => (await this.query(waiting, [what])).length === 1, { what: `a statement waits for ${what}` });
  }

  /**
   * Starts a sample and waits until it listens.
   * @param databasePort where it is to look for its database, when that is not the server itself
   */
  async app(name: SampleName, environment: Record<string, string> = {}, databasePort = this.databasePort): Promise<SampleApp> {
    const child = await this.launch(name, environment, databasePort);
    const port = await waitFor(
      () => {
        if (!child.running) throw new Error(`${name} ended: ${child.log.tail(20)}`);
        return Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(child.log.text())?.[1] ?? 0);
      },
      { timeoutMs: 20_000, what: `${name} listens` },
    );
    return new SampleApp(name, child, port);
  }

  /** Starts a sample and does not wait. */
  launch(name: SampleName, environment: Record<string, string> = {}, databasePort = this.databasePort): Promise<Child> {
    const address = { ...this.#running(), port: databasePort };
    return this.#supervisor.start({
      name,
      kind: 'app',
      argv: programs[name].command,
      cwd: path.join(samplesDir, programs[name].folder),
      env: childEnvironment({
        HOST: '',
        PORT: '0',
        DATABASE_URL: postgresUrl(address, this.#database),
        DATABASE_JDBC_URL: `jdbc:postgresql://${address.host}:${address.port}/${this.#database}`,
        DATABASE_USER: address.user,
        DATABASE_PASSWORD: address.password,
        DB_POOL_SIZE: '4',
        ...environment,
      }),
    });
  }

  #running(): DatabaseAddress {
    if (this.#address === null) throw new Error('the stack was not started');
    return this.#address;
  }
}
