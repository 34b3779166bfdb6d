import type { Form } from '../../model/panel.ts';
import { setUp, undeclaredServices } from '../targets/declareServices.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { showForm } from '../form/showForm.ts';
import type { Services } from '../services/services.ts';
import { formOf, requestOf } from './answers.ts';
import { askBenchmark } from './benchmarkQuestions.ts';
import type { BenchmarkAnswers } from './benchmarkQuestions.ts';

/** Asks what to run, with the last answers chosen beforehand, and runs it. `targetId` chooses that target beforehand. */
export async function runBenchmark(services: Services, targetId?: string): Promise<void> {
  if (await isBusy(services)) return;
  const catalog = await services.inventory.catalog();
  const remembered = await services.form.shown(catalog);
  const known = targetId !== undefined && catalog.targets.some((target) => target.id === targetId);
  const found = known ? [] : await undeclaredServices(services, catalog);
  const answered = await askBenchmark(catalog, known ? { ...remembered, targets: [targetId] } : remembered, { found });
  if (answered === undefined) return;
  if ('setUp' in answered) {
    const id = await setUp(services, answered.setUp);
    if (id !== undefined) await runOwn(services, id);
    return;
  }
  await runAnswered(services, answered, remembered);
}

/** Runs a service that has just been set up: which one is not asked again. */
async function runOwn(services: Services, id: string): Promise<void> {
  const catalog = await services.inventory.catalogWith([id]);
  const remembered = await services.form.shown(catalog);
  const answered = await askBenchmark(catalog, { ...remembered, targets: [id] }, { first: 2 });
  if (answered !== undefined && !('setUp' in answered)) await runAnswered(services, answered, remembered);
}

async function runAnswered(services: Services, answered: BenchmarkAnswers, remembered: Form): Promise<void> {
  await showForm(services, formOf(answered.answers, remembered));
  await measure(services, { kind: 'run', ...requestOf(answered.answers, answered.sizes) });
}

/** Runs what was run last, without a question; asks when there was nothing yet. */
export async function runBenchmarkAgain(services: Services): Promise<void> {
  if (await isBusy(services)) return;
  const request = await services.memory.last('run');
  if (request === undefined) await runBenchmark(services);
  else await measure(services, request);
}
