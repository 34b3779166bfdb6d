import type { Bouncer } from '../../../model/domain/bouncer.ts';
import type { BouncerUse } from '../../../model/domain/topologyUse.ts';
import type { BouncerPoolNow, BouncerTotals } from './bouncerConsole.ts';
import type { PgBouncer } from './pgBouncer.ts';

/** What was seen of a PgBouncer in a window. Counts are means over it. */
export interface BouncerWindow extends Pick<BouncerUse, 'version' | 'mode' | 'poolSize' | 'busy' | 'waiting' | 'clients'> {
  transactions: number | null;
  /** CPU of its one thread, in µs; null where the platform does not report it. */
  cpuUs: number | null;
}

const everyMs = 100;

/** Asks the console of a PgBouncer while a window is open. */
export class BouncerMeter {
  readonly #samples: BouncerPoolNow[] = [];
  #timer: NodeJS.Timeout | null = null;
  #before: Promise<BouncerTotals | null> | null = null;
  #after: Promise<BouncerTotals | null> | null = null;
  #openedMs = 0;
  #closedMs = 0;

  constructor(private readonly bouncer: PgBouncer) {}

  open(): void {
    const { console } = this.bouncer;
    this.#openedMs = performance.now();
    this.#before = console.totals();
    this.#timer = setInterval(() => {
      const sample = console.pool();
      void sample.then((pool) => (pool === null || this.#after !== null ? undefined : this.#samples.push(pool)));
    }, everyMs);
    this.#timer.unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#closedMs = performance.now();
    this.#after = this.bouncer.console.totals();
  }

  /** When the window has closed. */
  async window(cpuUs: number | null): Promise<BouncerWindow> {
    const [before, after] = await Promise.all([this.#before, this.#after]);
    const { version, mode, poolSize } = this.bouncer;
    return {
      version,
      mode,
      poolSize,
      cpuUs,
      ...figuresOf(this.#samples, mode, { before: before ?? null, after: after ?? null, windowMs: this.#closedMs - this.#openedMs }),
    };
  }
}

/**
 * The means of a window. In transaction mode PgBouncer adds up what statements waited, which is exact; but it counts a wait when it has ended, so that one
 * which spans the window shows in the samples alone. In session mode a client waits once, and for as long as another one stays.
 */
export function figuresOf(
  samples: readonly BouncerPoolNow[],
  mode: Bouncer['mode'],
  { before, after, windowMs }: { before: BouncerTotals | null; after: BouncerTotals | null; windowMs: number },
): Pick<BouncerWindow, 'busy' | 'waiting' | 'transactions' | 'clients'> {
  const mean = (of: (pool: BouncerPoolNow) => number): number | null =>
    samples.length === 0 ? null : samples.reduce((sum, pool) => sum + of(pool), 0) / samples.length;
  const sampled = mean((pool) => pool.clientsWaiting);
  const summed = before === null || after === null || windowMs <= 0 ? null : (after.waitUs - before.waitUs) / 1000 / windowMs;
  const always = samples.length === 0 ? 0 : Math.min(...samples.map(({ clientsWaiting }) => clientsWaiting));
  return {
    busy: mean((pool) => pool.serversActive),
    waiting: mode === 'session' || summed === null ? sampled : Math.max(summed, always),
    transactions: before === null || after === null ? null : after.transactions - before.transactions,
    clients: mean((pool) => pool.clientsActive + pool.clientsWaiting),
  };
}
