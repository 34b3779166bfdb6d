import type { FoundService } from '../../model/domain/detection.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog } from '../../model/protocol/protocol.ts';
import { loadChoices, parseSizes, poolRange, presetPoolSizes, targetItems, type Answers } from './answers.ts';
import { askText, pickOne, pickSome, type StepFrame } from '../kit/safeUi/multiStep.ts';

const title = 'Run Benchmark';

/**
 * Asks for targets, load profile and pool sizes, with the last answers chosen beforehand, so that Enter, Enter, Enter repeats them.
 * The third step is left out where no chosen target has a pool. Services that were `found` and are not declared are offered first; one that is chosen is the
 * answer, since it has to be set up before there is more to ask. `undefined` when the person leaves.
 */
export async function askBenchmark(
  catalog: Catalog,
  form: Form,
  found: readonly FoundService[],
): Promise<Answers | { setUp: FoundService } | undefined> {
  let targets = form.targets;
  let load = form.load;
  for (let step = 1; ;) {
    const current: Form = { ...form, targets, load };
    const range = poolRange(catalog.targets.filter((target) => targets.includes(target.id)));
    const frame: StepFrame = { title, step, steps: range === null ? 2 : 3 };
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
