import { Durations } from '../durations.ts';
import { LendingLimit } from './lendingLimit.ts';
import { Loans } from './loans.ts';
import { type OwnReport, type PoolFigures, type ProbedPool, ownReport } from './poolRegistry.ts';
import type { Resizable } from './resize.ts';

/** A pool whose loans are seen, of whichever package: what the probe has of all of them. */
export abstract class WatchedPool<Pool extends object> implements ProbedPool {
  readonly acquire = new Durations();
  readonly loans = new Loans();
  timeouts = 0;
  /** Its size was changed, so that it may have surplus connections. */
  resized = false;
  /** The app's own, which must not be above the size. */
  #ownMin: number | null = null;
  readonly #pool: WeakRef<Pool>;
  readonly #resizable: Resizable = {
    max: () => this.#use((pool) => this.maxOf(pool), null),
    total: () => this.#use((pool) => this.figures(pool).total, 0),
    setMax: (max) =>
      this.#use((pool) => {
        this.resized = true;
        this.setMax(pool, max);
      }, undefined),
    step: () => this.#use((pool) => this.step(pool), undefined),
  };

  /** `fixedBecause`: why its size cannot be changed; null when it can. */
  constructor(
    readonly id: string,
    readonly kind: string,
    pool: Pool,
    private readonly fixedBecause: string | null = null,
  ) {
    this.#pool = new WeakRef(pool);
  }

  protected abstract isOver(pool: Pool): boolean;
  protected abstract figures(pool: Pool): PoolFigures;
  protected abstract setMax(pool: Pool, max: number): void;
  /** As {@link Resizable.step}. */
  protected abstract step(pool: Pool): void;

  protected maxOf(pool: Pool): number | null {
    return this.figures(pool).max;
  }

  /** Sets the size where the pool keeps it. The minimum first: below it a pool keeps every connection, or opens those that are missing. */
  protected setLimits(options: { max: number; min?: number }, max: number): void {
    if (typeof options.min === 'number') {
      this.#ownMin ??= options.min;
      options.min = Math.min(this.#ownMin, max);
    }
    options.max = max;
  }

  /** A limit on lending; `serve` serves callers that wait, as far as it lets. */
  protected limitedBy(serve: (pool: Pool) => void): LendingLimit {
    return new LendingLimit(() => this.#use(serve, undefined));
  }

  resizable(): Resizable | null {
    return this.fixedBecause === null ? this.#resizable : null;
  }

  report(): OwnReport | null {
    return this.#use((pool): OwnReport => {
      // Which may count callers that gave up.
      const figures = this.figures(pool);
      const { acquire, loans, timeouts } = this;
      return ownReport(this, figures, { acquire, hold: loans.hold, timeouts }, this.fixedBecause);
    }, null);
  }

  #use<Result>(work: (pool: Pool) => Result, otherwise: Result): Result {
    const pool = this.#pool.deref();
    return pool === undefined || this.isOver(pool) ? otherwise : work(pool);
  }
}
