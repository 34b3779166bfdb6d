import type * as vscode from 'vscode';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { readStep, type Step } from './nextStepOf.ts';

const stepKey = 'benchside.nextStep';

/** The one thing to do next in this workspace, until it is done or dismissed: notifications go, and it stays. Kept between sessions. */
export class NextStep extends Owner {
  readonly #changedEmitter = this.emitter<void>();
  readonly onChanged = this.#changedEmitter.event;

  constructor(private readonly state: vscode.Memento) {
    super();
    setContext({ hasNextStep: this.current !== null });
  }

  get current(): Step | null {
    return readStep(this.state.get(stepKey));
  }

  /** Takes the step away where it is this: done, or wanted no more. */
  async done(is: (step: Step) => boolean = () => true): Promise<void> {
    const { current } = this;
    if (current !== null && is(current)) await this.set(null);
  }

  async set(step: Step | null): Promise<void> {
    await this.state.update(stepKey, step ?? undefined);
    setContext({ hasNextStep: step !== null });
    this.#changedEmitter.fire();
  }
}
