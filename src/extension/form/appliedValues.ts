import type { Form } from '../../model/protocol/panel.ts';
import type { SettingSpec, SettingSpecs, SettingValue, SettingValues } from '../../model/domain/setting.ts';
import { isObject } from '../../model/domain/isObject.ts';

/** Values by target and setting, as a person applied them. */
export type AppliedValues = Record<string, SettingValues>;

/** Whether a setting takes a value. */
export function takes(spec: SettingSpec, value: SettingValue): boolean {
  if (spec.kind === 'choice') return typeof value === 'string' && spec.choices.includes(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= spec.min && value <= spec.max;
}

/** What can be applied of some values to a target with these settings; what it does not take is left out. */
export function applicableValues(values: SettingValues, settings: SettingSpecs): SettingValues {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const spec = Object.hasOwn(settings, name) ? settings[name] : undefined;
      return spec !== undefined && takes(spec, value);
    }),
  );
}

/** What was stored, as far as it is what was meant to be there: a workspace’s storage outlives the code that wrote it. */
export function readAppliedValues(stored: unknown): AppliedValues {
  if (!isObject(stored)) return {};
  const read: [string, SettingValues][] = [];
  for (const [target, values] of Object.entries(stored)) {
    if (!isObject(values)) continue;
    const fit = Object.entries(values).filter((entry): entry is [string, SettingValue] => isValue(entry[1]));
    if (fit.length > 0) read.push([target, Object.fromEntries(fit)]);
  }
  return Object.fromEntries(read);
}

function isValue(value: unknown): value is SettingValue {
  return (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && value !== '');
}

/**
 * A form that begins with applied values, when it is about that target alone. A field that holds several values is a question that may be asked again,
 * and stays.
 */
export function prefilled(form: Form, targetId: string, values: SettingValues): Form {
  if (form.targets.length !== 1 || form.targets[0] !== targetId) return form;
  const isOpen = (text: string | undefined): boolean => /^[^\s,;.…]*$/.test((text ?? '').trim());
  const filled = Object.entries(values).filter(([name]) => isOpen(form.values[name]));
  return { ...form, values: { ...form.values, ...Object.fromEntries(filled.map(([name, value]) => [name, String(value)])) } };
}
