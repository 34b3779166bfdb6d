import type { FoundService } from '../../model/domain/detection.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { MeasureKind } from '../../model/protocol/measureRequest.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog } from '../../model/protocol/protocol.ts';
import { thisFolder } from '../kit/ids.ts';
import { askText, pickOne, pickSome, type StepFrame } from '../kit/safeUi/multiStep.ts';
import { setUp, undeclaredServices } from '../targets/declareServices.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { showForm } from '../form/chosenForm.ts';
import type { Services } from '../services/services.ts';
import {
  firstRunOf,
  formOf,
  loadChoices,
  parseSizes,
  poolRange,
  presetPoolSizes,
  requestOf,
  targetItems,
  type Answers,
} from './answers.ts';

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
  if (!('setUp' in answered)) return runAnswered(services, answered, remembered);
  const id = await setUp(services, answered.setUp);
  if (id !== undefined) await runOwn(services, id);
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

/**
 * Asks for targets, load profile and pool sizes, with the last answers chosen beforehand, so that Enter, Enter, Enter repeats them.
 * The third step is left out where no chosen target has a pool. Services that were `found` and are not declared are offered first; one that is chosen is the
 * answer, since it has to be set up before there is more to ask. `undefined` when the person leaves.
 */
async function askBenchmark(
  catalog: Catalog,
  form: Form,
  found: readonly FoundService[],
): Promise<Answers | { setUp: FoundService } | undefined> {
  let targets = form.targets;
  let load = form.load;
  for (let step = 1; ;) {
    const current: Form = { ...form, targets, load };
    const range = poolRange(catalog.targets.filter((target) => targets.includes(target.id)));
    const frame: StepFrame = { title: 'Run Benchmark', step, steps: range === null ? 2 : 3 };
    if (step === 1) {
      const answer = await pickSome(frame, 'Choose one target, or several to compare them', targetItems(catalog, current, found));
      if (answer.kind !== 'next') return undefined;
      const setUp = answer.value.find((item) => item.setUp !== undefined)?.setUp;
      if (setUp !== undefined) return { setUp };
      targets = answer.value.flatMap(({ target }) => target?.id ?? []);
      step = 2;
    } else if (step === 2 || range === null) {
      const items = loadChoices(catalog, current).map(({ name, description, detail }) => ({ label: name, description, detail }));
      const answer = await pickOne(frame, 'Choose a load profile', items, items[0]);
      if (answer.kind === 'leave') return undefined;
      if (answer.kind === 'next') load = answer.value.label;
      if (answer.kind === 'next' && range === null) return { targets, load, poolSizes: null, sizes: null };
      step += answer.kind === 'next' ? 1 : -1;
    } else {
      const prompt = 'Pool sizes to compare, such as 2, 4, 8 or 2..64 for doublings';
      const answer = await askText(frame, prompt, presetPoolSizes(form), (text) => faultIn(parseSizes(text, range)));
      if (answer.kind === 'leave') return undefined;
      const parsed = answer.kind === 'next' ? parseSizes(answer.value, range) : null;
      if (answer.kind === 'next') return parsed?.ok === true ? { targets, load, poolSizes: answer.value, sizes: parsed.value } : undefined;
      step = 2;
    }
  }
}
