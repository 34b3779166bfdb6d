import type { PoolReport } from '../../../model/domain/probe.ts';
import type { Durations } from '../durations.ts';
import { placeMade } from '../emitterWatch.ts';
import { amount, quietly } from '../objects.ts';
import type { LendingLimit } from './lendingLimit.ts';
import type { Loans, RequestTimes } from './loans.ts';
import type { Resizable } from './resize.ts';

/** The report of a pool; the registry adds the lending for all kinds. */
export type OwnReport = Omit<PoolReport, 'lendable' | 'lendLimit' | 'outlived' | 'madeAt'>;

/** What a pool says of itself; busy is what is not idle, unless it says otherwise. */
export type PoolFigures = Pick<OwnReport, 'name' | 'max' | 'min' | 'total' | 'idle' | 'pending'> & { busy?: number };

/** `timed`: waits and holds, and callers that gave up; `fixedBecause`: why its size cannot be changed, null when it can. */
export function ownReport(
  { id, kind }: Pick<OwnReport, 'id' | 'kind'>,
  figures: PoolFigures,
  timed: { acquire: Durations; hold: Durations; timeouts?: number },
  fixedBecause: string | null,
): OwnReport {
  return {
    id,
    kind,
    busy: amount(figures.total - figures.idle),
    ...figures,
    acquire: timed.acquire.report(),
    hold: timed.hold.report(),
    timeouts: timed.timeouts ?? 0,
    resizable: fixedBecause === null,
    note: fixedBecause,
  };
}

/** A pool of the app, as the probe sees it. It must not keep the app's own object alive. */
export interface ProbedPool {
  readonly id: string;
  /** What it says of itself now; null when it has ended or is gone. */
  report(): OwnReport | null;
  /** How its size can be changed; null where it cannot be. */
  resizable(): Resizable | null;
  /** Only where the number of lent connections can be limited; then it can be resized, too. */
  readonly lending?: LendingLimit | undefined;
  /** Only where it is known which of its connections are lent. */
  readonly loans?: Loans;
  /** Only where it is known in which place the app made it. */
  madeAt?: string;
}

/** As many as a report may have. */
const reportedPools = 200;
/** An app that makes a pool for each request must not fill its memory with what the probe knows of them. */
const keptPools = 1_000;

/** What is kept of the pools of one package, by the app's own objects. */
export class PoolStates<Pool extends object, State extends ProbedPool> {
  readonly #states = new WeakMap<Pool, State>();

  constructor(
    private readonly registry: PoolRegistry,
    private readonly kind: string,
    private readonly make: (id: string, pool: Pool) => State,
  ) {}

  /** Of a pool that was seen before. */
  find(pool: Pool): State | undefined {
    return this.#states.get(pool);
  }

  of(pool: Pool): State {
    let state = this.#states.get(pool);
    if (state === undefined) {
      state = this.make(this.registry.newId(this.kind), pool);
      const madeAt = placeMade(pool);
      if (madeAt !== undefined) state.madeAt = madeAt;
      this.#states.set(pool, state);
      this.registry.add(state);
    }
    return state;
  }
}

/** The pools of this process that were found, in the order in which they were made. */
export class PoolRegistry {
  readonly #pools = new Map<string, ProbedPool>();
  readonly #made = new Map<string, number>();
  readonly #notes = new Set<string>();
  #closed = false;

  /** An identity for a new pool: `pg-1`, `pg-2`, … */
  newId(kind: string): string {
    const number = (this.#made.get(kind) ?? 0) + 1;
    this.#made.set(kind, number);
    return `${kind}-${number}`;
  }

  add(pool: ProbedPool): void {
    if (this.#closed) return;
    if (this.#pools.size >= keptPools) this.reports();
    if (this.#pools.size >= keptPools) this.note(`More than ${keptPools} pools: those made last are left out.`);
    else this.#pools.set(pool.id, pool);
  }

  find(id: string): ProbedPool | undefined {
    return this.#pools.get(id);
  }

  note(sentence: string): void {
    if (this.#notes.size < 20) this.#notes.add(sentence);
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  /** Reports of those that live; the others are forgotten. `requests`: null where it is not known which are under way. */
  reports(requests: RequestTimes | null = null): PoolReport[] {
    const reports: PoolReport[] = [];
    for (const [id, pool] of this.#pools) {
      let report: OwnReport | null = null;
      try {
        report = pool.report();
      } catch {
        this.note(`Pool ${id} could not be read.`);
        continue;
      }
      if (report === null) this.#pools.delete(id);
      else if (reports.length < reportedPools)
        reports.push({
          ...report,
          lendable: pool.lending !== undefined,
          lendLimit: pool.lending?.value ?? null,
          ...(pool.madeAt === undefined ? {} : { madeAt: pool.madeAt }),
          ...(pool.loans === undefined || requests === null ? {} : { outlived: pool.loans.outliving(requests) }),
        });
    }
    return reports;
  }

  /** The engine is gone, so that no request would lift a limit. */
  close(): void {
    this.#closed = true;
    for (const { lending } of this.#pools.values()) {
      if (typeof lending?.value === 'number') quietly(() => lending.set(null), undefined)();
    }
    this.#pools.clear();
  }
}
