import { nowUs } from '../clock.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasGetters, hasMethods, lengthOf, limit, ownerOnce, quietly, replaceMethod, watchMethod } from '../objects.ts';
import { askedNowUs } from './asks.ts';
import type { LendingLimit } from './lendingLimit.ts';
import { type PoolFigures, type PoolRegistry, PoolStates } from './poolRegistry.ts';
import { WatchedPool } from './watchedPool.ts';

/** A caller that waits, an object that no app gets to see. */
interface Waiting {
  promise?: unknown;
}

/** What of generic-pool's Pool is used (generic-pool 3). */
interface GenericPool {
  readonly size: number;
  readonly available: number;
  readonly borrowed: number;
  readonly pending: number;
  readonly max: number;
  readonly min: number;
  _config: { max: number; min: number };
  _draining: boolean;
  _availableObjects: { length: number; shift(): object | undefined };
  _resourceLoans: { has(resource: unknown): boolean };
  _waitingClientsQueue: object;
  _destroy(pooled: object): unknown;
  _dispense(): unknown;
  destroy(resource: unknown): unknown;
}

/** What `_dispense` does for each caller it serves. */
const stepsOfDispensing = ['_createResource', '_dispatchResource', '_testOnBorrow'] as const;

class GenericState extends WatchedPool<GenericPool> {
  readonly lending: LendingLimit | undefined;

  constructor(id: string, pool: GenericPool) {
    super(id, 'generic-pool', pool);
    this.lending = hasMethods(pool, ...stepsOfDispensing) ? this.limitedBy((live) => void live._dispense()) : undefined;
  }

  /** Whether what is given back is one too many. */
  isSurplus(pool: GenericPool): boolean {
    return this.resized && !pool._draining && pool.size > pool.max;
  }

  /** Whether a limit on lending lets `_dispense` take one of its steps. One more is opened only where those that are idle are too few. */
  allows(pool: GenericPool, step: (typeof stepsOfDispensing)[number]): boolean {
    return this.lending?.room(step === '_createResource' ? pool.size : pool.size - pool.available) !== 0;
  }

  protected isOver(pool: GenericPool): boolean {
    return pool._draining;
  }

  protected figures(pool: GenericPool): PoolFigures {
    return {
      name: 'generic-pool',
      max: limit(pool.max),
      min: limit(pool.min),
      total: amount(pool.size),
      idle: amount(pool.available),
      pending: amount(pool.pending),
    };
  }

  protected setMax(pool: GenericPool, max: number): void {
    this.setLimits(pool._config, max);
  }

  protected step(pool: GenericPool): void {
    while (pool.size > pool.max && lengthOf(pool._availableObjects) > 0) {
      const before = pool.size;
      const idle = pool._availableObjects.shift();
      if (idle !== undefined) pool._destroy(idle);
      if (pool.size === before) break;
    }
    if (pool.size < pool.max && pool.pending > 0) pool._dispense();
  }
}

/**
 * Pools of `generic-pool`. A caller is an object in the pool's queue, which is settled when its turn comes or its time is over; promises stay the app's own.
 */
export function genericPools(registry: PoolRegistry): KnownClass {
  const states = new PoolStates(registry, 'generic-pool', (id, pool: GenericPool) => {
    const state = new GenericState(id, pool);
    pools.set(pool._waitingClientsQueue, state);
    followQueue(pool._waitingClientsQueue);
    return state;
  });
  const followed = new WeakSet<object>();
  /** By the queue of a pool, and by a caller in it. */
  const pools = new WeakMap<object, GenericState>();
  const asked = new WeakMap<Waiting, { state: GenericState; startUs: number }>();

  const seen = (pool: GenericPool): void => void states.of(pool);
  const enqueued = (queue: object, waiting: Waiting): void => {
    const state = pools.get(queue);
    if (state === undefined) return;
    asked.set(waiting, { state, startUs: askedNowUs() });
    followWaiting(waiting);
  };
  const served = (waiting: Waiting, resource: unknown): void => {
    const one = asked.get(waiting);
    if (one === undefined) return;
    asked.delete(waiting);
    const time = nowUs();
    one.state.acquire.record(time - one.startUs);
    one.state.loans.lend(resource, one.startUs, time);
  };
  const failed = (waiting: Waiting): void => {
    const one = asked.get(waiting);
    asked.delete(waiting);
    if (one !== undefined) one.state.timeouts += 1;
  };
  /** Gives whether it is surplus. What is not lent is left to the pool, which says so. */
  const givenBack = quietly((pool: GenericPool, resource: unknown): boolean => {
    const state = states.of(pool);
    if (!state.loans.giveBack(resource)) return false;
    return state.isSurplus(pool) && pool._resourceLoans.has(resource);
  }, false);

  /** The one that dispenses in this very moment: it opens connections for other reasons, too. */
  let dispensing: GenericPool | null = null;
  const allows = quietly((pool: GenericPool, step: (typeof stepsOfDispensing)[number]): boolean => {
    return dispensing !== pool || states.find(pool)?.allows(pool, step) !== false;
  }, true);

  const setDispensing = (pool: GenericPool | null): void => void (dispensing = pool);

  function followDispensing(owner: object): void {
    replaceMethod<GenericPool>(owner, '_dispense', (original) => {
      return function (...given) {
        setDispensing(this);
        try {
          return original.apply(this, given);
        } finally {
          setDispensing(null);
        }
      };
    });
    for (const step of stepsOfDispensing) {
      replaceMethod<GenericPool>(owner, step, (original) => {
        return function (...given) {
          return allows(this, step) ? original.apply(this, given) : false;
        };
      });
    }
  }

  function followQueue(queue: object): void {
    const owner = ownerOnce(followed, Object.getPrototypeOf(queue) as object, 'enqueue');
    if (owner === null) return;
    watchMethod(owner, 'enqueue', enqueued);
  }

  function followWaiting(waiting: Waiting): void {
    const owner = ownerOnce(followed, Object.getPrototypeOf(waiting) as object, 'resolve');
    if (owner === null) return;
    watchMethod(owner, 'resolve', served);
    watchMethod(owner, 'reject', failed);
  }

  return {
    recognizes: (prototype) =>
      hasMethods(prototype, 'acquire', 'release', 'destroy', 'drain', '_dispense', '_destroy') &&
      hasGetters(prototype, 'size', 'borrowed', 'available', 'pending', 'max', 'min'),
    firstOf: (prototype) => {
      const owner = ownerOnce(followed, prototype, 'release');
      if (owner === null) return;
      followDispensing(owner);
      // A pool asked on the line after it was made shows itself here.
      watchMethod(owner, 'acquire', seen);
      replaceMethod<GenericPool>(owner, 'release', (original) => {
        return function (...given) {
          return givenBack(this, given[0]) ? this.destroy(given[0]) : original.apply(this, given);
        };
      });
      watchMethod(owner, 'destroy', givenBack);
    },
    found: (emitter) => void states.of(emitter as GenericPool),
  };
}
