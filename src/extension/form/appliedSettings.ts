import type * as vscode from 'vscode';
import type { TargetState } from '../../model/protocol/protocol.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { applicableValues, readAppliedValues, type AppliedValues } from './appliedValues.ts';

const appliedKey = 'benchside.applied';

/** The values that a person applied to targets of this workspace: with them Start starts a target. Kept between sessions. */
export class AppliedSettings extends Owner {
  readonly #changedEmitter = this.emitter<string>();
  /** Other values apply to the target of that id. */
  readonly onChanged = this.#changedEmitter.event;

  constructor(private readonly state: vscode.Memento) {
    super();
    this.#publish();
  }

  /** What is applied to a target, as far as it still takes it. */
  of(target: Pick<TargetState, 'id' | 'settings'>): SettingValues {
    const all = this.#all();
    return applicableValues(Object.hasOwn(all, target.id) ? (all[target.id] ?? {}) : {}, target.settings);
  }

  /** Puts `values` in the place of what was applied to a target; none: its defaults. */
  async set(targetId: string, values: SettingValues): Promise<void> {
    const others = Object.entries(this.#all()).filter(([id]) => id !== targetId);
    const all = Object.fromEntries(Object.keys(values).length === 0 ? others : [...others, [targetId, values]]);
    await this.state.update(appliedKey, all);
    this.#publish();
    this.#changedEmitter.fire(targetId);
  }

  #all(): AppliedValues {
    return readAppliedValues(this.state.get(appliedKey));
  }

  #publish(): void {
    setContext({ hasApplied: Object.keys(this.#all()).length > 0 });
  }
}
