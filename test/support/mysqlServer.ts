import { createRequire } from 'node:module';
import path from 'node:path';

/** What of mysql2's own server is used. */
interface ServedConnection {
  serverHandshake(hello: object): unknown;
  on(event: 'query', listener: (sql: string) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  /** Number of the next packet; each statement begins again. */
  sequenceId: number;
  writeOk(): void;
  writeTextResult(rows: object[], columns: object[]): void;
  stream: { on(event: 'close', listener: () => void): unknown; setNoDelay(noDelay: boolean): unknown };
}
interface Server {
  on(event: 'connection', listener: (connection: ServedConnection) => void): unknown;
  listen(port: number, host: string, listening: () => void): unknown;
  close(closed: () => void): unknown;
  _server: { address(): { port: number } };
}

/**
 * A server that speaks the protocol of MySQL, by mysql2's own `createServer`, and knows one statement: `SELECT SLEEP(n)`, which is answered with a row
 * after n ms; to any other it says that it is done.
 */
export class MysqlServer {
  /** Connections that are open. */
  open = 0;
  /** Those that were ever opened. */
  opened = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    let last = 0;
    server.on('connection', (connection) => {
      this.open += 1;
      this.opened += 1;
      // An answer is several packets: each would wait for the client to say that it has the one before.
      connection.stream.setNoDelay(true);
      connection.stream.on('close', () => (this.open -= 1));
      connection.on('error', () => undefined);
      connection.on('query', (sql) => {
        const ms = /SLEEP\((\d+)\)/.exec(sql)?.[1];
        const answer = (): void => {
          connection.sequenceId = 1;
          if (ms === undefined) connection.writeOk();
          else connection.writeTextResult([{ one: '1' }], [column]);
          connection.sequenceId = 0;
        };
        setTimeout(answer, Number(ms ?? 0) + 1);
      });
      connection.serverHandshake({
        protocolVersion: 10,
        serverVersion: '8.0.0',
        connectionId: (last += 1),
        statusFlags: 2,
        characterSet: 8,
        capabilityFlags: 0xff_ff_ff,
        authCallback: (_who: unknown, done: (error: null) => void) => {
          done(null);
          connection.sequenceId = 0;
        },
      });
    });
  }

  /** @param packages a folder from which mysql2 is found */
  static async start(packages: string): Promise<MysqlServer> {
    const { createServer } = createRequire(path.join(packages, 'index.js'))('mysql2') as { createServer: () => Server };
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new MysqlServer(server);
  }

  get port(): number {
    return this.#server._server.address().port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.close(resolve));
  }
}

const column = {
  catalog: 'def',
  schema: 'shop',
  table: '',
  orgTable: '',
  name: 'one',
  orgName: 'one',
  characterSet: 33,
  columnLength: 10,
  columnType: 253,
  flags: 0,
  decimals: 0,
};
