/**
 * How many of its connections a pool lends at most at once. Connections above that stay open, and callers wait as for a pool that is full. A caller who
 * holds one more than that when the limit comes returns it as usual.
 */
export class LendingLimit {
  #limit: number | null = null;

  constructor(
    /** Serves callers that wait, as far as the limit lets it. */
    private readonly serve: () => void,
  ) {}

  /** Null: as many as there are. */
  get value(): number | null {
    return this.#limit;
  }

  set(limit: number | null): void {
    this.#limit = limit;
    this.serve();
  }

  /** How many more may be lent in addition to those that are. */
  room(lent: number): number {
    return this.#limit === null ? Infinity : Math.max(0, this.#limit - lent);
  }
}
