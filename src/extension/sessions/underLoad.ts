import type { RunEvent } from '../../model/protocol/runEvent.ts';
import { humanName, shownSettings, valueOf } from '../../model/presentation/settingWords.ts';
import type { Trial } from '../../model/domain/run.ts';

/** Which targets a run has started, and which of them is under load: for the tree, which else knows only what was started by hand. */
export class UnderLoad {
  #trials: readonly Trial[] = [];
  #key: string | null = null;

  /** Takes note of an event; true where the words of a target have changed. */
  take(event: RunEvent): boolean {
    if (event.type === 'started') {
      this.#trials = event.trials;
      this.#key = null;
      return true;
    }
    if (event.type !== 'tick' || event.tick.trialKey === this.#key) return false;
    this.#key = event.tick.trialKey;
    return true;
  }

  clear(): void {
    this.#trials = [];
    this.#key = null;
  }

  /** "under load · pool 16", "takes turns in the run"; undefined of a target that no run uses. */
  wordsOf(target: string): string | undefined {
    const own = this.#trials.filter((trial) => trial.target === target);
    if (own.length === 0) return undefined;
    const now = own.find((trial) => trial.key === this.#key);
    if (now === undefined) return this.#key === null ? 'in a run' : 'takes turns in the run';
    const values = shownSettings(this.#trials).flatMap((name) => {
      const value = valueOf(now, name);
      return value === null ? [] : [`${humanName(name)} ${value}`];
    });
    return ['under load', ...values].join(' · ');
  }
}
