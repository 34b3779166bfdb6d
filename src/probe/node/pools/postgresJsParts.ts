import { inspected, ScopeReader } from '../scopes.ts';
import type { Unknowns } from '../objects.ts';

/** What of a queue of postgres.js is used: an object with functions of its own. */
export interface Queue<Item> {
  readonly length: number;
  push(item: Item): Item;
  shift(): Item | undefined;
  remove(item: Item): Item | null;
}

/** A statement, or with `reserve` a caller that asks for a connection. */
export interface Statement {
  resolve?: (answer: unknown) => unknown;
  reject?: (error: unknown) => unknown;
  reserve?: (connection: Connection) => unknown;
  active?: boolean;
  cancelled?: unknown;
}

export interface Connection {
  /** Which queue it is in; from version 3.1 on. */
  queue?: Queue<Connection>;
  idleTimer?: { start(): void; cancel(): void };
  onclose?: ((error: unknown) => void) | null;
  /** Set while a transaction, or the caller that reserved it, has it. */
  reserved?: object | null;
  id?: unknown;
  connect(statement: Statement): unknown;
  execute(statement: Statement): unknown;
  end(): Promise<unknown>;
}

const queueNames = ['connecting', 'reserved', 'closed', 'ended', 'open', 'busy', 'full'] as const;
export type Queues = Record<(typeof queueNames)[number], Queue<Connection>>;
export interface Options {
  max: number;
  host?: unknown;
  port?: unknown;
  database?: unknown;
  onnotify?: unknown;
  onclose?: ((id: unknown) => void) | undefined;
}
/** What is read of options when a connection is opened. Every connection keeps the two lists. */
export interface LoginOptions {
  host: unknown[];
  port: unknown[];
  path?: unknown;
  user?: unknown;
  pass?: unknown;
  database?: unknown;
  /** Sent to the server in place of what is above. */
  connection: Unknowns;
}
interface Events {
  onopen(connection: Connection): void;
  onend(connection: Connection): void;
  onclose(connection: Connection, error: unknown): void;
}

/** What one call of `postgres()` made, which it keeps to itself. */
export interface Parts {
  readonly options: Options;
  readonly queues: Queues;
  /** Statements that no connection takes yet. */
  readonly waiting: Queue<Statement>;
  readonly connections: Connection[];
  /** Makes one more connection, which puts itself among the closed ones; null where it is not found, or of version 3.0. */
  readonly connect: ((options: Options, queues: Queues, events: Events) => Connection) | null;
}

/** A scope of parameters, and not of a whole bundle. */
const fewNames = 20;

/**
 * Finds them by what a listener of a socket can see: the listener belongs to a connection, which can see a function of its pool, which can see the rest.
 * Names of variables are not used, as a bundler changes them; those of properties are.
 * @param isKnown whether the pool of a connection was found before; then it is not looked for
 * @returns `known` of such a connection; null where there is none
 */
export function partsOf(listener: object, isKnown: (connection: object) => boolean): Parts | 'known' | null {
  return inspected((ask) => {
    const reader = new ScopeReader(ask);
    const scopes = reader.scopesOf(listener);
    const at = scopes.findIndex((scope) => Object.values(scope).some(isConnection));
    const [inner, around] = [scopes[at], scopes[at + 1]];
    if (inner === undefined) return null;
    if (Object.values(inner).some((value) => isConnection(value) && isKnown(value))) return 'known';
    // What a connection was called with is in a scope of its own or, after some compilers, among its variables.
    const isParameters = around !== undefined && Object.keys(around).length <= fewNames;
    for (const value of [around, inner].flatMap((scope) => (scope === around && !isParameters ? [] : Object.values(scope ?? {})))) {
      if (typeof value !== 'function') continue;
      for (const scope of reader.scopesOf(value)) {
        const parts = partsIn(scope, scopes.slice(at + 1));
        if (parts !== null) return parts;
      }
    }
    return null;
  });
}

function partsIn(scope: Unknowns, outer: readonly Unknowns[]): Parts | null {
  const values = Object.values(scope).filter(isObject);
  const queues = values.find(isQueues);
  if (queues === undefined) return null;
  const known = new Set(Object.values(queues));
  const waiting = values.find((value) => isQueue(value) && !known.has(value));
  const options = values.find(isOptions);
  const connections = values.find((value) => Array.isArray(value) && value.length > 0 && value.every(isConnection));
  if (waiting === undefined || options === undefined || connections === undefined) return null;
  const made = connections as unknown as Connection[];
  return {
    options: options as unknown as Options,
    queues: queues as unknown as Queues,
    waiting: waiting as unknown as Queue<Statement>,
    connections: made,
    connect: made.every(({ queue }) => isObject(queue)) ? connectIn([scope, ...outer]) : null,
  };
}

/**
 * What a connection of postgres.js logs in with, by a listener of its socket as for {@link partsOf}; `connected`: what it does with a socket that needs no TLS.
 * Null where it is no such socket, or its options have another form.
 */
export function loginOf(listener: object): { options: LoginOptions; connected: (() => unknown) | null } | null {
  return inspected((ask) => {
    const scopes = new ScopeReader(ask).scopesOf(listener);
    const at = scopes.findIndex((scope) => Object.values(scope).some(isConnection));
    const values = at === -1 ? [] : scopes.slice(at, at + 2).flatMap((scope) => Object.values(scope));
    const options = values.find((value): value is Unknowns => isObject(value) && isOptions(value));
    if (options === undefined || ![options['host'], options['port']].every(Array.isArray) || !isObject(options['connection'])) return null;
    const connected = values.find(isConnected) ?? null;
    return { options: options as unknown as LoginOptions, connected: connected as (() => unknown) | null };
  });
}

/** Its statement for the socket is found by a name of Node’s, which no bundler changes. */
function isConnected(value: unknown): boolean {
  return typeof value === 'function' && value.length === 0 && Function.prototype.toString.call(value).includes('.setKeepAlive(');
}

function isOptions(value: Unknowns): boolean {
  return typeof value['max'] === 'number' && 'shared' in value && 'parsers' in value;
}

/** The function that makes connections: what it says when something fails is text, which no bundler changes. */
function connectIn(scopes: readonly Unknowns[]): Parts['connect'] {
  for (const scope of scopes) {
    for (const value of Object.values(scope)) {
      if (typeof value !== 'function' || value.length !== 1) continue;
      const source = Function.prototype.toString.call(value);
      if (
        source.startsWith('function') &&
        ['CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'UNSAFE_TRANSACTION'].every((text) => source.includes(text))
      )
        return value as Parts['connect'];
    }
  }
  return null;
}

function isObject(value: unknown): value is Unknowns {
  return typeof value === 'object' && value !== null;
}

function isQueue(value: unknown): boolean {
  return (
    isObject(value) && typeof value['push'] === 'function' && typeof value['shift'] === 'function' && typeof value['remove'] === 'function'
  );
}

function isQueues(value: Unknowns): boolean {
  return queueNames.every((name) => Object.prototype.hasOwnProperty.call(value, name) && isQueue(value[name]));
}

function isConnection(value: unknown): value is Unknowns {
  return isObject(value) && ['connect', 'execute', 'terminate', 'cancel', 'end'].every((name) => typeof value[name] === 'function');
}
