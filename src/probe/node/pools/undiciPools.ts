import type { KnownClass } from '../emitterWatch.ts';
import { type Unknowns, amount, hasGetters, hasMethods, limit, shortText } from '../objects.ts';
import { type OwnReport, type PoolRegistry, type ProbedPool, PoolStates, ownReport } from './poolRegistry.ts';
import type { Resizable } from './resize.ts';
import { type UndiciCounts, newCounts, UndiciRequests } from './undiciRequests.ts';

/** What of a Pool is under symbols of undici's own. */
type Inner = 'connections' | 'url' | 'clients' | 'queued' | 'onDrain';
const cannotResize = 'This version of undici does not show how its pool could be resized.';
type Closable = object & {
  close?: () => Promise<unknown>;
  off?: (event: string, listener: unknown) => unknown;
  listeners?: (event: string) => readonly { name: string }[];
};

/** Connections of undici to one HTTP service: a Pool, also one of an Agent or of Node's own `fetch`. */
class UndiciPool implements ProbedPool {
  readonly kind = 'undici';
  readonly counts = newCounts();
  readonly #pool: WeakRef<Unknowns>;
  readonly #symbols: Record<Inner, symbol | undefined>;
  /** Connections that are removed from the pool, with a last answer still to come. */
  #closing = 0;
  readonly #resizable: Resizable | null;

