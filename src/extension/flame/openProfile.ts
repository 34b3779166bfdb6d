import type { LineTable, ProfileHead, ProfilePart, ProfileSource } from '../../model/domain/flame.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';

/**
 * One recording that the engine holds open for a page. The engine reads and keeps it; here is only its head, and its line table once that
 * was asked for. All requests reject with a `FailureError`.
 */
export class OpenProfile {
  #opening: Promise<ProfileHead> | undefined;
  #abort = new AbortController();
  #readLines: Promise<LineTable> | undefined;

  constructor(
    private readonly engine: WindowEngine,
    readonly source: ProfileSource,
    readonly title: string,
  ) {}

  /** Opens it, once; after a failure or {@link close} it can be opened again. */
  open(): Promise<ProfileHead> {
    if (this.#opening !== undefined) return this.#opening;
    this.#abort = new AbortController();
    const opening = this.engine.request('profile/open', { source: this.source }, this.#abort.signal);
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  piece(profileId: string, part: ProfilePart, event: string | null, index: number): Promise<ResultOf<'profile/piece'>> {
    return this.engine.request('profile/piece', { profileId, part, event, index }, this.#abort.signal);
  }

  async frame(func: number): Promise<ResultOf<'profile/frame'>> {
    const { profileId } = await this.open();
    return this.engine.request('profile/frame', { profileId, func }, this.#abort.signal);
  }

  /** The line table, asked for once. */
  lines(): Promise<LineTable> {
    if (this.#readLines !== undefined) return this.#readLines;
    const signal = this.#abort.signal;
    const reading = this.open().then(({ profileId }) => this.engine.request('profile/lines', { profileId }, signal));
    this.#readLines = reading;
    reading.catch(() => {
      if (this.#readLines === reading) this.#readLines = undefined;
    });
    return reading;
  }

  /** The engine has ended: what it held is gone. */
  forget(): void {
    this.#opening = undefined;
    this.#readLines = undefined;
  }

  /** Gives the engine's memory back; a reading under way is ended. Starts no engine for that. */
  close(): void {
    const opening = this.#opening;
    this.forget();
    this.#abort.abort();
    void opening
      ?.then(({ profileId }) => (this.engine.isStarted ? this.engine.request('profile/close', { profileId }) : undefined))
      .catch(() => undefined);
  }
}
