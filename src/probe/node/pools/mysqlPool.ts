import { nowUs } from '../clock.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { type Unknowns, amount, hasMethods, lengthOf, limit, ownerOnce, quietly, replaceMethod, shortText } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import type { LendingLimit } from './lendingLimit.ts';
import { type PoolFigures, type PoolRegistry, PoolStates } from './poolRegistry.ts';
import { WatchedPool } from './watchedPool.ts';

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

class MysqlState extends WatchedPool<MysqlPool> {
  readonly lending: LendingLimit | undefined;
  /** Surplus connections that are ending, and are not gone. */
  #ending = 0;
  #ownMaxIdle: number | null = null;

  constructor(id: string, pool: MysqlPool) {
    super(id, 'mysql2', pool, canFollow(pool) ? null : cannotResize);
    this.lending = canFollow(pool) ? this.limitedBy((live) => this.#serve(live)) : undefined;
  }

  protected isOver(pool: MysqlPool): boolean {
    return pool._closed;
  }

  protected figures(pool: MysqlPool): PoolFigures {
    const [open, idle] = [lengthOf(pool._allConnections), lengthOf(pool._freeConnections)];
    const connection = pool.config.connectionConfig ?? {};
    return {
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
    };
  }

  protected override maxOf(pool: MysqlPool): number {
    return pool.config.connectionLimit;
  }

  isSurplus(pool: MysqlPool): boolean {
    return this.resized && !pool._closed && lengthOf(pool._allConnections) > pool.config.connectionLimit;
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

  protected setMax(pool: MysqlPool, max: number): void {
    const { config } = pool;
    // How many idle ones it keeps: from version 3 on, by default as many as it may have.
    if (typeof config.maxIdle === 'number') {
      this.#ownMaxIdle ??= config.maxIdle >= config.connectionLimit ? Infinity : config.maxIdle;
      config.maxIdle = Math.min(this.#ownMaxIdle, max);
    }
    config.connectionLimit = max;
  }

  protected step(pool: MysqlPool): void {
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

  #serve(pool: MysqlPool): void {
    const queue = pool._connectionQueue;
    for (let left = Math.min(queue.length, this.room(pool)); left > 0; left -= 1) {
      const caller = queue.shift();
      if (caller !== undefined) pool.getConnection(caller);
    }
  }
}

/** The package mysql has a step of its own between asking and getting. */
function canFollow(prototype: object): boolean {
  return !hasMethods(prototype, 'acquireConnection');
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

type Released = [connection: PooledConnection, ...unknown[]];

/**
 * Pools of `mysql2`, and of `mysql`, which is only observed. All callers of the pool go through `getConnection` with a callback, which may wait
 * in the pool’s queue and come again: the probe wraps it in a callback of its own.
 */
export function mysqlPools(registry: PoolRegistry): KnownClass {
  const states = new PoolStates(registry, 'mysql2', (id, pool: MysqlPool) => new MysqlState(id, pool));
  const followed = new WeakSet<object>();
  const ours = new WeakSet<Got>();

  const got = quietly((pool: MysqlPool, startUs: number, connection: object) => {
    const [state, time] = [states.of(pool), nowUs()];
    state.acquire.record(time - startUs);
    state.loans.lend(connection, startUs, time);
  }, undefined);
  /** Gives whether the connection is surplus. */
  const released = quietly((pool: MysqlPool, connection: PooledConnection): boolean => {
    const state = states.of(pool);
    if (!state.loans.giveBack(connection)) return false;
    if (!connection._pool || !state.isSurplus(pool)) return false;
    state.retire(pool, connection);
    return true;
  }, false);
  const room = quietly((pool: MysqlPool, without: number) => states.find(pool)?.room(pool, without) ?? Infinity, Infinity);
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
      const owner = canFollow(prototype) ? ownerOnce(followed, prototype, 'getConnection') : null;
      if (owner === null) return;
      replaceMethod<MysqlPool, [Got, ...unknown[]]>(owner, 'getConnection', (original) => {
        return function (...given) {
          given[0] = timed(this, given[0]);
          const ask = (): unknown => original.apply(this, given);
          return room(this, 0) > 0 ? ask() : asFull(this, ask);
        };
      });
      replaceMethod<MysqlPool, Released>(owner, 'releaseConnection', (original) => {
        return function (...given) {
          return released(this, given[0]) ? undefined : original.apply(this, given);
        };
      });
      // Newer ones may reset it before they hand it on.
      const handsOn = hasMethods(owner, '_handleSuccessfulRelease') ? '_handleSuccessfulRelease' : 'releaseConnection';
      replaceMethod<MysqlPool, Released>(owner, handsOn, (original) => {
        return function (...given) {
          const giveBack = (): unknown => original.apply(this, given);
          return given[0]._pool && room(this, 1) === 0 ? asUnasked(this, giveBack) : giveBack();
        };
      });
    },
    found: (emitter) => {
      // The promise form of a pool is an emitter too; it has none of these lists.
      if ('_allConnections' in emitter && '_freeConnections' in emitter) states.of(emitter as MysqlPool);
    },
  };
}
