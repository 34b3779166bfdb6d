import type { PoolReport } from '../../../model/probe.ts';
import { Durations } from '../durations.ts';
import type { KnownClass } from '../emitterWatch.ts';
import { amount, hasGetters, hasMethods, lengthOf, limit, shortText } from '../objects.ts';
import type { Unknowns } from '../objects.ts';
import type { PoolRegistry } from './poolRegistry.ts';

type Figures = Pick<PoolReport, 'name' | 'max' | 'min' | 'total' | 'idle' | 'busy' | 'pending'>;

/** Has a pool reported as far as it shows itself, with a sentence on why no more. */
export function addReadOnly(
  registry: PoolRegistry,
  kind: PoolReport['kind'],
  pool: object,
  note: string,
  read: (pool: Unknowns) => Figures | null,
): void {
  const [id, reference, none] = [registry.newId(kind), new WeakRef(pool as Unknowns), new Durations().report()];
  const report = (): PoolReport | null => {
    const live = reference.deref();
    const figures = live === undefined ? null : read(live);
    return figures === null ? null : { id, kind, ...figures, acquire: none, hold: none, timeouts: 0, resizable: false, note };
  };
  registry.add({ id, report, resizable: () => null });
}

/** Pools of `mysql2` and `mysql`. */
export function mysqlPools(registry: PoolRegistry): KnownClass {
  return {
    recognizes: (prototype) => hasMethods(prototype, 'getConnection', 'releaseConnection', 'query', 'end'),
    found: (emitter) => {
      // The promise form of a pool is an emitter too; it has none of these lists.
      if (!('_allConnections' in emitter && '_freeConnections' in emitter)) return;
      addReadOnly(
        registry,
        'mysql2',
        emitter,
        'The pool of mysql2 is only looked at: it cannot be resized while the app runs, and its waits are unknown.',
        (pool) => {
          if (pool['_closed'] === true) return null;
          const config = (pool['config'] ?? {}) as Unknowns;
          const connection = (config['connectionConfig'] ?? {}) as Unknowns;
          const [total, idle] = [lengthOf(pool['_allConnections']), lengthOf(pool['_freeConnections'])];
          const name = `${String(connection['database'] ?? 'mysql')} at ${String(connection['host'] ?? '')}:${String(connection['port'] ?? '')}`;
          // A limit of 0 is none.
          const max = limit(config['connectionLimit']) || null;
          return {
            name: shortText(name),
            max,
            min: null,
            total,
            idle,
            busy: amount(total - idle),
            pending: lengthOf(pool['_connectionQueue']),
          };
        },
      );
    },
  };
}

/** Pools of `generic-pool`. */
export function genericPools(registry: PoolRegistry): KnownClass {
  return {
    recognizes: (prototype) =>
      hasMethods(prototype, 'acquire', 'release', 'drain') &&
      hasGetters(prototype, 'spareResourceCapacity', 'borrowed', 'available', 'pending'),
    found: (emitter) =>
      addReadOnly(
        registry,
        'generic-pool',
        emitter,
        'The pool of generic-pool is only looked at: it cannot be resized while the app runs, and its waits are unknown.',
        (pool) => {
          const figures = {
            total: amount(pool['size']),
            idle: amount(pool['available']),
            busy: amount(pool['borrowed']),
            pending: amount(pool['pending']),
          };
          return { name: 'generic-pool', max: limit(pool['max']), min: limit(pool['min']), ...figures };
        },
      ),
  };
}
