import type { ResolvedMix } from '../load/requestMix.ts';
import { prepareDatabase, resetData } from '../services/database.ts';
import type { DatabaseWants } from '../services/database.ts';
import type { DatabaseAddress } from '../services/postgresServer.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { databaseWants } from '../targets/launchTarget.ts';

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** The data that the targets of a run share: brought to one state before the run, and again before each round when the load writes. */
export class SharedData {
  readonly #wants: readonly DatabaseWants[];
  readonly #writes: readonly string[];

  constructor(targets: readonly DeclaredTarget[], mixes: ReadonlyMap<string, Pick<ResolvedMix, 'mix'>>) {
    this.#wants = [
      ...new Map(targets.flatMap((declared) => databaseWants(declared) ?? []).map((want) => [JSON.stringify(want), want])).values(),
    ];
    const requests = targets
      .filter((declared) => databaseWants(declared) !== null)
      .flatMap(({ target }) => mixes.get(target.id)?.mix ?? []);
    this.#writes = [
      ...new Set(requests.filter(({ method }) => !safeMethods.includes(method)).map(({ method, path }) => `${method} ${path}`)),
    ];
  }

  /** Whether any target wants a database. */
  get wanted(): boolean {
    return this.#wants.length > 0;
  }

  /** What a load that writes does to the figures, as a sentence; null when it only reads. */
  get note(): string | null {
    if (this.#writes.length === 0) return null;
    const which = this.#writes.join(' and ');
    if (this.#wants.every((want) => want.prepareFiles.length > 0))
      return `The load writes (${which}): the data is brought back to its first state before each round, and grows within it.`;
    return `The load writes (${which}) and nothing takes that out again: later blocks meet more data than earlier ones. Name a file for it in "postgres.prepare".`;
  }

  /** Schema, seed and first state. */
  async prepare(address: DatabaseAddress, onProgress: (message: string) => void, signal: AbortSignal): Promise<void> {
    for (const want of this.#wants) {
      await prepareDatabase(address, want, onProgress, signal);
      await resetData(address, want, signal);
    }
  }

  /** Takes out what the load has written so far, in warm-ups too. Does nothing when it only reads. */
  async beforeRound(address: DatabaseAddress, signal: AbortSignal): Promise<void> {
    if (this.#writes.length === 0) return;
    for (const want of this.#wants) await resetData(address, want, signal);
  }
}
