import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasMethods, lengthOf, limit, ownerOf, quietly, replaceMethod, watchMethod } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import { LendingLimit } from './lendingLimit.ts';
import { Loans } from './loans.ts';
import type { OwnReport, PoolRegistry, ProbedPool } from './poolRegistry.ts';
import type { Resizable } from './resize.ts';

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

class TarnState implements ProbedPool {
  readonly acquire = new Durations();
  readonly loans = new Loans();
  readonly askedUs = new Map<unknown, number>();
  timeouts = 0;
  readonly lending: LendingLimit | undefined;
  #ownMin: number | null = null;
  #retires = false;
  readonly #pool: WeakRef<TarnPool>;
  readonly #resizable: Resizable = {
    max: () => this.#live()?.max ?? null,
    total: () => openOf(this.#live()),
    setMax: (max) => this.#setMax(max),
    step: () => this.#step(),
  };

  constructor(
    readonly id: string,
    pool: TarnPool,
  ) {
    this.#pool = new WeakRef(pool);
    this.lending = hasMethods(pool, ...asksItself) ? new LendingLimit(() => this.#serve()) : undefined;
  }

  resizable(): Resizable {
    return this.#resizable;
  }

  report(): OwnReport | null {
    const pool = this.#live();
    if (pool === null) return null;
    return {
      id: this.id,
      kind: 'tarn',
      name: 'knex',
      max: limit(pool.max),
      min: limit(pool.min),
      total: openOf(pool),
      idle: lengthOf(pool.free),
      busy: amount(openOf(pool) - lengthOf(pool.free)),
      pending: lengthOf(pool.pendingAcquires),
      acquire: this.acquire.report(),
      hold: this.loans.hold.report(),
      timeouts: this.timeouts,
      resizable: true,
      note: null,
    };
  }

  #live(): TarnPool | null {
    const pool = this.#pool.deref();
    return pool === undefined || pool.destroyed ? null : pool;
  }

  #setMax(max: number): void {
    const pool = this.#live();
    if (pool === null) return;
    if (!this.#retires) this.#retireSurplus(pool);
    this.#ownMin ??= pool.min;
    pool.min = Math.min(this.#ownMin, max);
    pool.max = max;
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

  #serve(): void {
    const pool = this.#live();
    if (pool === null) return;
    // One call lends all that may be lent, and opens one.
    const count = Math.min(pool.pendingAcquires.length, this.lending?.room(pool.used.length + pool.pendingCreates.length) ?? 0);
    for (let left = count; left > 0; left -= 1) pool._tryAcquireOrCreate();
  }

  #step(): void {
    const pool = this.#live();
    if (pool === null) return;
    while (openOf(pool) > pool.max && pool.free.length > 0 && pool.pendingAcquires.length === 0) {
      const surplus = pool.free.shift();
      if (surplus !== undefined) pool._destroy(surplus.resource);
    }
    for (let room = pool.max - openOf(pool); room > 0 && pool.pendingAcquires.length > 0 && pool.free.length === 0; room -= 1) {
      pool._tryAcquireOrCreate();
    }
  }
}

function openOf(pool: TarnPool | null): number {
  return pool === null ? 0 : lengthOf(pool.used) + lengthOf(pool.free) + lengthOf(pool.pendingCreates);
}

type Asks = (this: TarnPool, ...parameters: unknown[]) => boolean;

/** Pools of tarn, which knex and mssql use. */
export class TarnPools {
  readonly #states = new WeakMap<object, TarnState>();
  readonly #followed = new WeakSet<object>();

  constructor(private readonly registry: PoolRegistry) {}

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
    this.#stateOf(pool as TarnPool);
  }

  /** Observes every step of the pools of a class, through the method by which tarn calls its listeners, without adding a listener. */
  follow(prototype: object): void {
    const owner = ownerOf(prototype, '_executeEventHandlers');
    if (owner === null || this.#followed.has(owner)) return;
    this.#followed.add(owner);
    watchMethod(owner, '_executeEventHandlers', (pool: TarnPool, event: unknown, first: unknown, second: unknown) =>
      this.#hear(pool, event, first, second),
    );
    const lendsMore = quietly((pool: TarnPool, alsoOpening: number): boolean => {
      return this.#states.get(pool)?.lending?.room(pool.used.length + alsoOpening) !== 0;
    }, true);
    for (const name of asksItself) {
      const opens = name === '_shouldCreateMoreResources';
      replaceMethod<Asks>(
        owner,
        name,
        (original) =>
          function (this: TarnPool, ...parameters) {
            return lendsMore(this, opens ? lengthOf(this.pendingCreates) : 0) && original.apply(this, parameters);
          },
      );
    }
  }

  #stateOf(pool: TarnPool): TarnState {
    let state = this.#states.get(pool);
    if (state === undefined) {
      state = new TarnState(this.registry.newId('tarn'), pool);
      this.#states.set(pool, state);
      this.registry.add(state);
    }
    return state;
  }

  #hear(pool: TarnPool, event: unknown, first: unknown, second: unknown): void {
    const state = this.#stateOf(pool);
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
