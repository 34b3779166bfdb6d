import type { RunNote } from '../../model/domain/runNoteKinds.ts';

/** Two loads are close enough when the higher is at most this share above the lower. */
const closeEnough = 0.1;
/** How often the answer must keep the SLO, and the load above it break it, in all. */
const confirmations = 2;

/** What one measurement of a load says: whether the SLO held; null when the measurement is not valid. */
export interface LoadVerdict {
  keeps: boolean | null;
}

export interface BreakingPointSearch<T extends LoadVerdict> {
  /** Users, connections or requests/s, whole numbers. */
  lowest: number;
  highest: number;
  maxSteps: number;
  measure: (load: number) => Promise<T>;
  signal?: AbortSignal;
}

/** The figures of its note, and what was measured on the way. */
export type BreakingPoint<T extends LoadVerdict> = Omit<Extract<RunNote, { code: 'breaking-point' }>, 'code' | 'about'> & {
  path: { load: number; measurement: T }[];
};

/**
 * The highest load that keeps an SLO, by bisection on a logarithmic scale: first the lowest and the highest, then always the geometric mean of the highest that
 * keeps it and the lowest that breaks it. Since measurements scatter, the two that remain are measured again: a load that once breaks the SLO does not keep it,
 * and the search continues below. A measurement that is not valid is repeated once.
 */
export async function findBreakingPoint<T extends LoadVerdict>(search: BreakingPointSearch<T>): Promise<BreakingPoint<T>> {
  return new Search(search).run();
}

class Search<T extends LoadVerdict> {
  readonly #path: { load: number; measurement: T }[] = [];
  readonly #tallies = new Map<number, { kept: number; broke: number }>();

  constructor(private readonly search: BreakingPointSearch<T>) {}

  async run(): Promise<BreakingPoint<T>> {
    const { lowest, highest, maxSteps } = this.search;
    for (let next: number | null = lowest; next !== null; next = this.#next()) {
      if (this.#path.length >= maxSteps) return this.#end('undecided', next);
      if (!(await this.#measure(next))) return this.#end('invalid', next);
    }
    if (this.#breaks(lowest)) return this.#end('below-lowest', lowest);
    return this.#keeps(highest) ? this.#end('above-highest', highest) : this.#end('found', this.#answer() ?? lowest);
  }

  /** The load that is to be measured next; null when the answer is there. */
  #next(): number | null {
    const { lowest, highest } = this.search;
    if (this.#breaks(lowest)) return this.#tally(lowest).broke + this.#tally(lowest).kept < confirmations ? lowest : null;
    const low = this.#answer() ?? lowest;
    const high = this.#breaksAt();
    if (high === null) return this.#tally(highest).kept < confirmations ? highest : null;
    if (high - low > Math.max(1, low * closeEnough)) {
      return Math.min(high - 1, Math.max(low + 1, Math.round(Math.sqrt(low * high))));
    }
    if (this.#tally(low).kept < confirmations) return low;
    // A load that breaks it and keeps it does not keep it; measured once more, it says how often.
    return this.#tally(high).broke + this.#tally(high).kept < confirmations ? high : null;
  }

  async #measure(load: number): Promise<boolean> {
    for (let attempt = 0; attempt < 2; attempt++) {
      this.search.signal?.throwIfAborted();
      const measurement = await this.search.measure(load);
      this.#path.push({ load, measurement });
      if (measurement.keeps === null) continue;
      const tally = this.#tally(load);
      this.#tallies.set(load, { kept: tally.kept + (measurement.keeps ? 1 : 0), broke: tally.broke + (measurement.keeps ? 0 : 1) });
      return true;
    }
    return false;
  }

  #tally(load: number): { kept: number; broke: number } {
    return this.#tallies.get(load) ?? { kept: 0, broke: 0 };
  }

  #keeps(load: number): boolean {
    const { kept, broke } = this.#tally(load);
    return kept > 0 && broke === 0;
  }

  #breaks(load: number): boolean {
    return this.#tally(load).broke > 0;
  }

  /** The highest that keeps it below the lowest that breaks it. */
  #answer(): number | null {
    const high = this.#breaksAt() ?? Infinity;
    const kept = [...this.#tallies.keys()].filter((load) => load < high && this.#keeps(load));
    return kept.length === 0 ? null : Math.max(...kept);
  }

  #breaksAt(): number | null {
    const broken = [...this.#tallies.keys()].filter((load) => this.#breaks(load));
    return broken.length === 0 ? null : Math.min(...broken);
  }

  #end(status: BreakingPoint<T>['status'], load: number): BreakingPoint<T> {
    const [answer, breaksAt] = [this.#answer(), this.#breaksAt()];
    const above = this.#tally(breaksAt ?? 0);
    return {
      status,
      load,
      answer,
      breaksAt,
      steps: this.search.maxSteps,
      kept: this.#tally(answer ?? 0).kept,
      broke: above.broke,
      of: above.kept + above.broke,
      path: this.#path,
    };
  }
}
