import type { FoundService } from '../../model/domain/detection.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import { targetItems } from '../benchmark/answers.ts';
import { askText, pickOne, type StepFrame } from '../kit/safeUi/multiStep.ts';
import {
  parseBudget,
  parseTuneValues,
  presetBudgetText,
  presetValuesText,
  tunables,
  type Tunable,
  type TuneAnswers,
  type TuneOffer,
} from './tuneChoices.ts';

const title = 'Tune a Setting';
const steps = 4;

/**
 * Asks for a target, a setting, its values and a budget, with the last answers chosen beforehand, so that Enter alone repeats them. A target that is
 * `given` is not asked for. Services that were `found` and are not declared are offered first; one that is chosen is the answer, since it has to be set up before
 * there is more to ask. `undefined` when the person leaves.
 */
export async function askTuning(
  catalog: Catalog,
  offer: TuneOffer,
  given: TargetState | undefined,
  found: readonly FoundService[],
): Promise<TuneAnswers | { setUp: FoundService } | undefined> {
  let target = given;
  let tunable: Tunable | undefined;
  let valuesText: string | undefined;
  const first = given === undefined ? 1 : 2;
  for (let step = first; ;) {
    // Back is offered from the second step on: the steps are counted from the one that was asked first.
    const frame: StepFrame = { title, step: step - first + 1, steps: steps - first + 1 };
    if (step === 1 || target === undefined) {
      const items = targetItems(catalog, { targets: [] }, found);
      const last = items.find((item) => item.target?.id === (target?.id ?? offer.targetId) && item.problem === null);
      const active = items.find((item) => item.setUp !== undefined) ?? last ?? items.find((item) => item.problem === null);
      const answer = await pickOne(frame, 'Choose the target to tune', items, active, (item) => item.problem ?? undefined);
      if (answer.kind !== 'next') return undefined;
      if (answer.value.setUp !== undefined) return { setUp: answer.value.setUp };
      target = answer.value.target;
      step = 2;
    } else if (step === 2) {
      const items = tunables(target).map((one) => ({ label: one.label, description: one.about, one }));
      const last = items.find(({ one }) => one.name === (tunable?.name ?? offer.setting)) ?? items[0];
      const answer = await pickOne(frame, `Choose what to tune of ${target.label}`, items, last);
      if (answer.kind === 'leave') return undefined;
      if (answer.kind === 'next' && answer.value.one.name !== tunable?.name) valuesText = undefined;
      if (answer.kind === 'next') tunable = answer.value.one;
      step += answer.kind === 'next' ? 1 : -1;
    } else if (step === 3 && tunable !== undefined) {
      const asked = tunable;
      const example = asked.takes.kind === 'number' ? ', such as 2..64 for doublings, or 2, 4, 8' : '';
      const answer = await askText(
        frame,
        `Values of ${asked.label} to choose from${example}`,
        valuesText ?? presetValuesText(asked, offer),
        (text) => faultIn(parseTuneValues(text, asked)),
      );
      if (answer.kind === 'leave') return undefined;
      if (answer.kind === 'next') valuesText = answer.value;
      step += answer.kind === 'next' ? 1 : -1;
    } else {
      const answer = await askText(frame, 'How long may it take at most?', presetBudgetText(offer), (text) => faultIn(parseBudget(text)));
      if (answer.kind === 'leave' || tunable === undefined || valuesText === undefined) return undefined;
      if (answer.kind === 'next') return { target, tunable, valuesText, budgetText: answer.value.trim() };
      step -= 1;
    }
  }
}
