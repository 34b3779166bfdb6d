import * as z from 'zod';
import { listed } from '../../src/model/listed.ts';
import type { LiveRequest } from '../../src/model/live.ts';
import { liveRequestSchema } from '../../src/model/live.ts';
import type { Catalog, TargetState } from '../../src/model/protocol.ts';
import type { SettingSpec, SettingValue, SettingValues } from '../../src/model/setting.ts';
import { parseOneNumber } from '../kit/fields/valueList.ts';
import type { SettingField } from '../kit/fields/settingFields.ts';
import { commonRoutes, isAllowed, settingFields } from '../kit/fields/settingFields.ts';

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
    if ('problem' in parsed) problems[`setting:${field.name}`] = `${field.label}: ${parsed.problem}`;
    else if (parsed.value !== null) settings[field.name] = parsed.value;
  }
  const connections = parseOneNumber(form.connections, { min: 1, max: 10_000, whole: true, what: 'a whole number' });
  if (!connections.ok) problems['connections'] = `Connections: ${connections.problem}`;
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

function settingValue(spec: SettingSpec | undefined, text: string): { value: SettingValue | null } | { problem: string } {
  if (spec?.kind !== 'choice') {
    const range = { min: spec?.min ?? 1, max: spec?.max ?? 1024, whole: true, what: 'a whole number' };
    const parsed = parseOneNumber(text, range);
    return parsed.ok ? { value: parsed.value } : { problem: parsed.problem };
  }
  const word = text.trim().toLowerCase();
  const choice = spec.choices.find((candidate) => candidate.toLowerCase() === word);
  if (word === '') return { value: null };
  return choice === undefined ? { problem: `one of ${spec.choices.join(', ')}.` } : { value: choice };
}
