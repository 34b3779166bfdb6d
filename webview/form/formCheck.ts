import type { RequestOf } from '../../src/model/protocol/measureRequest.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../src/model/protocol/protocol.ts';
import { about, optional } from '../../src/model/domain/parsed.ts';
import { runRequestSchema } from '../../src/model/domain/run.ts';
import { allFlags, askedFlags } from '../../src/model/domain/runFlags.ts';
import { asTuneOptions, readRunOption } from '../../src/model/presentation/runOptionText.ts';
import { type RunOptionValues, formOptions } from '../../src/model/domain/runOptions.ts';
import type { SettingValue } from '../../src/model/domain/setting.ts';
import { tuneRequestSchema } from '../../src/model/domain/tuning.ts';
import { parseNumbers, parseSettingValues, parseValues } from '../../src/model/presentation/valueList.ts';
import { estimatePhrase, estimateRun, timePhrase } from './estimate.ts';
import { checkSearch, searchPhrase } from './searchCheck.ts';
import { bouncerField, chosenTargets, commonRoutes, instancesField, settingFields, variantFields } from '../kit/fields/settingFields.ts';
import { bouncerSchema } from '../../src/model/domain/bouncer.ts';
import { parseNumber } from '../../src/model/domain/numberText.ts';
import { type RunTopology, proxySchema } from '../../src/model/domain/topology.ts';

/** The message that Run sends: it asks for rounds of fixed number, or for a search within a budget. */
export interface StartMessage {
  type: 'measure';
  request: RequestOf<'run' | 'tune'>;
}

/** What the form says: what can be started, or what is wrong, by field name (`setting:pool`, `connections` …). */
export interface FormCheck {
  start: StartMessage | null;
  problems: Record<string, string>;
  /** What Run would do and about how long that takes, in one sentence. */
  estimate: string | null;
  /** About how long it would take with each load profile, by name: an empty text where a budget says it, none where nothing can be started. */
  loadTimes: Readonly<Record<string, string>>;
}

export function checkForm(form: Form, catalog: Catalog, trusted: boolean): FormCheck {
  const problems: Record<string, string> = {};
  const targets = chosenTargets(form, catalog, trusted);
  if (targets.length === 0) problems['targets'] = 'Choose at least one target.';
  // One that failed may be tried again once its cause is mended: only one that was never startable is refused.
  const broken = targets.find((target) => target.problem !== null && target.state !== 'failed');
  if (broken?.problem) problems['targets'] = `${broken.label} cannot be started: ${broken.problem.message}`;

  const settings: Record<string, SettingValue[]> = {};
  for (const field of [...settingFields(targets), ...instancesField(targets), ...bouncerField(form, targets), ...variantFields(targets)]) {
    const text = form.values[field.name] ?? '';
    const parsed = field.range.kind === 'any' ? parseValues(text) : parseSettingValues(text, field.range);
    if (!parsed.ok) problems[`setting:${field.name}`] = about(field.label, parsed.problem);
    else if (parsed.value.length > 0) settings[field.name] = parsed.value;
  }

  const connections = parseNumbers(form.connections, { min: 1, max: 10_000 });
  if (!connections.ok) problems['connections'] = about('Connections', connections.problem);
  const load = catalog.loadProfiles.find((profile) => profile.name === form.load);
  if (!load) problems['load'] = form.load === '' ? 'Choose a load profile.' : `There is no load profile “${form.load}”.`;
  if (form.route !== '' && targets.length > 0 && !commonRoutes(targets).includes(form.route)) {
    problems['route'] = `Not all chosen targets answer ${form.route}.`;
  }
  const search = checkSearch(form, settings, connections.ok ? connections.value : []);
  const { topology, problems: around } = checkTopology(form, settings, targets, catalog);
  const { k6Problem } = catalog;
  if (form.k6 !== '' && k6Problem != null) problems['k6'] = `${k6Problem.message} ${k6Problem.cure}`;
  else if (form.k6 !== '' && form.raw) problems['k6'] = 'Raw samples are kept by Benchside’s own generator: leave one of the two out.';
  const { options, problems: numbers } = checkOptions(form, search.searching);
  Object.assign(problems, search.problems, around, numbers);

  if (Object.keys(problems).length > 0 || !load || !connections.ok) return { start: null, problems, estimate: null, loadTimes: {} };
  const common = {
    targets: targets.map((target) => target.id),
    settings,
    load: load.name,
    ...(form.route === '' ? {} : { route: form.route }),
    ...(topology === undefined ? {} : { topology }),
    ...(form.record ? { record: {} } : {}),
    ...(form.k6 === '' ? {} : { generator: { kind: 'k6' as const, processes: Number(form.k6) } }),
    ...(form.raw ? { raw: { share: Number(form.rawShare) } } : {}),
  };
  if (search.request !== null) {
    const request = tuneRequestSchema.parse({ ...common, ...asTuneOptions(options), ...allFlags(form), ...search.request });
    const loadTimes = Object.fromEntries(catalog.loadProfiles.map(({ name }) => [name, '']));
    return {
      start: { type: 'measure', request: { kind: 'tune', ...request } },
      problems,
      estimate: searchPhrase(request, targets),
      loadTimes,
    };
  }
  const request = runRequestSchema.parse({
    ...common,
    ...(connections.value.length === 0 ? {} : { connections: connections.value }),
    ...options,
    ...askedFlags(form),
  });
  const unused = form.budget.trim() === '' ? '' : '. The budget is for two values or more of a setting; this run has fixed rounds';
  const loadTimes = Object.fromEntries(
    catalog.loadProfiles.map((profile) => [profile.name, timePhrase(estimateRun(request, targets, profile))]),
  );
  const estimate = `${estimatePhrase(estimateRun(request, targets, load))}${unused}`;
  return { start: { type: 'measure', request: { kind: 'run', ...request } }, problems, estimate, loadTimes };
}

