import { nowUs } from '../clock.ts';
import { amount, hasGetters, hasMethods, lengthOf, limit, ownerOnce, quietly, replaceMethod, watchMethod } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import { type PoolFigures, type PoolRegistry, PoolStates } from './poolRegistry.ts';
import { WatchedPool } from './watchedPool.ts';

/** What of sequelize-pool's Pool is used (sequelize-pool 2 to 8, that of Sequelize 5 to 7). */
interface SequelizePool {
  readonly size: number;
  readonly available: number;
  readonly using: number;
  readonly waiting: number;
  readonly maxSize: number;
  readonly minSize: number;
  _factory: { max: number; min: number };
  _draining: boolean;
  _availableObjects: { resource: object }[];
  _pendingAcquires: Waiting[];
  _dispense(): unknown;
  destroy(resource: object): unknown;
}

const startedAt = Symbol('benchside.startedAt');
const poolOf = Symbol('benchside.poolOf');
/** A caller that waits, an object that no app gets to see. */
interface Waiting {
  [startedAt]?: number;
  [poolOf]?: SequelizeState;
}

class SequelizeState extends WatchedPool<SequelizePool> {
  readonly lending = this.limitedBy((pool) => this.#serve(pool));

  constructor(id: string, pool: SequelizePool) {
    super(id, 'sequelize', pool);
  }

  /** Whether a connection that is given back is one too many. */
  isSurplus(pool: SequelizePool): boolean {
    return this.resized && !pool._draining && pool.size > pool.maxSize;
  }

  protected isOver(pool: SequelizePool): boolean {
    return pool._draining;
  }

  protected figures(pool: SequelizePool): PoolFigures {
    return {
      name: 'sequelize',
      max: limit(pool.maxSize),
      min: limit(pool.minSize),
      total: amount(pool.size),
      idle: amount(pool.available),
      pending: amount(pool.waiting),
    };
  }

  protected setMax(pool: SequelizePool, max: number): void {
    this.setLimits(pool._factory, max);
  }

  /** Whether it may not lend one more now. */
  lendsNoMore(pool: SequelizePool): boolean {
    return this.lending.room(pool.size - pool.available) === 0;
  }

  #serve(pool: SequelizePool): void {
    // Each call serves one caller; those that are being opened have one already.
    const opening = pool.size - pool.available - pool.using;
    const count = Math.min(pool.waiting - opening, this.lending.room(pool.size - pool.available));
    for (let left = count; left > 0; left -= 1) pool._dispense();
  }

  protected step(pool: SequelizePool): void {
    while (pool.size > pool.maxSize && lengthOf(pool._availableObjects) > 0) {
      const before = pool.size;
      const [idlest] = pool._availableObjects;
      if (idlest !== undefined) close(pool, idlest.resource);
      if (pool.size === before) break;
    }
    // Each call opens one; those that are being opened have a caller already.
    const opening = pool.size - pool.available - pool.using;
    for (let more = Math.min(pool.maxSize - pool.size, pool.waiting - opening); more > 0 && pool.available === 0; more -= 1)
      pool._dispense();
  }
}

/** As the pool itself closes a connection that was used often enough. A server that does not like it is no affair of the app. */
function close(pool: SequelizePool, resource: object): void {
  void Promise.resolve(pool.destroy(resource)).catch(() => undefined);
}

/** Pools of Sequelize, which are no event emitters: they show themselves with the first call after their class was found. */
export class SequelizePools {
  readonly #states: PoolStates<SequelizePool, SequelizeState>;
  readonly #followed = new WeakSet<object>();
  /** The `acquire` that is going on in this very moment. */
  #acquiring: { state: SequelizeState; startUs: number } | null = null;

  constructor(registry: PoolRegistry) {
    this.#states = new PoolStates(registry, 'sequelize', (id, pool: SequelizePool) => new SequelizeState(id, pool));
  }

  /** Whether a class's prototype is of a pool that is understood here. */
  static isPool(prototype: object): boolean {
    return (
      hasMethods(prototype, 'acquire', 'release', 'destroy', '_dispense') &&
      hasGetters(prototype, 'size', 'available', 'using', 'waiting', 'maxSize', 'minSize')
    );
  }

  /** Follows a caller: `acquire` makes a deferred, which is settled when its turn comes; `release` takes the connection back. */
  followPool(prototype: object): void {
    const owner = ownerOnce(this.#followed, prototype, 'acquire');
    if (owner === null) return;
    const begin = quietly((pool: SequelizePool) => this.#begin(pool), undefined);
    const end = quietly((pool: SequelizePool) => this.#end(pool), undefined);
    const released = quietly((pool: SequelizePool, resource: unknown) => this.#released(pool, resource), false);
    const lendsNoMore = quietly((pool: SequelizePool) => this.#states.find(pool)?.lendsNoMore(pool) === true, false);
    replaceMethod<SequelizePool>(owner, '_dispense', (original) => {
      return function (...given) {
        return lendsNoMore(this) ? undefined : original.apply(this, given);
      };
    });
    replaceMethod<SequelizePool>(owner, 'acquire', (original) => {
      return function (...given) {
        begin(this);
        try {
          return original.apply(this, given);
        } finally {
          end(this);
        }
      };
    });
    replaceMethod<SequelizePool>(owner, 'release', (original) => {
      return function (...given) {
        if (!released(this, given[0])) return original.apply(this, given);
        close(this, given[0] as object);
        return undefined;
      };
    });
  }

  /** Follows the callers that wait. */
  followWaiting(prototype: object): void {
    const owner = hasMethods(prototype, 'resolve', 'reject', 'registerTimeout') ? ownerOnce(this.#followed, prototype, 'resolve') : null;
    if (owner === null) return;
    watchMethod(owner, 'resolve', (waiting: Waiting, resource: unknown) => this.#served(waiting, resource));
    watchMethod(owner, 'reject', (waiting: Waiting, error: unknown) => this.#failed(waiting, error));
  }

  #begin(pool: SequelizePool): void {
    this.#acquiring = { state: this.#states.of(pool), startUs: askedNowUs() };
  }

  #end(pool: SequelizePool): void {
    const acquiring = this.#acquiring;
    this.#acquiring = null;
    const waiting = pool._pendingAcquires[pool._pendingAcquires.length - 1];
    if (acquiring === null || waiting === undefined || waiting[startedAt] !== undefined) return;
    waiting[startedAt] = acquiring.startUs;
    waiting[poolOf] = acquiring.state;
  }

  #served(waiting: Waiting, resource: unknown): void {
    const state = waiting[poolOf] ?? this.#acquiring?.state;
    const startUs = waiting[startedAt] ?? this.#acquiring?.startUs;
    if (state === undefined || startUs === undefined) return;
    const time = nowUs();
    state.acquire.record(time - startUs);
    if (typeof resource === 'object' && resource !== null) state.loans.lend(resource, startUs, time);
  }

  #failed(waiting: Waiting, error: unknown): void {
    const state = waiting[poolOf];
    if (state !== undefined && error instanceof Error && error.name === 'TimeoutError') state.timeouts += 1;
  }

  /** Gives whether the connection is surplus. One that is not lent is left to the pool, which says so. */
  #released(pool: SequelizePool, resource: unknown): boolean {
    if (typeof resource !== 'object' || resource === null) return false;
    const state = this.#states.of(pool);
    if (!state.loans.giveBack(resource)) return false;
    return state.isSurplus(pool);
  }
}
