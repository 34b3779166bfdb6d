/** The newest answer to a question that changes: an answer to an older one is dropped, an equal question is not asked again. */
export class Latest<T> {
  value: T | null = null;
  /** An answer is on its way. */
  pending = false;
  #key: string | null = null;

  constructor(
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
    private readonly dropped: () => void,
  ) {}

  /** Asks, unless `key` is that of the last question. The old answer stays until the new one is here. */
  want(key: string, ask: () => Promise<T>): void {
    if (key === this.#key) return;
    this.#key = key;
    this.pending = true;
    ask().then(
      (value) => {
        if (key !== this.#key) return;
        this.pending = false;
        this.value = value;
        this.changed();
      },
      (error: unknown) => {
        if (key !== this.#key) return;
        this.pending = false;
        // The worker dropped the question for a newer one of the same kind, which was not for this answer: it is asked again if still wanted.
        if (error instanceof Error && error.name === 'AbortError') {
          this.#key = null;
          this.dropped();
        } else this.failed(error);
      },
    );
  }

  /** Forgets question and answer. */
  clear(): void {
    this.#key = null;
    this.value = null;
    this.pending = false;
  }
}
