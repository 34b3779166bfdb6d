import { parseDuration } from '../../model/domain/durationText.ts';
import { budgetRangeS } from '../../model/domain/runOptions.ts';
import type { Form } from '../../model/protocol/panel.ts';
import { misread, type Parsed } from '../../model/domain/parsed.ts';
import type { AskedOf } from '../../model/protocol/measureRequest.ts';
import type { TargetState } from '../../model/protocol/protocol.ts';
import { settingLabel, type SettingSpec, type SettingValue, type SettingValues } from '../../model/domain/setting.ts';
import { mostInstances } from '../../model/domain/topology.ts';
import type { TuneRequest } from '../../model/domain/tuning.ts';
import { emptyForm } from '../../model/presentation/emptyForm.ts';
import { parseSettingValues, type Takes } from '../../model/presentation/valueList.ts';

/** A setting that can be tuned: one that the target declares, or the number of its processes, which every target has. */
export interface Tunable {
  name: string;
  label: string;
  /** What it takes now, in a few words. */
  about: string;
  takes: Exclude<Takes, { kind: 'number' }> | (Extract<Takes, { kind: 'number' }> & { default: number });
}

export const instancesName = 'instances';
const firstBudget = '2 min';

/** What of a target can be tuned: its settings in the order in which it declares them, pool and threads first, then the number of its processes. */
export function tunables(target: Pick<TargetState, 'settings'>): Tunable[] {
  const rank = (name: string): number => (['pool', 'threads'].indexOf(name) + 3) % 3;
  const declared = Object.entries(target.settings)
    .map(([name, spec]) => declaredTunable(name, spec))
    .filter(({ takes }) => (takes.kind === 'number' ? takes.min < takes.max : takes.choices.length > 1))
    .sort((a, b) => rank(a.name) - rank(b.name));
  const instances: Tunable = {
    name: instancesName,
    label: 'Instances',
    about: 'so many processes of it, the load shared among them',
    takes: { kind: 'number', min: 1, max: mostInstances, default: 1 },
  };
  return Object.hasOwn(target.settings, instancesName) ? declared : [...declared, instances];
}

function declaredTunable(name: string, spec: SettingSpec): Tunable {
  const values = spec.kind === 'choice' ? spec.choices.join(', ') : `${spec.min} to ${spec.max}`;
  return { name, label: settingLabel(name, spec), about: `${values}; ${spec.default} by default`, takes: spec };
}

/** The values that are offered when a setting is tuned for the first time: doublings around its default, from a quarter to eight times. */
export function firstValuesText({ takes }: Tunable): string {
  if (takes.kind === 'choice') return takes.choices.join(', ');
  const power = (value: number): number => 2 ** Math.floor(Math.log2(Math.max(1, value)));
  const low = Math.max(takes.min, power(takes.default / 4));
  const high = Math.min(takes.max, power(takes.default * 8));
  // A default of nothing, or of the most there may be, leaves one value: then the ends are the choice.
  const text = `${low}..${high}`;
  return parseTuneValues(text, { takes }).ok ? text : `${takes.min}, ${takes.max}`;
}

/** Reads the values of a setting as typed: `2..64`, `2, 4, 8`, or words of a choice. At least two, or there is nothing to find out. */
export function parseTuneValues(text: string, { takes }: Pick<Tunable, 'takes'>): Parsed<SettingValue[]> {
  const parsed = parseSettingValues(text, takes);
  return parsed.ok && parsed.value.length < 2 ? misread('One value leaves nothing to find out. Type at least two.') : parsed;
}

/** Reads a budget as typed, in seconds. */
export function parseBudget(text: string): Parsed<number> {
  return parseDuration(text, budgetRangeS);
}

/** All that was answered. The texts are as typed and checked. */
export interface TuneAnswers {
  target: TargetState;
  tunable: Tunable;
  valuesText: string;
  budgetText: string;
}

/** What is offered beforehand: last time’s answers as far as they still fit. */
export interface TuneOffer {
  targetId: string | undefined;
  /** The setting that was tuned last. */
  setting: string | undefined;
  form: Form;
}

/** What is offered from the form on show and from the last tuning. */
export function tuneOffer(form: Form, last: TuneRequest | undefined): TuneOffer {
  const setting = Object.entries(last?.settings ?? {}).find(([, values]) => values.length > 1)?.[0];
  return { targetId: last?.targets[0] ?? form.targets[0], setting, form };
}

/** The values offered for a setting: those typed last, or the first ones when it was never tuned. */
export function presetValuesText(tunable: Tunable, { form, setting }: TuneOffer): string {
  const typed = setting === tunable.name ? form.values[tunable.name] : undefined;
  return typed !== undefined && parseTuneValues(typed, tunable).ok ? typed : firstValuesText(tunable);
}

export function presetBudgetText({ form }: TuneOffer): string {
  return parseBudget(form.budget).ok ? form.budget : firstBudget;
}

/** The answers that are chosen beforehand for a target; null where nothing of it can be tuned. */
export function presetAnswers(target: TargetState, offer: TuneOffer): TuneAnswers | null {
  const all = tunables(target);
  const tunable = all.find(({ name }) => name === offer.setting) ?? all[0];
  if (tunable === undefined) return null;
  return { target, tunable, valuesText: presetValuesText(tunable, offer), budgetText: presetBudgetText(offer) };
}

/** The form after the answers: what is run is what the form shows. What is applied to the target holds for its other settings. */
export function tuneFormOf({ target, tunable, valuesText, budgetText }: TuneAnswers, load: string, applied: SettingValues): Form {
  const others = Object.entries(applied).filter(([name]) => name !== tunable.name);
  const values = Object.fromEntries([
    ...others.map(([name, value]): [string, string] => [name, String(value)]),
    [tunable.name, valuesText],
  ]);
  return { ...emptyForm, targets: [target.id], values, load, budget: budgetText };
}

/** The request that the answers make. Null when a text does not hold what it should. */
export function tuneRequestOf(answers: TuneAnswers, load: string, applied: SettingValues): AskedOf<'tune'> | null {
  const parsed = parseTuneValues(answers.valuesText, answers.tunable);
  const budget = parseBudget(answers.budgetText);
  if (!parsed.ok || !budget.ok) return null;
  const others = Object.entries(applied).filter(([name]) => name !== answers.tunable.name);
  const settings = Object.fromEntries([
    ...others.map(([name, value]): [string, SettingValue[]] => [name, [value]]),
    [answers.tunable.name, parsed.value],
  ]);
  return { targets: [answers.target.id], settings, load, budgetS: budget.value };
}
