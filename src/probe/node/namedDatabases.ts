import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { quietly, replaceMethod } from './objects.ts';
import { type LoginOptions, loginOf } from './pools/postgresJsParts.ts';

/** A login that all clients of pg and postgres.js in this process get, in place of what the app names. */
export interface DatabaseLogin {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl: unknown;
}

export interface NamedDatabase {
  host: string;
  port: number;
  database: string;
  /** Whether the client got another login than the app names. */
  led: boolean;
}

const mostNamed = 20;
let led: DatabaseLogin | null = null;

/** The login that all clients in this process get; null where they keep what the app names. */
export function ledTo(): DatabaseLogin | null {
  return led;
}

const field = 'connectionParameters';

/** Notes which databases the app names for its clients, and gives these clients another login where there is one. */
export function watchDatabases(login: DatabaseLogin | null): () => NamedDatabase[] {
  led = login;
  const named = new Map<string, NamedDatabase>();
  const note = (one: NamedDatabase): void => void (named.size < mostNamed && named.set(JSON.stringify(one), one));
  watchPg(login, note);
  watchPostgresJs(login, note);
  return () => [...named.values()];
}

/**
 * Every client of pg keeps what it was given in a field of one name, and reads the rest from there: a setter that all event emitters inherit sees it, from
 * whichever copy or bundle of pg it comes.
 */
function watchPg(login: DatabaseLogin | null, note: (one: NamedDatabase) => void): void {
  Object.defineProperty(EventEmitter.prototype, field, {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      if (isOfPg(value)) {
        const { host, port, database } = value;
        const isLed = login !== null && parts.some((part) => String(value[part]) !== String(login[part]));
        note({ host: String(host ?? 'localhost'), port: Number(port), database: String(database ?? ''), led: isLed });
        if (login !== null) Object.assign(value, login, { isDomainSocket: false });
      }
      Object.defineProperty(this, field, { value, configurable: true, enumerable: true, writable: true });
    },
  });
}

/** A connection of postgres.js is a closure. What it logs in with is found by its socket, right before that is connected. */
function watchPostgresJs(login: DatabaseLogin | null, note: (one: NamedDatabase) => void): void {
  const seen = new WeakSet<object>();
  const place = quietly((socket: Socket): [number, string] | null => {
    const [listener] = socket.listeners('drain');
    const listens = ['drain', 'error', 'close', 'connect'].every((event) => socket.listenerCount(event) === 1);
    const found = listener === undefined || !listens || socket.listenerCount('data') > 0 ? null : loginOf(listener);
    if (found === null) return null;
    const { options, connected } = found;
    if (!seen.has(options)) note({ ...namedIn(options), led: login !== null && !isLedTo(options, login) });
    seen.add(options);
    if (login === null) return null;
    leadTo(options, login);
    // The server of the login may have no TLS, whatever the app asks for.
    if (connected !== null && (login.ssl === undefined || login.ssl === false))
      socket.removeAllListeners('connect').on('connect', connected);
    return [login.port, login.host];
  }, null);
  replaceMethod<Socket>(Socket.prototype, 'connect', (connect) => {
    return function (this: Socket, ...given) {
      return Reflect.apply(connect, this, place(this) ?? given);
    };
  });
}

function namedIn({ host, port, database }: LoginOptions): Omit<NamedDatabase, 'led'> {
  return { host: String(host[0] ?? 'localhost'), port: Number(port[0]), database: String(database ?? '') };
}

function isLedTo({ host, port, user, pass, database }: LoginOptions, login: DatabaseLogin): boolean {
  const [ours, its] = [
    [login.host, login.port, login.user, login.password, login.database],
    [host[0], port[0], user, pass, database],
  ];
  return ours.every((value, index) => String(value) === String(its[index]));
}

/** Connections that were made before keep the lists, and a copy of the names: the names in `connection` replace these. */
function leadTo(options: LoginOptions, { host, port, user, password, database }: DatabaseLogin): void {
  options.host.splice(0, options.host.length, host);
  options.port.splice(0, options.port.length, port);
  Object.assign(options, { path: false, user, pass: password, database });
  Object.assign(options.connection, { user, database });
}

const parts = ['host', 'port', 'user', 'password', 'database'] as const;

function isOfPg(value: unknown): value is Record<(typeof parts)[number], unknown> {
  return typeof value === 'object' && value !== null && parts.every((one) => one in value);
}

/** The login in BENCHSIDE_PROBE_DATABASE; null where there is none. */
export function givenLogin(env: NodeJS.ProcessEnv): DatabaseLogin | null {
  const text = env['BENCHSIDE_PROBE_DATABASE'];
  return text === undefined ? null : (JSON.parse(text) as DatabaseLogin);
}