  constructor(
    readonly id: string,
    pool: object,
  ) {
    this.#pool = new WeakRef(pool as Unknowns);
    const symbol = (name: string): symbol | undefined => symbolOf(pool, name);
    this.#symbols = {
      connections: symbol('connections'),
      url: symbol('url'),
      clients: symbol('clients'),
      queued: symbol('queued'),
      onDrain: symbol('onDrain'),
    };
    this.#resizable = Object.values(this.#symbols).includes(undefined)
      ? null
      : {
          max: () => this.#max(),
          total: () => this.#clients().length + this.#closing,
          setMax: (max) => this.#setMax(max),
          step: () => this.#step(),
        };
  }

  resizable(): Resizable | null {
    return this.#resizable;
  }

  report(): OwnReport | null {
    const pool = this.#live();
    if (pool === null) return null;
    const stats = (pool['stats'] ?? {}) as Unknowns;
    const [total, idle] = [amount(stats['connected']), amount(stats['free'])];
    const origin = (this.#get('url') as { origin?: unknown } | undefined)?.origin;
    const figures = { name: shortText(origin ?? 'undici'), max: this.#max(), min: null, total, idle, pending: amount(stats['pending']) };
    return ownReport(this, figures, this.counts, this.#resizable === null ? cannotResize : null);
  }

  #live(): Unknowns | null {
    const pool = this.#pool.deref();
    return pool === undefined || pool['closed'] === true || pool['destroyed'] === true ? null : pool;
  }

  #get(name: Inner): unknown {
    const symbol = this.#symbols[name];
    return symbol === undefined ? undefined : this.#live()?.[symbol];
  }

  #max(): number | null {
    // 0 and null are no limit.
    return limit(this.#get('connections')) || null;
  }

  #clients(): Closable[] {
    const clients = this.#get('clients');
    return Array.isArray(clients) ? (clients as Closable[]) : [];
  }

  #setMax(max: number): void {
    const [pool, symbol] = [this.#live(), this.#symbols.connections];
    if (pool !== null && symbol !== undefined) pool[symbol] = max;
  }

  #step(): void {
    const [pool, max] = [this.#live(), this.#max()];
    if (pool === null || max === null) return;
    const clients = this.#clients();
    while (clients.length > max) this.#retire(clients.pop());
    // The pool checks its queue only when a connection becomes free, unless it is notified.
    const drain = this.#get('onDrain');
    if (clients.length >= max || amount(this.#get('queued')) === 0 || typeof drain !== 'function') return;
    const [url, targets] = [this.#get('url'), [pool]];
    // As if the pool were one of its own clients, which opens what there is room for. The drained client was “this”, and is a parameter later in version 7.
    if (drain.length >= 3) drain.call(pool, pool, url, targets);
    else drain.call(pool, url, targets);
  }

  /** Out of the pool first, so that nothing is given to it any more: then it answers what it has, and goes. */
  #retire(client: Closable | undefined): void {
    if (typeof client?.close !== 'function') return;
    // Or it takes what waits in the pool's queue, which a client that is being closed refuses.
    const drain = this.#get('onDrain') as { name: string } | undefined;
    for (const listener of client.listeners?.('drain') ?? []) {
      if (listener === drain || listener.name === `bound ${drain?.name}`) client.off?.('drain', listener);
    }
    this.#closing += 1;
    const gone = (): void => {
      this.#closing -= 1;
    };
    client.close().then(gone, gone);
  }
}

/** A Client of undici that belongs to no pool: one connection. */
class UndiciClient implements ProbedPool {
  readonly kind = 'undici';
  readonly counts = newCounts();
  readonly #client: WeakRef<Unknowns>;
  readonly #url: symbol | undefined;

  constructor(
    readonly id: string,
    client: object,
  ) {
    this.#client = new WeakRef(client as Unknowns);
    this.#url = symbolOf(client, 'url');
  }

  resizable(): null {
    return null;
  }

  report(): OwnReport | null {
    const client = this.#client.deref();
    if (client === undefined || client['closed'] === true || client['destroyed'] === true) return null;
    const origin = this.#url === undefined ? undefined : (client[this.#url] as { origin?: unknown } | undefined)?.origin;
    const busy = Math.min(1, amount(this.counts.sent));
    const figures = {
      name: shortText(origin ?? 'undici'),
      max: 1,
      min: null,
      total: 1,
      idle: 1 - busy,
      pending: amount(this.counts.waiting),
    };
    return ownReport(this, figures, this.counts, 'A Client of undici is one connection.');
  }
}

/** Finds the pools and clients of every copy of undici in the process, Node's own among them. */
export class UndiciPools {
  readonly #requests = new UndiciRequests((dispatcher) => this.#countsOf(dispatcher));
  readonly #pools: PoolStates<object, UndiciPool>;
  readonly #clients: PoolStates<object, UndiciClient>;
  readonly #kinds = new WeakMap<object, 'pool' | 'client'>();

  constructor(registry: PoolRegistry) {
    this.#pools = new PoolStates(registry, 'undici', (id, pool: object) => new UndiciPool(id, pool));
    this.#clients = new PoolStates(registry, 'undici', (id, client: object) => new UndiciClient(id, client));
  }

  stop(): void {
    this.#requests.stop();
  }

  classes(): KnownClass {
    return {
      recognizes: (prototype) =>
        hasMethods(prototype, 'dispatch', 'close', 'destroy') && (hasGetters(prototype, 'stats') || hasGetters(prototype, 'pipelining')),
      firstOf: (prototype) => {
        this.#kinds.set(prototype, hasGetters(prototype, 'pipelining') ? 'client' : 'pool');
        this.#requests.follow(prototype);
      },
      found: (emitter) => {
        if (this.#kindOf(emitter) === 'pool') this.#pool(emitter);
      },
    };
  }

  #kindOf(dispatcher: object): 'pool' | 'client' | undefined {
    return this.#kinds.get(Object.getPrototypeOf(dispatcher) as object);
  }

  #countsOf(dispatcher: object): UndiciCounts | null {
    const kind = this.#kindOf(dispatcher);
    if (kind === 'pool') return this.#pool(dispatcher);
    return kind === 'client' ? this.#clients.of(dispatcher).counts : null;
  }

  #pool(pool: object): UndiciCounts | null {
    const known = this.#pools.find(pool);
    if (known !== undefined) return known.counts;
    return typeof (pool as { stats?: { free?: unknown } }).stats?.free === 'number' ? this.#pools.of(pool).counts : null;
  }
}

function symbolOf(object: object, description: string): symbol | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertySymbols(at).find((symbol) => symbol.description === description);
    if (found !== undefined) return found;
  }
  return undefined;
}
