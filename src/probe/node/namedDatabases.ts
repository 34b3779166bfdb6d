import { EventEmitter } from 'node:events';

/** A login that all clients of pg in this process get, in place of what the app names. */
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

/** The login that all clients of pg in this process get; null where they keep what the app names. */
export function ledTo(): DatabaseLogin | null {
  return led;
}

const field = 'connectionParameters';

/**
 * Notes which databases the app names for clients of pg, and gives these clients another login where there is one. Every client of pg keeps what it was given
 * in a field of one name, and reads the rest from there: a setter that all event emitters inherit sees it, from whichever copy or bundle of pg it comes.
 */
export function watchDatabases(login: DatabaseLogin | null): () => NamedDatabase[] {
  led = login;
  const named = new Map<string, NamedDatabase>();
  Object.defineProperty(EventEmitter.prototype, field, {
    configurable: true,
    get: () => undefined,
    set(this: object, value: unknown) {
      if (isOfPg(value)) {
        const { host, port, database } = value;
        const isLed = login !== null && parts.some((part) => String(value[part]) !== String(login[part]));
        const one = { host: String(host ?? 'localhost'), port: Number(port), database: String(database ?? ''), led: isLed };
        if (named.size < mostNamed) named.set(JSON.stringify(one), one);
        if (login !== null) Object.assign(value, login, { isDomainSocket: false });
      }
      Object.defineProperty(this, field, { value, configurable: true, enumerable: true, writable: true });
    },
  });
  return () => [...named.values()];
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
