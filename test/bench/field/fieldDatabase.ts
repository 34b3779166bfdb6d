import { withClient } from '../../../src/engine/services/database.ts';
import { PostgresServer } from '../../../src/engine/services/postgresServer.ts';
import { type DatabaseAddress, postgresUrl } from '../../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../../src/engine/supervise/supervisor.ts';
import { repositoryDir } from '../../support/engine.ts';

/** The PostgreSQL of the developer whom the bench plays: every service that wants one has a fresh database there. Started for the first of them. */
export class FieldDatabase {
  readonly #supervisor = new Supervisor();
  #address: DatabaseAddress | null = null;

  constructor(private readonly storageDir: string) {}

  /** A fresh database, as what fills the braces of a service's environment. */
  async fresh(service: string): Promise<Record<'database' | 'host' | 'port' | 'name' | 'user' | 'password', string>> {
    this.#address ??= (await PostgresServer.start(this.#supervisor, { assetsDir: repositoryDir, storageDir: this.storageDir })).address;
    const address = this.#address;
    const name = `field_${service.replace(/\W+/g, '_')}`;
    await withClient(address, address.database, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${name}`);
    });
    const { host, port, user, password } = address;
    return { database: postgresUrl(address, name), host, port: String(port), name, user, password };
  }

  async stop(): Promise<void> {
    await this.#supervisor.stopAll();
  }
}

/** An environment with its braces filled. */
export function filledEnvironment(env: Readonly<Record<string, string>>, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)]),
  );
}
