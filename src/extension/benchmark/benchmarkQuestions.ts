import type { FoundService } from '../../model/domain/detection.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog } from '../../model/protocol/protocol.ts';
import { loadChoices, poolRange, presetPoolSizes, targetItems, type BenchmarkAnswers } from './answers.ts';
import { askText, pickOne, pickSome, type StepFrame } from '../kit/safeUi/multiStep.ts';
import { parseSizes } from './poolSizes.ts';

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
): Promise<BenchmarkAnswers | { setUp: FoundService } | undefined> {
  let targets = form.targets;
  let load = form.load;
  let step = 1;
  for (;;) {
    const current: Form = { ...form, targets, load };
    const chosen = catalog.targets.filter((target) => targets.includes(target.id));
    const range = poolRange(chosen);
    const frame: StepFrame = { title, step, steps: range === null ? 2 : 3 };
    if (step === 1) {
      const answer = await pickSome(frame, 'Choose one target, or several to compare them', targetItems(catalog, current, found));
      if (answer.kind !== 'next') return undefined;
      const setUp = answer.value.find((item) => item.setUp !== undefined)?.setUp;
      if (setUp !== undefined) return { setUp };
      targets = answer.value.flatMap(({ target }) => target?.id ?? []);
      step = 2;
    } else if (step === 2) {
      const items = loadChoices(catalog, current).map((choice) => ({
        label: choice.name,
        description: choice.description,
        detail: choice.detail,
      }));
      const answer = await pickOne(frame, 'Choose a load profile', items, items[0]);
      if (answer.kind === 'leave') return undefined;
      if (answer.kind === 'back') {
        step = 1;
        continue;
      }
      load = answer.value.label;
      if (range === null) return { answers: { targets, load, poolSizes: null }, sizes: null };
      step = 3;
    } else {
      if (range === null) return undefined;
      const check = (text: string): string | undefined => faultIn(parseSizes(text, range));
      const answer = await askText(frame, 'Pool sizes to compare, such as 2, 4, 8 or 2..64 for doublings', presetPoolSizes(form), check);
      if (answer.kind === 'leave') return undefined;
      if (answer.kind === 'back') {
        step = 2;
        continue;
      }
      const parsed = parseSizes(answer.value, range);
      return parsed.ok ? { answers: { targets, load, poolSizes: answer.value }, sizes: parsed.value } : undefined;
    }
  }
}
