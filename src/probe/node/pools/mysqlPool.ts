import type { PoolReport } from '../../../model/probe.ts';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasMethods, lengthOf, limit, ownerOf, quietly, replaceMethod, shortText } from '../objects.ts';
import type { Unknowns } from '../objects.ts';
import type { PoolRegistry, ProbedPool } from './poolRegistry.ts';
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
  readonly hold = new Durations();
  readonly heldSinceUs = new WeakMap<object, number>();
  #resized = false;
  /** Surplus that has been told to end, and is not gone. */
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

  report(): PoolReport | null {
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
      hold: this.hold.report(),
      // It has no time-out for those who wait.
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
    // Not by the pool’s own removal, which sends who waits in front to the end of the queue.
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
}

function remove(list: List, connection: PooledConnection): void {
  for (let index = 0; index < list.length; index += 1) {
    if (list.get(index) !== connection) continue;
    list.removeOne(index);
    return;
  }
}

type GetConnection = (this: MysqlPool, got: Got, ...parameters: unknown[]) => unknown;
type Release = (this: MysqlPool, connection: PooledConnection, ...parameters: unknown[]) => unknown;

/**
 * Pools of `mysql2`, and of `mysql`, which is only looked at. Everything that asks the pool goes through `getConnection` with a callback, which may wait
 * in the pool’s queue and come again: it is called through one of ours.
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
    state.heldSinceUs.set(connection, time);
  }, undefined);
  /** Gives whether the connection is surplus. */
  const released = quietly((pool: MysqlPool, connection: PooledConnection): boolean => {
    const state = stateOf(pool);
    const sinceUs = state.heldSinceUs.get(connection);
    if (sinceUs === undefined) return false;
    state.heldSinceUs.delete(connection);
    state.hold.record(nowUs() - sinceUs);
    if (!connection._pool || !state.isSurplus(pool)) return false;
    state.retire(pool, connection);
    return true;
  }, false);
  const timed = (pool: MysqlPool, call: Got): Got => {
    if (typeof call !== 'function' || ours.has(call)) return call;
    const startUs = nowUs();
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
            return original.apply(this, parameters);
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
    },
    found: (emitter) => {
      // The promise form of a pool is an emitter too; it has none of these lists.
      if ('_allConnections' in emitter && '_freeConnections' in emitter) stateOf(emitter as MysqlPool);
    },
  };
}
