import type { Form } from '../../model/protocol/panel.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { TuneRequest } from '../../model/domain/tuning.ts';
import { setUp, undeclaredServices } from '../targets/declareServices.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { showForm } from '../form/chosenForm.ts';
import { chooseRun } from '../runs/runCommands.ts';
import type { Services } from '../services/services.ts';
import { applicableAnswers } from '../applied/answerText.ts';
import { applyAnswers } from '../applied/applySettings.ts';
import { formOfRun, formOfTune } from '../../model/presentation/requestForms.ts';
import { presetAnswers, tuneFormOf, tuneOffer, tuneRequestOf, type TuneAnswers } from './tuneChoices.ts';
import { askTuning } from './tuneQuestions.ts';
import { inform } from '../kit/safeUi/messages.ts';
import { choose, type Choice } from '../kit/safeUi/picks.ts';

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
  if ('setUp' in answers) {
    const id = await setUp(services, answers.setUp);
    if (id !== undefined) await tuneOwn(services, id);
    return;
  }
  await tuneAnswered(services, answers, form);
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
  const request = runId === undefined ? await services.memory.last('tune') : await tuningOf(services, runId);
  if (request === undefined) {
    await tuneSetting(services);
    return;
  }
  await showForm(services, formOfTune(request));
  await measure(services, { kind: 'tune', ...request });
}

/** Applies what a stored run recommends; asks for a tuning where none is named. */
export async function applyTuning(services: Services, runId?: string): Promise<void> {
  const tuned = (await services.inventory.runs.get()).filter((run) => run.kind === 'run' && run.tuned);
  const id = runId ?? (await chooseRun(services, 'Apply the answer of which tuning?', tuned))?.id;
  if (id === undefined) return;
  const run = await recordOf(services, id);
  if (applicableAnswers(run).length === 0) {
    void inform('This run recommends no value that could be applied.');
    return;
  }
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

async function tuningOf(services: Services, id: string): Promise<TuneRequest | undefined> {
  const { result } = await recordOf(services, id);
  return result.kind === 'tune' ? result.request : undefined;
}

async function recordOf(services: Services, id: string): Promise<RunRecord> {
  return (await services.engine.request('runs/get', { id })).run;
}
