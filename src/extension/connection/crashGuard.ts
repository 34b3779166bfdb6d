/** When a process that keeps crashing may be started again without being asked: not after `limit` crashes within `windowMs`. */
export class CrashGuard {
  #crashes: number[] = [];

  constructor(
    private readonly limit = 3,
    private readonly windowMs = 5 * 60_000,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  record(): void {
    this.#crashes.push(this.nowMs());
  }

  /** A person asked for a restart: the count starts again. */
  forgive(): void {
    this.#crashes = [];
  }

  get mayStart(): boolean {
    const since = this.nowMs() - this.windowMs;
    this.#crashes = this.#crashes.filter((at) => at > since);
    return this.#crashes.length < this.limit;
  }
}
