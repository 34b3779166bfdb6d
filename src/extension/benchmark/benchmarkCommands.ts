import type { MeasureKind } from '../../model/protocol/measureRequest.ts';
import type { Form } from '../../model/protocol/panel.ts';
import { thisFolder } from '../kit/ids.ts';
import { setUp, undeclaredServices } from '../targets/declareServices.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { showForm } from '../form/chosenForm.ts';
import type { Services } from '../services/services.ts';
import { firstRunOf, formOf, requestOf, type Answers } from './answers.ts';
import { askBenchmark } from './benchmarkQuestions.ts';

/**
 * Asks what to run, with the last answers chosen beforehand, and runs it. `targetId` chooses that target beforehand; where it is a service of the folder that is
 * not declared yet ({@link thisFolder}: the only one), it is set up and run without asking what to run.
 */
export async function runBenchmark(services: Services, targetId?: string): Promise<void> {
  if (await isBusy(services)) return;
  const catalog = await services.inventory.catalog.get();
  const remembered = await services.form.shown(catalog);
  const known = targetId !== undefined && catalog.targets.some((target) => target.id === targetId);
  const found = known ? [] : await undeclaredServices(services, catalog);
  const [only, ...others] = found;
  const given = targetId === thisFolder && others.length === 0 ? only : found.find(({ id }) => id === targetId);
  const chosen = known ? { ...remembered, targets: [targetId] } : remembered;
  const answered = given === undefined ? await askBenchmark(catalog, chosen, found) : { setUp: given };
  if (answered === undefined) return;
  if ('setUp' in answered) {
    const id = await setUp(services, answered.setUp);
    if (id !== undefined) await runOwn(services, id);
    return;
  }
  await runAnswered(services, answered, remembered);
}

/** Runs a service that has just been set up, with what answers soonest: how long, and which sizes, can be asked once there is something to compare by. */
async function runOwn(services: Services, id: string): Promise<void> {
  const catalog = await services.inventory.catalogWith([id]);
  const target = catalog.targets.find((one) => one.id === id);
  if (target === undefined) return;
  const remembered = await services.form.shown(catalog);
  await runAnswered(services, firstRunOf(catalog, target, remembered), remembered);
}

async function runAnswered(services: Services, answered: Answers, remembered: Form): Promise<void> {
  await showForm(services, formOf(answered, remembered));
  await measure(services, { kind: 'run', ...requestOf(answered) });
}

/** Measures what was asked for last of a kind, without a question; asks what to run when there was nothing yet. */
export async function runBenchmarkAgain(services: Services, kind: MeasureKind = 'run'): Promise<void> {
  if (await isBusy(services)) return;
  const request = await services.memory.last(kind);
  if (request === undefined) await runBenchmark(services);
  else await measure(services, request);
}
