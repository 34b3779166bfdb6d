import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasMethods, lengthOf, limit, ownerOf, quietly, replaceMethod, shortText } from '../objects.ts';
import type { Unknowns } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import { LendingLimit } from './lendingLimit.ts';
import { Loans } from './loans.ts';
import type { OwnReport, PoolRegistry, ProbedPool } from './poolRegistry.ts';
import type { Resizable } from './resize.ts';

const cannotResize =
  'The pool of the package mysql can only be looked at: it cannot be resized while the app runs, and its waits are unknown. That of mysql2 can.';

/** What of a connection in a pool of mysql2 is used. */
interface PooledConnection {
  _pool?: unknown;
  _realEnd(): unknown;
  readonly stream: { once(event: string, listener: () => void): unknown };
}

/** A ring of connections, of mysql2 or of the package denque. */
interface List {
  length: number;
  get(index: number): PooledConnection | undefined;
  removeOne(index: number): unknown;
}

type Got = (error: unknown, connection?: object, ...rest: unknown[]) => unknown;

/** What of mysql2's Pool is used (mysql2 2 and 3), and of that of mysql. */
interface MysqlPool {
  config: { connectionLimit: number; maxIdle?: number; connectionConfig?: Unknowns };
  _closed: boolean;
  _allConnections: List;
  _freeConnections: List;
  _connectionQueue: { length: number; shift(): Got | undefined };
  getConnection(got: Got): unknown;
}

class MysqlState implements ProbedPool {
  readonly acquire = new Durations();
  readonly loans = new Loans();
  readonly lending: LendingLimit | undefined;
  #resized = false;
  /** Surplus connections that are ending, and are not gone. */
  #ending = 0;
  #ownMaxIdle: number | null = null;
  readonly #pool: WeakRef<MysqlPool>;
  readonly #resizable: Resizable | null;

