import type { FoundService } from '../../model/domain/detection.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { setUp, undeclaredServices } from '../targets/declareServices.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { showForm } from '../form/chosenForm.ts';
import { chooseRun } from '../runs/runCommands.ts';
import type { Services } from '../services/services.ts';
import { applicableAnswers } from '../applied/answerText.ts';
import { applyAnswers } from '../applied/applySettings.ts';
import { formOfRun, formOfTune } from '../../model/presentation/requestForms.ts';
import { targetItems } from '../benchmark/answers.ts';
import { askText, pickOne, type StepFrame } from '../kit/safeUi/multiStep.ts';
import {
  parseBudget,
  parseTuneValues,
  presetAnswers,
  presetBudgetText,
  presetValuesText,
  tunables,
  tuneFormOf,
  tuneOffer,
  tuneRequestOf,
  type Tunable,
  type TuneAnswers,
  type TuneOffer,
} from './tuneChoices.ts';
import { type Choice, choose, say } from '../kit/safeUi/dialogs.ts';

/** Asks for a target, a setting with its values and a budget, with the last answers chosen beforehand, and finds out which value to use. */
export async function tuneSetting(services: Services, targetId?: string): Promise<void> {
  if (await isBusy(services)) return;
  const { inventory, memory } = services;
  const catalog = await inventory.catalog.get();
  const form = await services.form.shown(catalog);
  const given = catalog.targets.find((target) => target.id === targetId);
  const found = given === undefined ? await undeclaredServices(services, catalog) : [];
  const answers = await askTuning(catalog, tuneOffer(form, await memory.last('tune')), given, found);
  if (answers === undefined) return;
  if (!('setUp' in answers)) return tuneAnswered(services, answers, form);
  const id = await setUp(services, answers.setUp);
  if (id !== undefined) await tuneOwn(services, id);
}

/** Tunes a service that has just been set up: its first setting, with the values and the time that would be offered. */
async function tuneOwn(services: Services, id: string): Promise<void> {
  const catalog = await services.inventory.catalogWith([id]);
  const target = catalog.targets.find((one) => one.id === id);
  const form = await services.form.shown(catalog);
  const answers = target === undefined ? null : presetAnswers(target, tuneOffer(form, await services.memory.last('tune')));
  if (answers === null) await tuneSetting(services, id);
  else await tuneAnswered(services, answers, form);
}

async function tuneAnswered(services: Services, answers: TuneAnswers, form: Form): Promise<void> {
  const values = services.applied.of(answers.target);
  const request = tuneRequestOf(answers, form.load, values);
  if (request === null) return;
  await showForm(services, tuneFormOf(answers, form.load, values));
  await measure(services, { kind: 'tune', ...request });
}

/** Repeats a tuning: that of a stored run, or the last one. Asks when there was none yet. */
export async function tuneAgain(services: Services, runId?: string): Promise<void> {
  if (await isBusy(services)) return;
  const result = runId === undefined ? undefined : (await recordOf(services, runId)).result;
  const request = runId === undefined ? await services.memory.last('tune') : result?.kind === 'tune' ? result.request : undefined;
  if (request === undefined) return tuneSetting(services);
  await showForm(services, formOfTune(request));
  await measure(services, { kind: 'tune', ...request });
}

/** Applies what a stored run recommends; asks for a tuning where none is named. */
export async function applyTuning(services: Services, runId?: string): Promise<void> {
  const tuned = (await services.inventory.runs.get()).filter((run) => run.kind === 'run' && run.tuned);
  const id = runId ?? (await chooseRun(services, 'Apply the answer of which tuning?', tuned))?.id;
  if (id === undefined) return;
  const run = await recordOf(services, id);
  if (applicableAnswers(run).length === 0) return say('This run recommends no value that could be applied.');
  await applyAnswers(services, run);
}

type Again = Choice & { starts: boolean };

/** Measures again what a run measured: at once with the same values, or with others, from the form that is filled with them. */
export async function runWithOtherValues(services: Services, runId?: string): Promise<void> {
  const runs = (await services.inventory.runs.get()).filter((run) => run.kind === 'run');
  const id = runId ?? (await chooseRun(services, 'Run which one again?', runs))?.id;
  if (id === undefined) return;
  const { title, request, result } = await recordOf(services, id);
  const items: Again[] = [
    { label: 'Other values…', icon: 'edit', description: 'fills the form in the Workbench', starts: false },
    { label: 'The same values', icon: 'debug-rerun', description: 'starts at once', starts: true },
  ];
  const chosen = await choose(items, `Run again: ${title}`);
  if (chosen === undefined) return;
  if (chosen.starts && (await isBusy(services))) return;
  await showForm(services, result.kind === 'tune' ? formOfTune(result.request) : formOfRun(request));
  if (!chosen.starts) {
    services.panel.open();
    await services.panel.send({ type: 'show', view: 'tune' });
  } else if (result.kind === 'tune') {
    await measure(services, { kind: 'tune', ...result.request });
  } else {
    await measure(services, { kind: 'run', ...request });
  }
}

async function recordOf(services: Services, id: string): Promise<RunRecord> {
  return (await services.engine.request('runs/get', { id })).run;
}

/**
 * Asks for a target, a setting, its values and a budget, with the last answers chosen beforehand, so that Enter alone repeats them. A target that is
 * `given` is not asked for. Services that were `found` and are not declared are offered first; one that is chosen is the answer, since it has to be set up before
 * there is more to ask. `undefined` when the person leaves.
 */
async function askTuning(
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
    const frame: StepFrame = { title: 'Tune a Setting', step: step - first + 1, steps: 4 - first + 1 };
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
