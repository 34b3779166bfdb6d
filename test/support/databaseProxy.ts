import { type AddressInfo, type Server, type Socket, createServer, connect } from 'node:net';

/** What a {@link DatabaseProxy} does with connections: hands them on, refuses them, or takes them and never says a word. */
export type ProxyMode = 'pass' | 'refuse' | 'silent';

/** A TCP proxy in front of a database, so that a test can take the database away from one app alone and give it back on the same port. */
export class DatabaseProxy {
  #server: Server | null = null;
  #mode: ProxyMode = 'refuse';
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly databasePort: number,
    readonly port: number,
  ) {}

  static async start(databasePort: number, mode: ProxyMode): Promise<DatabaseProxy> {
    // A port for the lifetime of the proxy: it is bound again whenever connections are taken.
    const reserved = createServer();
    await new Promise<void>((resolve) => reserved.listen(0, '127.0.0.1', resolve));
    const { port } = reserved.address() as AddressInfo;
    await new Promise((resolve) => reserved.close(resolve));
    const proxy = new DatabaseProxy(databasePort, port);
    await proxy.become(mode);
    return proxy;
  }

  /** Changes the mode; connections that were made before are cut. */
  async become(mode: ProxyMode): Promise<void> {
    this.#mode = mode;
    for (const socket of this.#sockets) socket.destroy();
    if (mode === 'refuse') await this.#close();
    else if (this.#server === null) await this.#listen();
  }

  async stop(): Promise<void> {
    await this.become('refuse');
  }

  async #listen(): Promise<void> {
    const server = createServer((client) => this.#accept(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }

  #accept(client: Socket): void {
    this.#watch(client);
    if (this.#mode !== 'pass') return;
    const database = connect(this.databasePort, '127.0.0.1');
    this.#watch(database);
    client.once('close', () => database.destroy());
    database.once('close', () => client.destroy());
    client.pipe(database);
    database.pipe(client);
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
