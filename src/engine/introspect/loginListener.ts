import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';

/** Somebody who came to a place where PostgreSQL is expected, and what they said of themselves. */
export interface Login {
  host: string;
  port: number;
  user: string;
  database: string;
  /** Null where they did not say it. */
  password: string | null;
}

// PostgreSQL’s protocol, version 3: what comes before a session. https://www.postgresql.org/docs/current/protocol-message-formats.html
const codes = { version: 196_608, ssl: 80_877_103, gss: 80_877_104 } as const;
const askPassword = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const longestMessage = 10_000;

/** Listens at addresses of this machine like a PostgreSQL that asks for a password in clear text, hears who wants in, and lets nobody in. */
export class LoginListener {
  readonly logins: Login[] = [];
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  /** @returns the port; null where that port is in use or the address is none of this machine. `port` 0: a free one */
  async listen(host: string, port: number): Promise<number | null> {
    const server = createServer((socket) => this.#hear(socket, host));
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen({ host, port }, () => resolve(true));
    });
    if (!listening) return null;
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  }

  #hear(socket: Socket, host: string): void {
    this.#sockets.add(socket);
    let said = Buffer.alloc(0);
    let login: Login | null = null;
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.on('data', (part: Buffer) => {
      said = Buffer.concat([said, part]);
      if (said.length > longestMessage) socket.destroy();
      const message = login === null ? startMessage(said) : passwordMessage(said);
      if (message === null) return;
      said = said.subarray(message.length);
      if (login !== null) {
        login.password = message.text ?? '';
        this.logins.push(login);
        socket.destroy();
      } else if (message.words === null) socket.write('N');
      else {
        const { user = '', database = user } = message.words;
        login = { host, port: socket.localPort ?? 0, user, database, password: null };
        socket.write(askPassword);
      }
    });
    // A client without a password leaves; its connection is noted all the same.
    socket.on('end', () => {
      if (login !== null && login.password === null) this.logins.push(login);
      socket.destroy();
    });
  }
}

interface Message {
  length: number;
  /** Null for a client that only asks whether the connection can be encrypted. */
  words: Record<string, string> | null;
  text?: string;
}

function startMessage(said: Buffer): Message | null {
  if (said.length < 8 || said.length < said.readUInt32BE(0)) return null;
  const [length, code] = [said.readUInt32BE(0), said.readUInt32BE(4)];
  if (code === codes.ssl || code === codes.gss) return { length, words: null };
  if (code !== codes.version) return null;
  const parts = said.subarray(8, length).toString('utf8').split('\0');
  const words: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length && parts[at] !== ''; at += 2) words[parts[at] ?? ''] = parts[at + 1] ?? '';
  return { length, words };
}

function passwordMessage(said: Buffer): Message | null {
  if (said.length < 5 || said.length < 1 + said.readUInt32BE(1)) return null;
  const length = 1 + said.readUInt32BE(1);
  return { length, words: null, text: said.subarray(5, length).toString('utf8').replace(/\0$/, '') };
}
