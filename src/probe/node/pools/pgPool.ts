import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasGetters, hasMethods, lengthOf, limit, shortText } from '../objects.ts';
import { type PgPool, type PgPoolCounts, canFollow, canLend, followPool, lentOf } from './pgHooks.ts';
import type { LendingLimit } from './lendingLimit.ts';
import { type OwnReport, type PoolFigures, type PoolRegistry, PoolStates, ownReport } from './poolRegistry.ts';
import { ledTo } from '../namedDatabases.ts';
import { WatchedPool } from './watchedPool.ts';

const tooOld = 'This version of pg-pool shows no waits and cannot be resized; pg 7.5 or later can.';
const mangled =
  'The pool is not visible: the bundle of the app has renamed its inner names (an option such as mangle-props). Its waits are unknown, and it cannot be resized.';

/** What the probe knows of one pool of `pg`. */
class PgPoolState extends WatchedPool<PgPool> implements PgPoolCounts {
  /** Callers that had to queue, and those of them that left the queue because it was their turn. */
  queued = 0;
  served = 0;
  /** Callers that had given up when the client that was opened for them came. */
  gaveUpLate = 0;
  readonly lending: LendingLimit | undefined;

  constructor(id: string, pool: PgPool) {
    super(id, 'pg', pool, canFollow(pool) ? null : tooOld);
    this.lending = canLend(pool) ? this.limitedBy((live) => this.#serve(live)) : undefined;
  }

  protected isOver(pool: PgPool): boolean {
    return pool.ending === true || pool.ended === true;
  }

  protected figures(pool: PgPool): PoolFigures {
    const [total, idle, pending] = [lengthOf(pool._clients), lengthOf(pool._idle), lengthOf(pool._pendingQueue)];
    // A caller that left the queue without having been served gave up.
    this.timeouts = Math.max(this.timeouts, this.queued - this.served - pending + this.gaveUpLate);
    return { name: nameOf(pool), max: limit(pool.options.max), min: limit(pool.options.min), total, idle, pending };
  }

  protected setMax(pool: PgPool, max: number): void {
    this.setLimits(pool.options, max);
  }

  #serve(pool: PgPool): void {
    const count = Math.min(pool._pendingQueue.length, this.lending?.room(lentOf(pool)) ?? 0);
    // As pg-pool itself does, and not here, where the app’s callbacks would run on our stack.
    for (let left = count; left > 0; left -= 1) process.nextTick(() => pool._pulseQueue());
  }

  protected step(pool: PgPool): void {
    const { max } = pool.options;
    // Those that were idle longest are in front.
    while (pool._clients.length > max) {
      const [idlest] = pool._idle;
      if (idlest === undefined) break;
      const before = pool._clients.length;
      pool._remove(idlest.client);
      if (pool._clients.length === before) break;
    }
    // Each call opens one. With idle clients pg-pool has scheduled its own call; here it would run the app's callbacks on our stack.
    for (let room = max - pool._clients.length; room > 0 && pool._pendingQueue.length > 0 && pool._idle.length === 0; room -= 1) {
      pool._pulseQueue();
    }
  }
}

/** Finds the pools of any copy of `pg`: they are event emitters with a `_pulseQueue`. */
export function pgPools(registry: PoolRegistry): KnownClass {
  const states = new PoolStates(registry, 'pg', (id, pool: PgPool) => new PgPoolState(id, pool));
  return {
    recognizes: (prototype) => hasMethods(prototype, '_pulseQueue', 'connect', '_remove'),
    // Here and not later: an app may ask its pool for a client on the line after `new Pool()`.
    firstOf: (prototype) => {
      if (canFollow(prototype)) followPool(prototype, (pool) => states.of(pool));
    },
    found: (pool) => void states.of(pool as PgPool),
  };
}

interface MangledPool {
  options?: { max?: unknown; min?: unknown };
  totalCount: unknown;
  idleCount: unknown;
  waitingCount: unknown;
}

/** Finds pools of `pg` whose inner names a bundler has changed: only their public figures can be reported. */
export function mangledPgPools(registry: PoolRegistry): KnownClass {
  return {
    recognizes: (prototype) =>
      hasMethods(prototype, 'connect', 'query', 'end') && hasGetters(prototype, 'totalCount', 'idleCount', 'waitingCount'),
    found: (emitter) => {
      const [id, reference, none] = [registry.newId('pg'), new WeakRef(emitter as MangledPool), new Durations()];
      const report = (): OwnReport | null => {
        const pool = reference.deref();
        if (pool === undefined) return null;
        const [total, idle, pending] = [amount(pool.totalCount), amount(pool.idleCount), amount(pool.waitingCount)];
        const figures = { name: 'pg', max: limit(pool.options?.max), min: limit(pool.options?.min), total, idle, pending };
        return ownReport({ id, kind: 'pg' }, figures, { acquire: none, hold: none }, mangled);
      };
      registry.add({ id, report, resizable: () => null });
    },
  };
}

/** Which database a pool is of, such as `shop at db.example:5432`; never user or password. */
function nameOf(pool: PgPool): string {
  const options: Partial<PgPool['options']> = ledTo() ?? pool.options;
  let { host, port, database } = options;
  if (typeof options.connectionString === 'string') {
    try {
      const url = new URL(options.connectionString);
      host = url.hostname === '' ? (url.searchParams.get('host') ?? host) : url.hostname;
      port = url.port === '' ? port : url.port;
      database = decodeURIComponent(url.pathname.slice(1)) || database;
    } catch {
      return 'pg';
    }
  }
  const place = typeof host === 'string' && host !== '' ? `${host}${port === undefined ? '' : `:${String(port)}`}` : '';
  return shortText([typeof database === 'string' ? database : '', place].filter((part) => part !== '').join(' at ') || 'pg');
}
