import { nowUs } from '../clock.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { hasMethods, lengthOf, limit, ownerOnce, quietly, replaceMethod, watchMethod } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import type { LendingLimit } from './lendingLimit.ts';
import { type PoolFigures, type PoolRegistry, PoolStates } from './poolRegistry.ts';
import { WatchedPool } from './watchedPool.ts';

/** What of tarn's Pool is used (tarn 2 and 3). */
interface TarnPool {
  min: number;
  max: number;
  used: { resource: unknown }[];
  free: { resource: unknown }[];
  pendingCreates: unknown[];
  pendingAcquires: unknown[];
  destroyed: boolean;
  validate: (this: unknown, resource: unknown) => unknown;
  _destroy(resource: unknown): unknown;
  _tryAcquireOrCreate(): void;
}

/** By what a pool of tarn finds out if it can lend one that is free, and if it may open one more. */
const asksItself = ['_hasFreeResources', '_canAcquire', '_shouldCreateMoreResources'] as const;

class TarnState extends WatchedPool<TarnPool> {
  readonly askedUs = new Map<unknown, number>();
  readonly lending: LendingLimit | undefined;
  #retires = false;

  constructor(id: string, pool: TarnPool) {
    super(id, 'tarn', pool);
    this.lending = hasMethods(pool, ...asksItself) ? this.limitedBy((live) => this.#serve(live)) : undefined;
  }

  protected isOver(pool: TarnPool): boolean {
    return pool.destroyed;
  }

  protected figures(pool: TarnPool): PoolFigures {
    return {
      name: 'knex',
      max: limit(pool.max),
      min: limit(pool.min),
      total: openOf(pool),
      idle: lengthOf(pool.free),
      pending: lengthOf(pool.pendingAcquires),
    };
  }

  protected setMax(pool: TarnPool, max: number): void {
    if (!this.#retires) this.#retireSurplus(pool);
    this.setLimits(pool, max);
  }

  /**
   * tarn asks `validate` before it lends a connection again, and closes one that is not valid while the caller keeps its place in the
   * queue: so surplus is said to be invalid.
   */
  #retireSurplus(pool: TarnPool): void {
    const validate = pool.validate;
    pool.validate = function (this: unknown, resource: unknown) {
      return openOf(pool) > pool.max ? false : validate.call(this, resource);
    };
    this.#retires = true;
  }

  #serve(pool: TarnPool): void {
    // One call lends all that may be lent, and opens one.
    const count = Math.min(pool.pendingAcquires.length, this.lending?.room(pool.used.length + pool.pendingCreates.length) ?? 0);
    for (let left = count; left > 0; left -= 1) pool._tryAcquireOrCreate();
  }

  protected step(pool: TarnPool): void {
    while (openOf(pool) > pool.max && pool.free.length > 0 && pool.pendingAcquires.length === 0) {
      const surplus = pool.free.shift();
      if (surplus !== undefined) pool._destroy(surplus.resource);
    }
    for (let room = pool.max - openOf(pool); room > 0 && pool.pendingAcquires.length > 0 && pool.free.length === 0; room -= 1) {
      pool._tryAcquireOrCreate();
    }
  }
}

function openOf(pool: TarnPool): number {
  return lengthOf(pool.used) + lengthOf(pool.free) + lengthOf(pool.pendingCreates);
}

/** Pools of tarn, which knex and mssql use. */
export class TarnPools {
  readonly #states: PoolStates<TarnPool, TarnState>;
  readonly #followed = new WeakSet<object>();

  constructor(registry: PoolRegistry) {
    this.#states = new PoolStates(registry, 'tarn', (id, pool: TarnPool) => new TarnState(id, pool));
  }

  /** Whether an object, or a class's prototype, is of tarn. */
  static isTarn(object: unknown): object is object {
    return (
      typeof object === 'object' &&
      object !== null &&
      hasMethods(object, 'acquire', 'release', '_tryAcquireOrCreate', '_executeEventHandlers', '_destroy')
    );
  }

  /** knex makes its pool in the constructor of its client, an event emitter. */
  knexClients(): KnownClass {
    return {
      recognizes: (prototype) => hasMethods(prototype, 'acquireConnection', 'releaseConnection', 'initializePool'),
      found: (client) => this.add((client as { pool?: unknown }).pool),
    };
  }

  add(pool: unknown): void {
    if (!TarnPools.isTarn(pool)) return;
    this.follow(pool);
    this.#states.of(pool as TarnPool);
  }

  /** Observes every step of the pools of a class, through the method by which tarn calls its listeners, without adding a listener. */
  follow(prototype: object): void {
    const owner = ownerOnce(this.#followed, prototype, '_executeEventHandlers');
    if (owner === null) return;
    watchMethod(owner, '_executeEventHandlers', (pool: TarnPool, event: unknown, first: unknown, second: unknown) =>
      this.#hear(pool, event, first, second),
    );
    const lendsMore = quietly((pool: TarnPool, alsoOpening: number): boolean => {
      return this.#states.find(pool)?.lending?.room(pool.used.length + alsoOpening) !== 0;
    }, true);
    for (const name of asksItself) {
      const opens = name === '_shouldCreateMoreResources';
      replaceMethod<TarnPool>(owner, name, (original) => {
        return function (...given) {
          return lendsMore(this, opens ? lengthOf(this.pendingCreates) : 0) && original.apply(this, given);
        };
      });
    }
  }

  #hear(pool: TarnPool, event: unknown, first: unknown, second: unknown): void {
    const state = this.#states.of(pool);
    if (event === 'acquireRequest') state.askedUs.set(first, askedNowUs());
    else if (event === 'acquireSuccess') {
      const [askedUs, time] = [state.askedUs.get(first), nowUs()];
      state.askedUs.delete(first);
      if (askedUs !== undefined) state.acquire.record(time - askedUs);
      if (typeof second === 'object' && second !== null) state.loans.lend(second, askedUs ?? time, time);
    } else if (event === 'acquireFail') {
      state.askedUs.delete(first);
      state.timeouts += 1;
    } else if (event === 'release' && typeof first === 'object' && first !== null) {
      state.loans.giveBack(first);
    }
  }
}
