/** The latest events of each type: one, or as many as `most` says. */
export class LastEvents<E extends { type: string }> {
  readonly #byType = new Map<string, E[]>();

  constructor(private readonly most: Readonly<Partial<Record<E['type'], number>>>) {}

  add(event: E): void {
    const type: E['type'] = event.type;
    const kept = this.#byType.get(type) ?? [];
    this.#byType.set(type, kept);
    kept.push(event);
    if (kept.length > (this.most[type] ?? 1)) kept.shift();
  }

  /** Those of one type, or of some, the oldest first. */
  of<T extends E['type']>(...types: readonly T[]): Extract<E, { type: T }>[] {
    return types.flatMap((type) => (this.#byType.get(type) ?? []) as Extract<E, { type: T }>[]);
  }

  clear(): void {
    this.#byType.clear();
  }
}
