/** An answer that is asked for at first need and kept. A later question overtakes an earlier one: only the answer to the latest is kept. */
export class LatestAnswer<T> {
  #known: T | undefined;
  #loading: Promise<T> | undefined;

  /** @param arrived called with each answer that is kept. */
  constructor(
    private readonly ask: () => Promise<T>,
    private readonly arrived: (answer: T) => void = () => undefined,
  ) {}

  /** The answer from last time, without asking. */
  get latest(): T | undefined {
    return this.#known;
  }

  get wasAsked(): boolean {
    return this.#known !== undefined || this.#loading !== undefined;
  }

  /** The answer; the first call asks. */
  async get(): Promise<T> {
    return this.#known ?? this.#loading ?? this.load();
  }

  /** The answer that is kept where it is enough, else a new one. */
  async getWith(isEnough: (answer: T) => boolean): Promise<T> {
    const known = await this.get();
    return isEnough(known) ? known : this.load();
  }

  /** Asks again. */
  load(): Promise<T> {
    const loading = this.ask().then(
      (answer) => {
        if (this.#loading === loading) {
          this.#loading = undefined;
          this.#known = answer;
          this.arrived(answer);
        }
        return answer;
      },
      (error: unknown) => {
        if (this.#loading === loading) this.#loading = undefined;
        throw error;
      },
    );
    this.#loading = loading;
    return loading;
  }

  forget(): void {
    this.#known = undefined;
    this.#loading = undefined;
  }
}
