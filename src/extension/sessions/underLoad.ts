import type { RunEvent } from '../../model/protocol/runEvent.ts';
import type { Trial } from '../../model/domain/run.ts';

/** Which targets a run has started, and which of them is under load: for the tree, which else knows only what was started by hand. */
export class UnderLoad {
  #trials: readonly Trial[] = [];
  /** The one under load; null before there is load. */
  #target: string | null = null;

  /** Takes note of an event; true where the words of a target have changed. The load switches between settings of one target several times a second: they are not named. */
  take(event: RunEvent): boolean {
    if (event.type === 'started') {
      this.#trials = event.trials;
      this.#target = null;
      return true;
    }
    if (event.type !== 'tick') return false;
    const target = this.#trials.find(({ key }) => key === event.tick.trialKey)?.target;
    if (target === undefined || target === this.#target) return false;
    this.#target = target;
    return true;
  }

  clear(): void {
    this.#trials = [];
    this.#target = null;
  }

  /** "under load", "takes turns in the run"; undefined of a target that no run uses. */
  wordsOf(target: string): string | undefined {
    if (!this.#trials.some((trial) => trial.target === target)) return undefined;
    if (this.#target === null) return 'in a run';
    return this.#target === target ? 'under load' : 'takes turns in the run';
  }
}
