import * as z from 'zod';
import { listed } from '../../src/model/protocol/listed.ts';
import { type LiveRequest, liveRequestSchema } from '../../src/model/protocol/live.ts';
import { parseNumber } from '../../src/model/domain/numberText.ts';
import { type Parsed, about, misread, optional, understood } from '../../src/model/domain/parsed.ts';
import type { Catalog, TargetState } from '../../src/model/protocol/protocol.ts';
import type { SettingSpec, SettingValue, SettingValues } from '../../src/model/domain/setting.ts';
import { type SettingField, commonRoutes, isAllowed, settingFields } from '../kit/fields/settingFields.ts';

/** What the live view's form holds, as typed. */
export const liveFormSchema = z.object({
  target: z.string(),
  values: z.record(z.string(), z.string()).describe('by setting name'),
  connections: z.string(),
  load: z.string(),
  route: z.string().describe('empty: the mix'),
});
export type LiveForm = z.infer<typeof liveFormSchema>;

export const emptyLiveForm: LiveForm = { target: '', values: {}, connections: '', load: 'steady', route: '' };

/** What the form says: a request that can be started, or what is wrong, by field name. */
export interface LiveFormCheck {
  request: LiveRequest | null;
  target: TargetState | null;
  /** The settings that are asked for: those people come for; the others keep their defaults. */
  fields: SettingField[];
  problems: Record<string, string>;
}

/** Checks the form. A target that is gone or not allowed gives way to the first that is. */
export function checkLiveForm(form: LiveForm, catalog: Catalog, trusted: boolean): LiveFormCheck {
  const allowed = listed(catalog.targets, ({ id }) => id === form.target).filter((target) => isAllowed(target, trusted));
  const target = allowed.find((candidate) => candidate.id === form.target) ?? allowed[0] ?? null;
  if (!target) return { request: null, target, fields: [], problems: { target: 'There is no target that may be started.' } };

  const problems: Record<string, string> = {};
  if (target.problem !== null && target.state !== 'failed')
    problems['target'] = `${target.label} cannot be started: ${target.problem.message}`;
  const fields = settingFields([target]).filter((field) => field.primary);
  const settings: SettingValues = {};
  for (const field of fields) {
    const parsed = settingValue(target.settings[field.name], form.values[field.name] ?? '');
    if (!parsed.ok) problems[`setting:${field.name}`] = about(field.label, parsed.problem);
    else if (parsed.value !== null) settings[field.name] = parsed.value;
  }
  const connections = optional(form.connections, (text) => parseNumber(text, { min: 1, max: 10_000, whole: true }));
  if (!connections.ok) problems['connections'] = about('Connections', connections.problem);
  const load = catalog.loadProfiles.find((profile) => profile.name === form.load);
  if (!load) problems['load'] = form.load === '' ? 'Choose a load profile.' : `There is no load profile “${form.load}”.`;
  if (form.route !== '' && !commonRoutes([target]).includes(form.route))
    problems['route'] = `${target.label} does not answer ${form.route}.`;
  if (Object.keys(problems).length > 0 || !load || !connections.ok) return { request: null, target, fields, problems };
  const request = liveRequestSchema.parse({
    target: target.id,
    settings,
    load: load.name,
    ...(form.route === '' ? {} : { route: form.route }),
    ...(connections.value === null ? {} : { connections: connections.value }),
  });
  return { request, target, fields, problems };
}

function settingValue(spec: SettingSpec | undefined, text: string): Parsed<SettingValue | null> {
  if (spec?.kind !== 'choice') {
    return optional(text, (typed) => parseNumber(typed, { min: spec?.min ?? 1, max: spec?.max ?? 1024, whole: true }));
  }
  const word = text.trim().toLowerCase();
  const choice = spec.choices.find((candidate) => candidate.toLowerCase() === word);
  if (word === '') return understood(null);
  return choice === undefined ? misread(`One of ${spec.choices.join(', ')}.`) : understood(choice);
}
