import { capital } from '../../../src/model/domain/sentence.ts';
import { bouncerPoolSetting, bouncerPoolSpec, bouncerSchema } from '../../../src/model/domain/bouncer.ts';
import type { Form } from '../../../src/model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../../src/model/protocol/protocol.ts';
import type { SettingSpec } from '../../../src/model/domain/setting.ts';
import { mostInstances } from '../../../src/model/domain/topology.ts';
import type { Takes } from '../../../src/model/presentation/valueList.ts';
import { type SettingLabels, humanName } from '../../../src/model/presentation/settingWords.ts';

/** One text field of the form for a setting that one or more of the chosen targets take. */
export interface SettingField {
  name: string;
  label: string;
  /** Labels of the targets that take it, when not all chosen ones do. */
  owners: string[];
  /** Shown in the form itself; the others are under "More settings". */
  primary: boolean;
  placeholder: string;
  /** any: the engine reads it. */
  range: Takes | { kind: 'any' };
}

/** The settings that people come to tune; a target's own first setting counts as one when it has none of these. */
const primaryNames = ['pool', 'threads', 'instances', 'workers', 'connections'];
const isPrimaryName = (name: string): boolean => primaryNames.includes(name) || /^(?:pool|threads?)(?:Size|Max)?$/.test(name);

/** Whether a target may be started in this window. */
export function isAllowed(target: TargetState, trusted: boolean): boolean {
  return trusted || target.origin !== 'workspace';
}

/** The chosen targets that may be started, in the order of the catalog. */
export function chosenTargets(form: Form, catalog: Catalog, trusted: boolean): TargetState[] {
  return catalog.targets.filter((target) => form.targets.includes(target.id) && isAllowed(target, trusted));
}

/** The fields for what the chosen targets can be set to, those people come for first. */
export function settingFields(targets: readonly TargetState[]): SettingField[] {
  const names = [...new Set(targets.flatMap((target) => Object.keys(target.settings)))];
  const lonely = new Set(
    targets.filter((target) => !Object.keys(target.settings).some(isPrimaryName)).map((target) => Object.keys(target.settings)[0]),
  );
  const fields = names.map((name) => fieldOf(name, targets, isPrimaryName(name) || lonely.has(name)));
  const rank = (field: SettingField): number => (primaryNames.indexOf(field.name) + primaryNames.length + 1) % (primaryNames.length + 1);
  return fields.sort((a, b) => Number(b.primary) - Number(a.primary) || rank(a) - rank(b));
}

/** The labels that targets declare for their settings, by setting name. */
export function settingLabels(targets: readonly TargetState[]): SettingLabels {
  const labels: Record<string, string> = {};
  for (const target of targets) {
    for (const [name, spec] of Object.entries(target.settings)) if (spec.label !== undefined) labels[name] ??= spec.label;
  }
  return labels;
}

function fieldOf(name: string, targets: readonly TargetState[], primary: boolean): SettingField {
  const takers = targets.flatMap((target) => {
    const spec = target.settings[name];
    return spec ? [{ label: target.label, spec }] : [];
  });
  const specs = takers.map((taker) => taker.spec);
  const unit = specs.flatMap((spec) => (spec.kind === 'number' && spec.unit !== undefined ? [spec.unit] : []))[0];
  const label = `${settingLabels(targets)[name] ?? capital(humanName(name))}${unit === undefined ? '' : ` (${unit})`}`;
  const defaults = [...new Set(specs.map((spec) => String(spec.default)))];
  return {
    name,
    label,
    owners: takers.length < targets.length ? takers.map((taker) => taker.label) : [],
    primary,
    placeholder: defaults.length === 1 ? (defaults[0] ?? '') : takers.map((taker) => `${taker.spec.default} (${taker.label})`).join(', '),
    range: rangeOf(specs),
  };
}

function rangeOf(specs: readonly SettingSpec[]): SettingField['range'] {
  const numbers = specs.filter((spec) => spec.kind === 'number');
  if (numbers.length === specs.length) {
    return { kind: 'number', min: Math.max(...numbers.map((spec) => spec.min)), max: Math.min(...numbers.map((spec) => spec.max)) };
  }
  const lists = specs.filter((spec) => spec.kind === 'choice').map((spec) => spec.choices);
  return { kind: 'choice', choices: (lists[0] ?? []).filter((choice) => lists.every((list) => list.includes(choice))) };
}

/** The routes that all chosen targets answer, as `METHOD /path`. */
export function commonRoutes(targets: readonly TargetState[]): string[] {
  const lists = targets.map((target) => target.routes.map((route) => `${route.method} ${route.path}`));
  return (lists[0] ?? []).filter((route, index, all) => all.indexOf(route) === index && lists.every((list) => list.includes(route)));
}

/** A field under "More settings" that all chosen targets have. */
function commonField(name: string, label: string, placeholder: string, range: SettingField['range']): SettingField {
  return { name, label, owners: [], primary: false, placeholder, range };
}

/** The setting that every target has: how many processes of it. None where a target declares one of that name itself. */
export function instancesField(targets: readonly TargetState[]): SettingField[] {
  if (targets.length === 0 || targets.some((target) => 'instances' in target.settings)) return [];
  return [commonField('instances', 'Instances', '1', { kind: 'number', min: 1, max: mostInstances })];
}

/** What all chosen targets can have without declaring it; keys of any name have no field. */
export function variantFields(targets: readonly TargetState[]): (SettingField & { help: string })[] {
  const [first, ...others] = targets;
  return (first?.variants ?? [])
    .filter(({ key }) => !key.includes('<') && others.every(({ variants = [] }) => variants.some((one) => one.key === key)))
    .map(({ key, meaning, takes }) => ({ ...commonField(key, key, 'as it is', { kind: 'any' }), help: `${meaning} Takes ${takes}` }));
}

/** The pool of the PgBouncer that the form asks for. None where a target declares one itself: then it has the setting. */
export function bouncerField({ bouncer }: Pick<Form, 'bouncer'>, targets: readonly TargetState[]): SettingField[] {
  if (bouncer === 'none' || targets.length === 0 || targets.some((target) => bouncerPoolSetting in target.settings)) return [];
  const spec = bouncerPoolSpec(bouncerSchema.parse({ mode: bouncer }));
  return [commonField(bouncerPoolSetting, spec.label ?? bouncerPoolSetting, String(spec.default), rangeOf([spec]))];
}
