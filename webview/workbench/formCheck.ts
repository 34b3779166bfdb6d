import type { Form } from '../../src/model/panel.ts';
import type { Catalog, TargetState } from '../../src/model/protocol.ts';
import type { RunRequest } from '../../src/model/run.ts';
import { runRequestSchema } from '../../src/model/run.ts';
import type { SettingSpec, SettingValue } from '../../src/model/setting.ts';
import { parseChoiceList, parseNumberList, parseOneNumber } from '../shared/valueList.ts';
import type { SettingLabels } from '../shared/words.ts';
import { humanName } from '../shared/words.ts';
import type { Estimate } from './estimate.ts';
import { estimateRun } from './estimate.ts';

/** One text field of the form for a setting that one or more of the chosen targets take. */
export interface SettingField {
  name: string;
  label: string;
  /** Labels of the targets that take it, when not all chosen ones do. */
  owners: string[];
  /** Shown in the form itself; the others are under "More settings". */
  primary: boolean;
  placeholder: string;
  range: { kind: 'number'; min: number; max: number } | { kind: 'choice'; choices: string[] };
}

/** What the form says: a request that can be started, or what is wrong, by field name (`setting:pool`, `connections` …). */
export interface FormCheck {
  request: RunRequest | null;
  problems: Record<string, string>;
  estimate: Estimate | null;
}

/** The settings that people come to tune; a target's own first setting counts as one when it has none of these. */
const primaryNames = ['pool', 'threads', 'instances', 'workers', 'connections'];
const isPrimaryName = (name: string): boolean => primaryNames.includes(name) || /^(?:pool|threads?)(?:Size|Max)?$/.test(name);

/** Whether a target may be started in this window. */
export function isAllowed(target: TargetState, trusted: boolean): boolean {
  return trusted || target.origin === 'sample';
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

/** Checks the whole form and makes the request of it. */
export function checkForm(form: Form, catalog: Catalog, trusted: boolean): FormCheck {
  const problems: Record<string, string> = {};
  const targets = chosenTargets(form, catalog, trusted);
  if (targets.length === 0) problems['targets'] = 'Choose at least one target.';
  // One that failed may be tried again once its cause is mended: only one that was never startable is refused.
  const broken = targets.find((target) => target.problem !== null && target.state !== 'failed');
  if (broken?.problem) problems['targets'] = `${broken.label} cannot be started: ${broken.problem.message}`;

  const settings: Record<string, SettingValue[]> = {};
  for (const field of settingFields(targets)) {
    const text = form.values[field.name] ?? '';
    const parsed = field.range.kind === 'number' ? parseNumberList(text, field.range) : parseChoiceList(text, field.range.choices);
    if (!parsed.ok) problems[`setting:${field.name}`] = about(field.label, parsed.problem);
    else if (parsed.values.length > 0) settings[field.name] = parsed.values;
  }

  const connections = parseNumberList(form.connections, { min: 1, max: 10_000 });
  if (!connections.ok) problems['connections'] = about('Connections', connections.problem);
  const durationS = parseOneNumber(form.durationS, { min: 0.5, max: 3600, whole: false, what: 'A number' });
  if (!durationS.ok) problems['durationS'] = about('Seconds per block', durationS.problem);
  const rounds = parseOneNumber(form.rounds, { min: 1, max: 100, whole: true, what: 'A whole number' });
  if (!rounds.ok) problems['rounds'] = about('Rounds', rounds.problem);
  const load = catalog.loadProfiles.find((profile) => profile.name === form.load);
  if (!load) problems['load'] = form.load === '' ? 'Choose a load profile.' : `There is no load profile “${form.load}”.`;
  if (form.route !== '' && targets.length > 0 && !commonRoutes(targets).includes(form.route)) {
    problems['route'] = `Not all chosen targets answer ${form.route}.`;
  }

  if (Object.keys(problems).length > 0 || !load || !connections.ok || !durationS.ok || !rounds.ok)
    return { request: null, problems, estimate: null };
  const request = runRequestSchema.parse({
    targets: targets.map((target) => target.id),
    settings,
    load: load.name,
    ...(form.route === '' ? {} : { route: form.route }),
    ...(connections.values.length === 0 ? {} : { connections: connections.values }),
    ...(durationS.value === null ? {} : { durationS: durationS.value }),
    ...(rounds.value === null ? {} : { rounds: rounds.value }),
    ...(form.record ? { record: {} } : {}),
  });
  return { request, problems, estimate: estimateRun(request, targets, load) };
}

/** A problem with the name of its field: "Rounds: a whole number between 1 and 100." */
function about(label: string, problem: string): string {
  return `${label}: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
