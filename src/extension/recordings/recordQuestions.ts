import { loadChoices } from '../benchmark/answers.ts';
import type { Form } from '../../model/panel.ts';
import type { Catalog, TargetState } from '../../model/protocol.ts';
import type { LocalProcess, RecorderState } from '../../model/recording.ts';
import type { SettingValues } from '../../model/setting.ts';
import { askText, pickOne, type StepFrame, type StepResult } from '../kit/words/multiStep.ts';
import {
  parseSettings,
  secondsProblem,
  settingsText,
  subjectChoices,
  whatChoices,
  type Choice,
  type RecordAnswers,
  type Subject,
  type What,
} from './recordChoices.ts';
import type { Choice as ListItem } from '../kit/words/picks.ts';
import type { RecordMemory } from '../services/recordMemory.ts';

const title = 'Record Flame Graph';
const noLoad = 'No load';

/** What there is to choose from. */
export interface RecordOffer {
  catalog: Catalog;
  processes: readonly LocalProcess[];
  recorders: readonly RecorderState[];
  form: Form;
  memory: RecordMemory;
  /** What is applied to a target: with it a recording begins, where no other values were recorded since. */
  applied: (target: TargetState) => SettingValues;
}

type Step = 'subject' | 'settings' | 'load' | 'what' | 'seconds';

/**
 * Asks what is to be recorded, with the last answers chosen beforehand, so that Enter alone repeats them. Settings and load are asked only for
 * targets. `undefined` when the person leaves.
 */
export async function askRecording(offer: RecordOffer, targetId: string | undefined): Promise<RecordAnswers | undefined> {
  const { memory, catalog } = offer;
  const subjects = subjectChoices(catalog, offer.processes);
  const given = subjects.find(({ value, problem }) => problem === null && isTarget(value, targetId));
  let subject: Subject | undefined = given?.value;
  let settings: string | undefined;
  let load: string | null | undefined;
  let what: What | undefined;
  let position = given === undefined ? 0 : 1;
  for (;;) {
    const steps = stepsFor(subject);
    const step = steps[position] ?? 'seconds';
    const frame: StepFrame = { title, step: position + 1, steps: steps.length };
    let answer: StepResult<unknown>;
    if (step === 'subject') {
      const last = subjects.find(({ value }) => isTarget(value, memory.targetId ?? undefined));
      const picked = await pickChoice(frame, 'Choose what to record', subjects, last);
      if (picked.kind === 'next') subject = picked.value;
      answer = picked;
    } else if (subject === undefined) {
      return undefined;
    } else if (step === 'settings' && subject.kind === 'target') {
      const { target } = subject;
      const check = (text: string): string | undefined => {
        const parsed = parseSettings(text, target);
        return parsed.ok ? undefined : parsed.problem;
      };
      const remembered = memory.settings[target.id];
      const preset =
        settings ??
        (remembered !== undefined && check(remembered) === undefined ? remembered : settingsText(target, offer.applied(target)));
      const typed = await askText(frame, `Settings of ${target.label}, such as ${settingsText(target)}`, preset, check);
      if (typed.kind === 'next') settings = typed.value;
      answer = typed;
    } else if (step === 'load' && subject.kind === 'target') {
      const picked = await pickLoad(frame, offer, load ?? memory.loads[subject.target.id]);
      if (picked.kind === 'next') load = picked.value;
      answer = picked;
    } else if (step === 'what') {
      const choices = whatChoices(subject, offer.recorders);
      const last = choices.find(
        ({ value, problem }) =>
          problem === null && (value.recorder?.id ?? null) === memory.what.recorder && value.events.join() === memory.what.events.join(),
      );
      const picked = await pickChoice(frame, 'Choose what to record of it', choices, last);
      if (picked.kind === 'next') what = picked.value;
      answer = picked;
    } else {
      const typed = await askText(frame, 'For how many seconds?', String(memory.seconds), secondsProblem);
      if (typed.kind === 'next' && what !== undefined)
        return { subject, settings: settings ?? '', load: load ?? null, what, seconds: Number(typed.value) };
      answer = typed;
    }
    if (answer.kind === 'leave') return undefined;
    position += answer.kind === 'back' ? -1 : 1;
  }
}

function stepsFor(subject: Subject | undefined): Step[] {
  if (subject?.kind === 'process') return ['subject', 'what', 'seconds'];
  const takesSettings = subject === undefined || Object.keys(subject.target.settings).length > 0;
  return ['subject', ...(takesSettings ? (['settings'] as const) : []), 'load', 'what', 'seconds'];
}

function isTarget(subject: Subject, id: string | undefined): boolean {
  return subject.kind === 'target' && subject.target.id === id;
}

async function pickChoice<T>(
  frame: StepFrame,
  placeholder: string,
  choices: readonly Choice<T>[],
  active: Choice<T> | undefined,
): Promise<StepResult<T>> {
  type Item = ListItem & { choice?: Choice<T> };
  const items: Item[] = choices.flatMap((choice): Item[] => {
    const row: Item = {
      label: choice.label,
      description: choice.description,
      choice,
      ...(choice.detail === undefined ? {} : { detail: choice.detail }),
    };
    return choice.heading === undefined ? [row] : [{ label: choice.heading, heading: true }, row];
  });
  const first =
    items.find(({ choice }) => choice !== undefined && choice === active) ?? items.find(({ choice }) => choice?.problem === null);
  const result = await pickOne(frame, placeholder, items, first, ({ choice }) => choice?.problem ?? undefined);
  return result.kind === 'next' && result.value.choice !== undefined
    ? { kind: 'next', value: result.value.choice.value }
    : result.kind === 'next'
      ? { kind: 'leave' }
      : result;
}

/** Load profiles, last time's first; and none at all. */
async function pickLoad(
  frame: StepFrame,
  { catalog, form }: RecordOffer,
  last: string | null | undefined,
): Promise<StepResult<string | null>> {
  const profiles = loadChoices(catalog, last === undefined || last === null ? form : { ...form, load: last });
  const items = [
    ...profiles.map(({ name, description, detail }) => ({ label: name, description, detail, load: name as string | null })),
    { label: noLoad, description: '', detail: 'You send the requests yourself; shares per request are then not known', load: null },
  ];
  const result = await pickOne(frame, 'Choose the load under which it is recorded', items, last === null ? items.at(-1) : items[0]);
  return result.kind === 'next' ? { kind: 'next', value: result.value.load } : result;
}