/** The options that are one number, and what is wrong with those that cannot be read. In a search, those that it does not know do not count. */
function checkOptions(form: Form, searching: boolean): { options: RunOptionValues; problems: Record<string, string> } {
  const options: RunOptionValues = {};
  const problems: Record<string, string> = {};
  for (const [name, option] of formOptions) {
    if (searching && option.tune === undefined) continue;
    const read = optional(form[name], (text) => readRunOption(option, text));
    if (!read.ok) problems[name] = about(option.form.label, read.problem);
    else if (read.value !== null) options[name] = read.value;
  }
  return { options, problems };
}

/** The part of the form about what is around the instances, or what is wrong with it, by field name. */
interface TopologyCheck {
  /** Undefined where the form asks for nothing of it. */
  topology: RunTopology | undefined;
  problems: Record<string, string>;
}

const coresRange = { min: 0.05, max: 64 };

/** Checks the proxy, the PgBouncer, the share of the CPU and the connections that are shared among the instances. */
function checkTopology(
  form: Form,
  settings: Readonly<Record<string, readonly SettingValue[]>>,
  targets: readonly TargetState[],
  catalog: Pick<Catalog, 'proxyProblem' | 'bouncerProblem'>,
): TopologyCheck {
  const problems: Record<string, string> = {};
  const total = optional(form.totalConnections, (text) => parseNumber(text, { min: 1, max: 10_000, whole: true }));
  if (!total.ok) problems['totalConnections'] = about('Total connections', total.problem);
  else if (total.value !== null) Object.assign(problems, sharedProblem(total.value, settings, targets));
  const cores = optional(form.cpuShare, (text) => parseNumber(text, { ...coresRange, whole: false }));
  if (!cores.ok) problems['cpuShare'] = about('CPU per process', cores.problem);
  const { proxyProblem, bouncerProblem } = catalog;
  if (form.proxy !== 'none' && proxyProblem != null) problems['proxy'] = `${proxyProblem.message} ${proxyProblem.cure}`;
  if (form.bouncer !== 'none' && bouncerProblem != null) problems['bouncer'] = `${bouncerProblem.message} ${bouncerProblem.cure}`;
  if (Object.keys(problems).length > 0 || !total.ok || !cores.ok) return { topology: undefined, problems };
  const { upstreamKeepAlive, staticFiles } = form;
  const proxy = form.proxy === 'none' ? null : proxySchema.parse({ balance: form.proxy, upstreamKeepAlive, staticFiles });
  const bouncer = form.bouncer === 'none' ? {} : { bouncer: bouncerSchema.parse({ mode: form.bouncer }) };
  const asked = form.bouncer !== 'none' || proxy !== null || cores.value !== null || total.value !== null;
  const shared = total.value === null ? {} : { totalConnections: total.value };
  return { topology: asked ? { proxy, cpuShare: cores.value, ...shared, ...bouncer } : undefined, problems };
}

/** Why so many connections cannot be shared out. */
function sharedProblem(
  total: number,
  settings: Readonly<Record<string, readonly SettingValue[]>>,
  targets: readonly TargetState[],
): Record<string, string> {
  const without = targets.find((target) => target.settings['pool'] === undefined);
  if (without !== undefined)
    return {
      totalConnections: `Total connections: ${without.label} has no setting “pool” by which they could be shared out. Leave them empty.`,
    };
  if (settings['pool'] !== undefined)
    return { totalConnections: 'Total connections: the pool of each instance follows from them. Leave the pool size empty, or them.' };
  const most = Math.max(1, ...(settings['instances'] ?? []).map(Number));
  return total < most
    ? { totalConnections: `Total connections: ${total} cannot be shared among ${most} instances. Give at least ${most}.` }
    : {};
}
