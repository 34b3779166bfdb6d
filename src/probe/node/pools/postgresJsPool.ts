import { Socket } from 'node:net';
import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, limit, quietly, shortText } from '../objects.ts';
import { listen, PostgresJsLoans } from './postgresJsLoans.ts';
import { type Connection, type Parts, type Queue, type Statement, partsOf } from './postgresJsParts.ts';
import { type OwnReport, type PoolRegistry, type ProbedPool, ownReport } from './poolRegistry.ts';
import type { Resizable } from './resize.ts';

const cannotResize =
  'This pool of postgres.js cannot be resized: how it makes a connection is not visible, as before version 3.1, or where a bundle has renamed properties.';
/** Sockets that look like those of postgres.js and are not: after this many the search ends. */
const mostStrangers = 50;

const followed = new WeakSet<object>();

/** A pool of postgres.js, with what was added to it. It is held by the pool’s own queues, and by nothing else. */
class FollowedPool {
  /** Connections that were made and are above the size: none of them is open. */
  readonly #shelf: Connection[] = [];
  readonly #shelved: Queue<Connection>;
  /** Surplus connections that end when they have answered what they were given. */
  readonly #ending = new Set<Connection>();
  readonly #loans: PostgresJsLoans;
  #settles = false;

  constructor(
    private readonly parts: Parts,
    { acquire, hold }: { acquire: Durations; hold: Durations },
  ) {
    const shelf = this.#shelf;
    // As one of its own queues: the end of the pool takes connections out of where they are.
    this.#shelved = {
      get length() {
        return shelf.length;
      },
      push: (connection) => (shelf.push(connection), connection),
      shift: () => shelf.shift(),
      remove: (connection) => (shelf.includes(connection) ? (shelf.splice(shelf.indexOf(connection), 1)[0] ?? null) : null),
    };
    this.#loans = new PostgresJsLoans(acquire, hold);
    this.#loans.follow(parts);
    const { closed, open, busy, full } = parts.queues;
    listen(closed, (connection) => {
      this.#ending.delete(connection);
      this.#settleSoon();
    });
    for (const queue of [open, busy, full]) listen(queue, () => this.#settleSoon());
    for (const connection of parts.connections) this.#follow(connection);
  }

  get isResizable(): boolean {
    return this.parts.connect !== null;
  }

  get max(): number {
    return this.parts.options.max;
  }

  get name(): string {
    const { database, host, port } = this.parts.options;
    const [place] = Array.isArray(host) ? (host as unknown[]) : [host];
    const [number] = Array.isArray(port) ? (port as unknown[]) : [port];
    return shortText(`${String(database ?? 'postgres')} at ${String(place ?? '')}:${String(number ?? '')}`);
  }

  get total(): number {
    const { connections, queues } = this.parts;
    return amount(connections.length - this.#shelf.length - queues.closed.length);
  }

  get idle(): number {
    return this.parts.queues.open.length;
  }

  get pending(): number {
    return this.parts.waiting.length + this.#loans.waitingFor(this.parts.connections);
  }

  setMax(max: number): void {
    const { connections, options } = this.parts;
    options.max = max;
    // The shelf comes first: its connections are as good as new.
    while (this.#surplus() < 0) {
      const connection = this.#shelf[0];
      if (connection === undefined) connections.push(this.#make());
      else this.#move(connection, 'closed');
    }
  }

  step(): void {
    this.#settle();
    const { queues, waiting } = this.parts;
    while (queues.closed.length > 0 && waiting.length > 0) {
      const [connection, statement] = [queues.closed.shift(), waiting.shift()];
      if (connection === undefined || statement === undefined) return;
      this.#move(connection, 'connecting').connect(statement);
    }
  }

  /** How many connections there are above the size; below 0: that many are missing. */
  #surplus(): number {
    return this.parts.connections.length - this.#shelf.length - this.#ending.size - this.parts.options.max;
  }

  /** When the pool is done with what it is at: it moves a connection on after it has given it a statement. */
  #settleSoon(): void {
    if (this.#settles || this.#surplus() <= 0) return;
    this.#settles = true;
    queueMicrotask(
      quietly(() => {
        this.#settles = false;
        this.#settle();
      }, undefined),
    );
  }

  /** Removes surplus: closed connections first, then idle ones, then those that are at work, which finish it. A reserved one stays until it is returned. */
  #settle(): void {
    const { queues, connections } = this.parts;
    while (this.#surplus() > 0) {
      const closed = queues.closed.shift();
      if (closed !== undefined) {
        this.#shelve(closed);
        continue;
      }
      const unkept = (queue: Queue<Connection>): Connection | undefined =>
        connections.find((one) => one.queue === queue && !this.#loans.isKept(one));
      const surplus = unkept(queues.open) ?? unkept(queues.busy) ?? unkept(queues.full);
      if (surplus === undefined) return;
      this.#ending.add(surplus);
      void surplus.end().catch(() => undefined);
    }
  }

  #shelve(connection: Connection): void {
    connection.queue?.remove(connection);
    this.#shelved.push(connection);
    connection.queue = this.#shelved;
  }

