import type { Phase, RunEvent } from '../../model/runEvent.ts';

/**
 * Where a run stands: tells phase, step and what is left of the time. The remaining time is the planned rest of this phase and
 * of those to come, scaled by nothing: a plan that slips shows as a remaining time that does not shrink.
 */
export class RunProgress {
  readonly #startedAt = performance.now();
  #step = 0;

  constructor(
    private readonly runId: string,
    private steps: number,
    private remainingMs: number,
    private readonly emit: (event: RunEvent) => void,
  ) {}

  /** Time since the start of the run, on its monotonic axis. */
  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Begins a step that is expected to take `expectedMs`. */
  begin(phase: Phase, message: string, expectedMs = 0): void {
    this.#step = Math.min(this.#step + 1, this.steps);
    this.say(phase, message);
    this.remainingMs -= expectedMs;
  }

  /** Says something new of the step that is under way. */
  say(phase: Phase, message: string): void {
    this.emit({
      type: 'phase',
      runId: this.runId,
      phase,
      message,
      step: this.#step,
      steps: this.steps,
      elapsedMs: this.elapsedMs,
      remainingMs: Math.max(0, this.remainingMs),
    });
  }

  /** Sets the number of steps anew, for a plan that is carried out in another way than was thought. */
  setSteps(steps: number): void {
    this.steps = steps;
  }

  /** Sets the planned rest anew once it is known better. */
  setRemaining(remainingMs: number): void {
    this.remainingMs = remainingMs;
  }
}
