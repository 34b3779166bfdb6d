import { nowUs } from '../clock.ts';
import { hasMethods, ownerOnce, quietly, replaceMethod, watchMethod } from '../objects.ts';
import type { Durations } from '../durations.ts';
import { askedNowUs } from './asks.ts';
import type { LendingLimit } from './lendingLimit.ts';
import type { Loans } from './loans.ts';

/** What of pg-pool's Pool is used; all of it since pg-pool 2.0.4. */
export interface PgPool {
  options: { max: number; min?: number; host?: unknown; port?: unknown; database?: unknown; connectionString?: unknown };
  ending?: boolean;
  ended?: boolean;
  _clients: object[];
  _idle: { client: object }[];
  _pendingQueue: PendingItem[];
  _expired?: WeakSet<object>;
  _remove(client: object): void;
  _isFull?(): boolean;
  _pulseQueue(): void;
}

const startedAt = Symbol('benchside.startedAt');
const opening = Symbol('benchside.opening');
/** A caller that waits, an object of pg-pool that no app gets to see. */
interface PendingItem {
  timedOut?: boolean;
  [startedAt]?: number;
  /** It was handed to a client that is being opened. */
  [opening]?: boolean;
}

/** What is counted of one pool. */
export interface PgPoolCounts {
  readonly acquire: Durations;
  readonly loans: Loans;
  queued: number;
  served: number;
  gaveUpLate: number;
  resized: boolean;
  readonly lending?: LendingLimit | undefined;
}

type Released = [client: object, idleListener: unknown, error: unknown, ...unknown[]];

/** Whether the pool's own class shows the steps that are followed here. */
export function canFollow(prototype: object): boolean {
  return hasMethods(prototype, 'connect', 'newClient', '_acquireClient', '_release', '_remove');
}

/** Whether it also asks itself, by a method of its own, if it may open one more. */
export function canLend(prototype: object): boolean {
  return canFollow(prototype) && hasMethods(prototype, '_isFull');
}

/** How many clients are lent, or are being opened for a caller. */
export function lentOf({ _clients, _idle }: PgPool): number {
  return _clients.length - _idle.length;
}

const followed = new WeakSet<object>();
/** Start of the `connect` that is going on in this very moment, in µs; 0: none. */
let connectingUs = 0;

/**
 * Follows a caller through a pool's own steps: `connect` makes an item, which waits in `_pendingQueue` or goes to `newClient`; `_acquireClient`
 * serves it, `_release` takes the client back. Callbacks, promises and events stay the app's: none is wrapped or added, so that an app
 * sees no difference in what it is called with, in who listens, and in which promise fails.
 */
export function followPool(prototype: object, stateOf: (pool: PgPool) => PgPoolCounts): void {
  const owner = ownerOnce(followed, prototype, '_pulseQueue');
  if (owner === null) return;
  const lendsNoMore = quietly((pool: PgPool) => stateOf(pool).lending?.room(lentOf(pool)) === 0, false);
  const enqueued = quietly((pool: PgPool, startUs: number) => {
    const queue = pool._pendingQueue;
    const item = queue[queue.length - 1];
    if (item === undefined || item[startedAt] !== undefined) return;
    item[startedAt] = startUs;
    stateOf(pool).queued += 1;
  }, undefined);
  /** Gives whether the client is surplus. */
  const released = quietly((pool: PgPool, client: object) => {
    const state = stateOf(pool);
    state.loans.giveBack(client);
    return state.resized && pool._clients.length > pool.options.max;
  }, false);

  replaceMethod<PgPool>(owner, 'connect', (original) => {
    return function (...given) {
      const startUs = askedNowUs();
      connectingUs = startUs;
      try {
        return original.apply(this, given);
      } finally {
        connectingUs = 0;
        enqueued(this, startUs);
      }
    };
  });
  watchMethod(owner, 'newClient', opened);
  watchMethod(owner, '_acquireClient', acquired);
  replaceMethod<PgPool, Released>(owner, '_release', (original) => {
    return function (...given) {
      if (released(this, given[0]) && !given[2]) retire(this, given);
      return original.apply(this, given);
    };
  });
  // A caller is queued when the pool is full or has idle clients, and each pulse serves one.
  replaceMethod<PgPool>(owner, '_isFull', (original) => {
    return function (...given) {
      return original.apply(this, given) || lendsNoMore(this);
    };
  });
  replaceMethod<PgPool>(owner, '_pulseQueue', (original) => {
    return function (...given) {
      // One that ends closes its clients by this.
      return this.ending !== true && lendsNoMore(this) ? undefined : original.apply(this, given);
    };
  });

  function opened(pool: PgPool, item: PendingItem): void {
    if (item[startedAt] !== undefined) stateOf(pool).served += 1;
    else if (connectingUs !== 0) item[startedAt] = connectingUs;
    item[opening] = true;
  }

  function acquired(pool: PgPool, client: object, item: PendingItem): void {
    const startUs = item[startedAt];
    // pg-pool itself removes clients that are too old.
    if (startUs === undefined) return;
    const state = stateOf(pool);
    if (item[opening] !== true) state.served += 1;
    if (item.timedOut === true) {
      state.gaveUpLate += 1;
      return;
    }
    const time = nowUs();
    state.acquire.record(time - startUs);
    state.loans.lend(client, startUs, time);
  }

  /** Has pg-pool close the client instead of lending it again: as one that is too old, which a listener cannot distinguish from usual ends. */
  function retire(pool: PgPool, released: Released): void {
    if (pool._expired instanceof WeakSet) pool._expired.add(released[0]);
    else released[2] = true;
  }
}
