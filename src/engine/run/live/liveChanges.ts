import { toFailure } from '../../../model/domain/failure.ts';
import type { LiveChange, LiveControl } from '../../../model/protocol/live.ts';
import type { LiveSettings } from '../../probe/liveSettings.ts';

/** A value that a caller waits for. Several requests in a row for the same setting share the one change that results. */
interface Wish {
  value: number;
  waiting: { resolve: (change: LiveChange) => void; reject: (error: Error) => void }[];
}

/** The changes that were asked for and not made yet: of each setting only the newest, since a slider passes many values on its way. */
export class LiveChanges {
  readonly #wishes = new Map<string, Wish>();
  readonly #unsure = new Set<string>();
  #applying: string | null = null;

  constructor(
    private readonly live: LiveSettings,
    private readonly sessionMs: () => number,
  ) {}

  get pending(): boolean {
    return this.#wishes.size > 0;
  }

  /** Whether this setting stays at what it is: nothing is asked for or on its way, and the last change of it came true. */
  isSettled(setting: string): boolean {
    return !this.#wishes.has(setting) && this.#applying !== setting && !this.#unsure.has(setting);
  }

  /** Whether all settings are known to be what they were asked to be. */
  get areSure(): boolean {
    return this.#unsure.size === 0;
  }

  /** Compares the app with the requested values. A deviation is reported, and its setting not sure until it is changed again. */
  async deviations(controls: readonly LiveControl[]): Promise<LiveChange[]> {
    const found: LiveChange[] = [];
    for (const { setting, value, problem } of controls) {
      if (problem !== null || !this.isSettled(setting)) continue;
      const message = await this.live.deviation(setting);
      if (message === null) continue;
      this.#unsure.add(setting);
      found.push({ timeMs: this.sessionMs(), setting, from: value, to: value, ok: false, effectiveMs: 0, message });
    }
    return found;
  }

  /** Asks for a value; resolves when it, or a newer one of the same setting, was applied or refused. */
  ask(setting: string, value: number): Promise<LiveChange> {
    return new Promise((resolve, reject) => {
      const waiting = this.#wishes.get(setting)?.waiting ?? [];
      this.#wishes.set(setting, { value, waiting: [...waiting, { resolve, reject }] });
    });
  }

  /** Makes the oldest of them. Never rejects: what goes wrong is the change's message. */
  async applyNext(controls: readonly LiveControl[], signal: AbortSignal): Promise<LiveChange | null> {
    const [next] = this.#wishes;
    if (next === undefined) return null;
    const [setting, { value, waiting }] = next;
    this.#wishes.delete(setting);
    this.#applying = setting;
    const from = controls.find((one) => one.setting === setting)?.value ?? value;
    const outcome = await this.live
      .apply(setting, value, signal)
      .catch((error: unknown) => ({ ok: false, effectiveMs: 0, message: { code: 'refused' as const, message: toFailure(error).message } }));
    const change: LiveChange = { timeMs: this.sessionMs(), setting, from, to: value, ...outcome };
    this.#applying = null;
    if (change.ok) this.#unsure.delete(setting);
    else this.#unsure.add(setting);
    for (const { resolve } of waiting) resolve(change);
    return change;
  }

  /** No change is made from now on. */
  end(reason: Error): void {
    for (const { waiting } of this.#wishes.values()) for (const { reject } of waiting) reject(reason);
    this.#wishes.clear();
  }
}
