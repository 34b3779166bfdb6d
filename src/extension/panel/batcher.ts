/**
 * Gathers values and hands them over together, at most once in `intervalMs`: the first at once, later ones when the time is over.
 * Used for run events on their way to the panel.
 */
export class Batcher<T> {
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly intervalMs: number,
    private readonly deliver: (values: T[]) => void,
  ) {}

  add(value: T): void {
    this.#waiting.push(value);
    if (this.#timer === undefined) this.#flush();
  }

  /** Hands over what is waiting without delay, for what must arrive before something else. */
  deliverNow(): void {
    if (this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#flush();
  }

  /** Forgets what is waiting. */
  clear(): void {
    this.#waiting = [];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #flush(): void {
    const values = this.#waiting;
    this.#waiting = [];
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#flush();
    }, this.intervalMs);
    this.deliver(values);
  }
}
