import type { WatchedPart } from '../../../model/domain/setting.ts';
import type { Block } from '../../../model/domain/run.ts';
import type { TuningSearch } from '../../statistics/tuningSearch.ts';
import type { Round, Strategy } from '../strategy.ts';

/** A target whose values are searched. */
export interface Searched<Trial> {
  readonly label: string;
  readonly search: TuningSearch;
  readonly resource: WatchedPart | null;
  trial(key: string): Trial;
  /** What one block of it takes, switching and starting included. */
  readonly blockMs: number;
}

/** Rounds over the values that decide, the targets taking turns, until each is decided or the time for searching is over. */
export class SearchRounds<Trial extends { key: string }> implements Strategy<Trial, Block> {
  readonly #active: Searched<Trial>[];
  #current: Searched<Trial> | null = null;

  /** `searchMs` is for the rounds, `allMs` for whatever follows them as well. */
  constructor(
    private readonly targets: readonly Searched<Trial>[],
    private readonly options: { searchMs: number; allMs: number },
  ) {
    this.#active = [...targets];
  }

  next(spentMs: number): Round<Trial> | null {
    const one = this.#active.shift();
    if (one === undefined) return null;
    const leftMs = (this.options.searchMs - spentMs) / (this.#active.length + 1);
    const found = one.search.nextRound(Math.floor(leftMs / one.blockMs));
    if (found === null) return this.next(spentMs);
    this.#current = one;
    this.#active.push(one);
    const { round, candidates, ...searched } = found;
    const target = this.targets.length > 1 ? one.label : null;
    return { round, what: { code: 'search', target, round, ...searched }, trials: candidates.map(({ key }) => one.trial(key)) };
  }

  observe({ key }: Trial, round: number, block: Block | null): void {
    this.#current?.search.observe(round, key, block, this.#current.resource);
  }

  remainingMs(spentMs: number): number {
    return Math.max(0, this.options.allMs - spentMs);
  }
}
