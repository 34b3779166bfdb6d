import type { LineTable, ProfileHead, ProfilePart, ProfileSource } from '../../model/domain/flame.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import { LatestAnswer } from '../connection/latestAnswer.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';

/**
 * One recording that the engine holds open for a page. The engine reads and keeps it; here is only its head, and its line table once that
 * was asked for. All requests reject with a `FailureError`.
 */
export class OpenProfile {
  #abort = new AbortController();
  readonly #head = new LatestAnswer<ProfileHead>(() => {
    this.#abort = new AbortController();
    return this.engine.request('profile/open', { source: this.source }, this.#abort.signal);
  });
  readonly #lines = new LatestAnswer<LineTable>(async () => {
    const { profileId } = await this.open();
    return this.engine.request('profile/lines', { profileId }, this.#abort.signal);
  });

  constructor(
    private readonly engine: WindowEngine,
    readonly source: ProfileSource,
    readonly title: string,
  ) {}

  /** Opens it, once; after a failure or {@link close} it can be opened again. */
  open(): Promise<ProfileHead> {
    return this.#head.get();
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
    return this.#lines.get();
  }

  /** The engine has ended: what it held is gone. */
  forget(): void {
    this.#head.forget();
    this.#lines.forget();
  }

  /** Gives the engine's memory back; a reading under way is ended. Starts no engine for that. */
  close(): void {
    const opening = this.#head.wasAsked ? this.#head.get() : undefined;
    this.forget();
    this.#abort.abort();
    void opening
      ?.then(({ profileId }) => (this.engine.isStarted ? this.engine.request('profile/close', { profileId }) : undefined))
      .catch(() => undefined);
  }
}