  #follow(connection: Connection): void {
    followed.add(connection);
    const { connect, execute } = connection;
    connection.connect = (statement) => {
      const refused = this.#refuses(connection);
      if (refused || statement.reserve !== undefined) this.#queue(statement);
      if (refused) return undefined;
      this.#loans.connecting(connection, statement);
      return connect.call(connection, statement);
    };
    connection.execute = (statement) => {
      this.#loans.executing(connection, statement);
      return execute.call(connection, statement);
    };
  }

  /** A surplus connection that has just closed is to be opened for a waiting caller: another one will serve the caller. */
  readonly #refuses = quietly((connection: Connection): boolean => {
    const { closed } = this.parts.queues;
    while (this.#surplus() > 0 && closed.length > 0) this.#shelve(closed.shift() as Connection);
    if (this.#surplus() <= 0) return false;
    this.#shelve(connection);
    return true;
  }, false);

  /** Has a statement wait for any connection; in front of the others where it was removed from the queue. A reservation is only found there. */
  readonly #queue = quietly((statement: Statement): void => {
    const { waiting } = this.parts;
    if (waiting.remove(statement) !== null) waiting.push(statement);
    else {
      const behind = Array.from({ length: waiting.length }, () => waiting.shift() as Statement);
      for (const one of [statement, ...behind]) waiting.push(one);
    }
  }, undefined);

  #move(connection: Connection, to: keyof Parts['queues']): Connection {
    const queue = this.parts.queues[to];
    connection.queue?.remove(connection);
    queue.push(connection);
    connection.queue = queue;
    if (to === 'open') connection.idleTimer?.start();
    else connection.idleTimer?.cancel();
    return connection;
  }

  #make(): Connection {
    const { connect, options, queues, waiting } = this.parts;
    if (connect === null) throw new Error('how a connection is made is not visible');
    // What the pool does itself for those that it made.
    const made = connect(options, queues, {
      onend: (connection) => void this.#move(connection, 'ended'),
      onopen: (connection) => this.#opened(connection),
      onclose: (connection, error) => {
        this.#move(connection, 'closed');
        connection.reserved = null;
        connection.onclose?.(error);
        connection.onclose = null;
        options.onclose?.(connection.id);
        const statement = waiting.length > 0 && queues.closed.remove(connection) !== null ? waiting.shift() : undefined;
        if (statement !== undefined) this.#move(connection, 'connecting').connect(statement);
      },
    });
    this.#follow(made);
    return made;
  }

  #opened(connection: Connection): void {
    const { queues, waiting } = this.parts;
    if (waiting.length === 0) {
      this.#move(connection, 'open');
      return;
    }
    let takesMore: unknown = true;
    for (let share = Math.ceil(waiting.length / (queues.connecting.length + 1)); takesMore && waiting.length > 0 && share > 0; share -= 1) {
      const statement = waiting.shift() as Statement;
      if (statement.reserve !== undefined) {
        statement.reserve(connection);
        return;
      }
      takesMore = connection.execute(statement);
    }
    this.#move(connection, takesMore ? 'busy' : 'full');
  }
}

class PostgresJsPool implements ProbedPool {
  readonly kind = 'postgres.js';
  readonly acquire = new Durations();
  readonly hold = new Durations();
  readonly #pool: WeakRef<FollowedPool>;
  readonly #resizable: Resizable | null;

  constructor(
    readonly id: string,
    parts: Parts,
  ) {
    const pool = new FollowedPool(parts, this);
    this.#pool = new WeakRef(pool);
    this.#resizable = pool.isResizable
      ? {
          max: () => this.#pool.deref()?.max ?? null,
          total: () => this.#pool.deref()?.total ?? 0,
          setMax: (max) => this.#pool.deref()?.setMax(max),
          step: () => this.#pool.deref()?.step(),
        }
      : null;
  }

  resizable(): Resizable | null {
    return this.#resizable;
  }

  report(): OwnReport | null {
    const pool = this.#pool.deref();
    if (pool === undefined) return null;
    const { name, max, total, idle, pending } = pool;
    // It has no time-out for waiting callers.
    const figures = { name, max: limit(max), min: null, total, idle, pending };
    return ownReport(this, figures, this, this.#resizable === null ? cannotResize : null);
  }
}

/**
 * Finds the pools of postgres.js, which are closures: neither classes nor emitters. Their sockets are, and what listens to one leads to its pool. So a
 * pool shows itself with its first statement.
 */
export function postgresJsPools(registry: PoolRegistry): KnownClass {
  const known = new WeakSet<object>();
  let strangers = 0;
  const look = (socket: Socket): void => {
    const [listener, ...others] = socket.listeners('drain');
    const single = (event: string): boolean => socket.listenerCount(event) === 1;
    if (listener === undefined || others.length > 0 || !single('error') || !single('close') || socket.listenerCount('data') > 0) return;
    if (known.has(listener) || strangers >= mostStrangers) return;
    known.add(listener);
    const parts = partsOf(listener, (connection) => followed.has(connection));
    if (parts === null) strangers += 1;
    // The connection that listens for notifications has a pool of its own, which is not tuned.
    else if (parts !== 'known' && typeof parts.options.onnotify !== 'function')
      registry.add(new PostgresJsPool(registry.newId('postgres.js'), parts));
  };
  return {
    recognizes: (prototype) => prototype === Socket.prototype,
    found: (emitter) => look(emitter as Socket),
  };
}