  constructor(
    readonly id: string,
    pool: MysqlPool,
    followed: boolean,
  ) {
    this.#pool = new WeakRef(pool);
    this.lending = followed ? new LendingLimit(() => this.#serve()) : undefined;
    this.#resizable = followed
      ? {
          max: () => this.#live()?.config.connectionLimit ?? null,
          total: () => lengthOf(this.#live()?._allConnections) + this.#ending,
          setMax: (max) => this.#setMax(max),
          step: () => this.#step(),
        }
      : null;
  }

  resizable(): Resizable | null {
    return this.#resizable;
  }

  report(): OwnReport | null {
    const pool = this.#live();
    if (pool === null) return null;
    const [open, idle] = [lengthOf(pool._allConnections), lengthOf(pool._freeConnections)];
    const connection = pool.config.connectionConfig ?? {};
    return {
      id: this.id,
      kind: 'mysql2',
      name: shortText(
        `${String(connection['database'] ?? 'mysql')} at ${String(connection['host'] ?? '')}:${String(connection['port'] ?? '')}`,
      ),
      // A limit of 0 is none.
      max: limit(pool.config.connectionLimit) || null,
      min: null,
      total: open + this.#ending,
      idle,
      busy: amount(open - idle),
      pending: lengthOf(pool._connectionQueue),
      acquire: this.acquire.report(),
      hold: this.loans.hold.report(),
      // It has no time-out for waiting callers.
      timeouts: 0,
      resizable: this.#resizable !== null,
      note: this.#resizable === null ? cannotResize : null,
    };
  }

  isSurplus(pool: MysqlPool): boolean {
    return this.#resized && !pool._closed && lengthOf(pool._allConnections) > pool.config.connectionLimit;
  }

  /** Out of the pool, and closed as the pool closes its own when it ends: with a word to the server. */
  retire(pool: MysqlPool, connection: PooledConnection): void {
    this.#ending += 1;
    connection.stream.once('close', () => (this.#ending -= 1));
    // Not by the pool’s own removal, which sends the first waiting caller to the end of the queue.
    connection._pool = null;
    for (const list of [pool._allConnections, pool._freeConnections]) remove(list, connection);
    connection._realEnd();
  }

  #live(): MysqlPool | null {
    const pool = this.#pool.deref();
    return pool === undefined || pool._closed ? null : pool;
  }

  #setMax(max: number): void {
    const pool = this.#live();
    if (pool === null) return;
    const { config } = pool;
    this.#resized = true;
    // How many idle ones it keeps: from version 3 on, by default as many as it may have.
    if (typeof config.maxIdle === 'number') {
      this.#ownMaxIdle ??= config.maxIdle >= config.connectionLimit ? Infinity : config.maxIdle;
      config.maxIdle = Math.min(this.#ownMaxIdle, max);
    }
    config.connectionLimit = max;
  }

  #step(): void {
    const pool = this.#live();
    if (pool === null) return;
    const { config, _allConnections: all, _freeConnections: free, _connectionQueue: queue } = pool;
    while (all.length > config.connectionLimit && free.length > 0) {
      const before = all.length;
      // Those that were idle longest are in front.
      const idlest = free.get(0);
      if (idlest !== undefined) this.retire(pool, idlest);
      if (all.length === before) break;
    }
    for (let room = config.connectionLimit - all.length; room > 0 && queue.length > 0; room -= 1) {
      const caller = queue.shift();
      if (caller !== undefined) pool.getConnection(caller);
    }
  }

  /** How many more it may lend, in addition to those that are lent but for `without` of them. */
  room({ _allConnections: all, _freeConnections: free }: MysqlPool, without = 0): number {
    return this.lending?.room(all.length - free.length - without) ?? Infinity;
  }

  #serve(): void {
    const pool = this.#live();
    if (pool === null) return;
    const queue = pool._connectionQueue;
    for (let left = Math.min(queue.length, this.room(pool)); left > 0; left -= 1) {
      const caller = queue.shift();
      if (caller !== undefined) pool.getConnection(caller);
    }
  }
}

function remove(list: List, connection: PooledConnection): void {
  for (let index = 0; index < list.length; index += 1) {
    if (list.get(index) !== connection) continue;
    list.removeOne(index);
    return;
  }
}

/** A list that says it is empty, and is the same in all else: a listener of the app may ask the pool in the meantime. */
function seeminglyEmpty<L extends object>(list: L): L {
  return new Proxy(list, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'length') return 0;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Has a pool be asked as if none were idle and there were room for no other: what becomes of the caller is its own to say. */
function asFull<Result>(pool: MysqlPool, ask: () => Result): Result {
  const { config, _freeConnections: free } = pool;
  const { connectionLimit } = config;
  pool._freeConnections = seeminglyEmpty(free);
  config.connectionLimit = pool._allConnections.length;
  try {
    return ask();
  } finally {
    pool._freeConnections = free;
    config.connectionLimit = connectionLimit;
  }
}

/** Has a pool take a connection back as if no caller waited. */
function asUnasked<Result>(pool: MysqlPool, giveBack: () => Result): Result {
  const queue = pool._connectionQueue;
  pool._connectionQueue = seeminglyEmpty(queue);
  try {
    return giveBack();
  } finally {
    pool._connectionQueue = queue;
  }
}

type GetConnection = (this: MysqlPool, got: Got, ...parameters: unknown[]) => unknown;
type Release = (this: MysqlPool, connection: PooledConnection, ...parameters: unknown[]) => unknown;

/**
 * Pools of `mysql2`, and of `mysql`, which is only observed. All callers of the pool go through `getConnection` with a callback, which may wait
 * in the pool’s queue and come again: the probe wraps it in a callback of its own.
 */
export function mysqlPools(registry: PoolRegistry): KnownClass {
  const states = new WeakMap<object, MysqlState>();
  const followed = new WeakSet<object>();
  const ours = new WeakSet<Got>();

  // The package mysql has a step of its own between the two.
  const canFollow = (prototype: object): boolean => !hasMethods(prototype, 'acquireConnection');
  const stateOf = (pool: MysqlPool): MysqlState => {
    let state = states.get(pool);
    if (state === undefined) {
      state = new MysqlState(registry.newId('mysql2'), pool, canFollow(pool));
      states.set(pool, state);
      registry.add(state);
    }
    return state;
  };
  const got = quietly((pool: MysqlPool, startUs: number, connection: object) => {
    const [state, time] = [stateOf(pool), nowUs()];
    state.acquire.record(time - startUs);
    state.loans.lend(connection, startUs, time);
  }, undefined);
  /** Gives whether the connection is surplus. */
  const released = quietly((pool: MysqlPool, connection: PooledConnection): boolean => {
    const state = stateOf(pool);
    if (!state.loans.giveBack(connection)) return false;
    if (!connection._pool || !state.isSurplus(pool)) return false;
    state.retire(pool, connection);
    return true;
  }, false);
  const room = quietly((pool: MysqlPool, without: number) => states.get(pool)?.room(pool, without) ?? Infinity, Infinity);
  const timed = (pool: MysqlPool, call: Got): Got => {
    if (typeof call !== 'function' || ours.has(call)) return call;
    const startUs = askedNowUs();
    // Not an arrow function, as it need not be one of the app’s.
    const wrapped: Got = function (this: unknown, error, connection, ...rest) {
      if (connection !== undefined && connection !== null && !error) got(pool, startUs, connection);
      return call.call(this, error, connection, ...rest);
    };
    ours.add(wrapped);
    return wrapped;
  };

  return {
    recognizes: (prototype) => hasMethods(prototype, 'getConnection', 'releaseConnection', 'query', 'end'),
    // Here and not later: an app may ask its pool on the line after it has made it.
    firstOf: (prototype) => {
      const owner = canFollow(prototype) ? ownerOf(prototype, 'getConnection') : null;
      if (owner === null || followed.has(owner)) return;
      followed.add(owner);
      // Not arrow functions: `this` is the pool.
      replaceMethod<GetConnection>(
        owner,
        'getConnection',
        (original) =>
          function (this: MysqlPool, ...parameters) {
            parameters[0] = timed(this, parameters[0]);
            const ask = (): unknown => original.apply(this, parameters);
            return room(this, 0) > 0 ? ask() : asFull(this, ask);
          },
      );
      replaceMethod<Release>(
        owner,
        'releaseConnection',
        (original) =>
          function (this: MysqlPool, ...parameters) {
            return released(this, parameters[0]) ? undefined : original.apply(this, parameters);
          },
      );
      // Newer ones may reset it before they hand it on.
      replaceMethod<Release>(
        owner,
        hasMethods(owner, '_handleSuccessfulRelease') ? '_handleSuccessfulRelease' : 'releaseConnection',
        (original) =>
          function (this: MysqlPool, ...parameters) {
            const giveBack = (): unknown => original.apply(this, parameters);
            return parameters[0]._pool && room(this, 1) === 0 ? asUnasked(this, giveBack) : giveBack();
          },
      );
    },
    found: (emitter) => {
      // The promise form of a pool is an emitter too; it has none of these lists.
      if ('_allConnections' in emitter && '_freeConnections' in emitter) stateOf(emitter as MysqlPool);
    },
  };
}
