import type { Step } from '../../model/domain/progress/stepKinds.ts';
import type { Phase, RunEvent } from '../../model/protocol/runEvent.ts';

/**
 * The progress of a run: reports phase, step and the remaining time, at the least and at the most. The remaining time is the planned rest of this phase and of
 * those to come, without scaling: a plan that slips shows as a remaining time that does not shrink.
 */
export class RunProgress {
  readonly #startedAt = performance.now();
  #step = 0;
  #remainingMs: number;
  #open: readonly string[] = [];

  /** @param undecidedMs what may come on top of the planned time while answers stay undecided */
  constructor(
    private readonly runId: string,
    private steps: number,
    private surelyMs: number,
    private readonly emit: (event: RunEvent) => void,
    undecidedMs = 0,
  ) {
    this.#remainingMs = surelyMs + undecidedMs;
  }

  /** Time since the start of the run, on its monotonic axis. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  begin(phase: Phase, doing: Step, expectedMs = 0): void {
    this.#step = Math.min(this.#step + 1, this.steps);
    this.say(phase, doing);
    this.#remainingMs -= expectedMs;
    this.surelyMs -= expectedMs;
  }

  /** Says something new of the step that is in progress. */
  say(phase: Phase, doing: Step): void {
    this.emit({
      type: 'phase',
      runId: this.runId,
      phase,
      doing,
      step: this.#step,
      steps: this.steps,
      elapsedMs: this.elapsedMs,
      remainingMs: Math.max(0, this.#remainingMs),
      surelyMs: Math.max(0, this.surelyMs),
      open: [...this.#open],
    });
  }

  /** Sets the number of steps again, for a plan that is carried out in another way than expected. */
  setSteps(steps: number): void {
    this.steps = steps;
  }

  /** Sets the planned rest again once it is known better: at the most, and in any case. */
  setRemaining(remainingMs: number, surelyMs = remainingMs): void {
    this.#remainingMs = remainingMs;
    this.surelyMs = surelyMs;
  }

  /** The trials between which an answer is still open, for which rounds are added. */
  setOpen(keys: readonly string[]): void {
    this.#open = keys;
  }
}
