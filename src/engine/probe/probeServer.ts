import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import path from 'node:path';
import { type FromProbe, probeProtocolVersion } from '../../model/domain/probe.ts';
import { pause } from '../supervise/pause.ts';
import { makeTemporaryFolder, parentForSockets } from '../supervise/temporaryFolder.ts';
import { InspectorChannel } from './inspectorChannel.ts';
import { ProbeLines } from './probeLines.ts';
import { type ExpectedInspector, ProbeSession } from './probeSession.ts';

/** A probe that has not identified itself by then is refused. */
const helloTimeoutMs = 5_000;
/** Connections that have not said hello yet; more are refused. */
const strangerLimit = 64;

/**
 * Where the probes of an engine's apps connect back to: a socket in a folder that only this user may enter, or, where there are none of that
 * kind (Windows), a loopback port. Each app has a token of its own, given to it in its environment; a connection without one is closed.
 */
export class ProbeServer {
  readonly #groups = new Map<string, ProbeGroup>();
  readonly #sockets = new Set<Socket>();
  /** Inspector sessions that were asked for, by the token that their connection will show. */
  readonly #inspectors = new Map<string, (channel: InspectorChannel) => void>();
  readonly #server: Server;
  #strangers = 0;
  #address = '';
  #folder: string | null = null;

  private constructor() {
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  static async start(): Promise<ProbeServer> {
    const server = new ProbeServer();
    await server.#listen();
    return server;
  }

  /** Expects the probes of one app that is about to be launched: all processes that are given its environment belong to it. */
  expect(): ProbeGroup {
    const token = randomBytes(24).toString('hex');
    const group = new ProbeGroup({ BENCHSIDE_PROBE_ADDRESS: this.#address, BENCHSIDE_PROBE_TOKEN: token }, () =>
      this.#groups.delete(token),
    );
    this.#groups.set(token, group);
    return group;
  }

  async close(): Promise<void> {
    for (const group of [...this.#groups.values()]) group.close();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  async #listen(): Promise<void> {
    if (process.platform === 'win32') {
      await once(this.#server.listen({ host: '127.0.0.1', port: 0 }), 'listening');
      this.#address = `tcp:127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    } else {
      this.#folder = makeTemporaryFolder('probe', parentForSockets());
      const file = path.join(this.#folder, 'p.sock');
      await once(this.#server.listen(file), 'listening');
      this.#address = `unix:${file}`;
    }
    this.#server.unref();
  }

  #welcome(socket: Socket): void {
    if (this.#strangers >= strangerLimit) {
      socket.destroy();
      return;
    }
    this.#strangers += 1;
    this.#sockets.add(socket);
    socket.unref();
    let session: ProbeSession | null = null;
    let inspector: InspectorChannel | null = null;
    let stranger = true;
    const known = (): void => {
      clearTimeout(timer);
      if (stranger) this.#strangers -= 1;
      stranger = false;
    };
    const timer = setTimeout(() => socket.destroy(), helloTimeoutMs);
    timer.unref();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      known();
      this.#sockets.delete(socket);
      session?.end();
    });
    const lines = new ProbeLines();
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      if (inspector !== null) {
        inspector.receive(piece);
        return;
      }
      lines.add(piece);
      for (let message = lines.next(); message !== undefined; message = lines.next()) {
        if (session !== null && message !== null) session.receive(message);
        else if (message?.type === 'inspector') inspector = this.#takeInspector(socket, message.token);
        else if (message !== null) session = this.#greet(socket, message);
        if (message === null || (session ?? inspector) === null) {
          socket.destroy();
          return;
        }
        known();
        if (inspector === null) continue;
        inspector.receive(lines.takeRest());
        return;
      }
    });
  }

  /** The session of a probe that shows a token which is expected; `null` for anybody else. */
  #greet(socket: Socket, message: FromProbe): ProbeSession | null {
    if (message.type !== 'hello' || message.protocol !== probeProtocolVersion) return null;
    const group = [...this.#groups].find(([token]) => sameText(token, message.token))?.[1];
    if (group === undefined) return null;
    const session = new ProbeSession(message, socket, () => this.#expectInspector());
    group.add(session);
    return session;
  }

  #expectInspector(): ExpectedInspector {
    const token = randomBytes(24).toString('hex');
    let arrive: (channel: InspectorChannel) => void = () => undefined;
    const arrived = new Promise<InspectorChannel>((resolve) => (arrive = resolve));
    this.#inspectors.set(token, arrive);
    return { token, arrived, forget: () => this.#inspectors.delete(token) };
  }

  /** The session that was waited for under this token, which is good for one; null for anybody else. */
  #takeInspector(socket: Socket, token: string): InspectorChannel | null {
    const [known, arrive] = [...this.#inspectors].find(([one]) => sameText(one, token)) ?? [];
    if (known === undefined || arrive === undefined) return null;
    this.#inspectors.delete(known);
    const channel = new InspectorChannel(socket);
    arrive(channel);
    return channel;
  }
}

/** The probes of one app: of its process, and of those that it has started with the same environment (cluster workers, `npm start`). */
export class ProbeGroup {
  readonly #sessions: ProbeSession[] = [];
  readonly #waiting = new Set<(session: ProbeSession) => void>();

  constructor(
    /** What the app's environment must have for its probes to find back. */
    readonly env: Readonly<Record<string, string>>,
    private readonly forget: () => void,
  ) {}

  /** Those that are connected, in the order in which they came. */
  get sessions(): readonly ProbeSession[] {
    return this.#sessions.filter((session) => session.open);
  }

  /** The first probe, as soon as there is one; `null` when none came within `timeoutMs`. */
  async attached(timeoutMs: number, signal?: AbortSignal): Promise<ProbeSession | null> {
    signal?.throwIfAborted();
    const [first] = this.sessions;
    if (first !== undefined) return first;
    let found: (session: ProbeSession) => void = () => undefined;
    const arrived = new Promise<ProbeSession>((resolve) => (found = resolve));
    const over = new AbortController();
    this.#waiting.add(found);
    try {
      const late = pause(timeoutMs, signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])).then(() => null);
      return await Promise.race([arrived, late]);
    } finally {
      this.#waiting.delete(found);
      over.abort();
    }
  }

  add(session: ProbeSession): void {
    this.#sessions.push(session);
    for (const found of [...this.#waiting]) found(session);
  }

  /** Refuses new connections with this token, and ends the existing ones. */
  close(): void {
    this.forget();
    for (const session of this.#sessions) session.disconnect();
  }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
