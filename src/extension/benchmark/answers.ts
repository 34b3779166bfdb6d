import type { FoundService } from '../../model/discovery.ts';
import { emptyForm } from '../../model/emptyForm.ts';
import { defaultPoolSizes, isStartable, poolSettingName } from '../../model/formChoice.ts';
import { loadPhrase } from '../../model/loadWords.ts';
import { listed, targetGroups } from '../../model/listed.ts';
import type { Form } from '../../model/panel.ts';
import type { Catalog, TargetState } from '../../model/protocol.ts';
import type { RunRequest } from '../../model/run.ts';
import type { SettingSpec } from '../../model/setting.ts';
import type { SizeRange } from './poolSizes.ts';

/** What Run Benchmark asks for, one step each. */
export interface Answers {
  targets: string[];
  load: string;
  /** As typed; `null` when no chosen target takes a pool size. */
  poolSizes: string | null;
}

/** What the form says after Run Benchmark was answered: what is run is what the form shows, nothing hidden remains from before. */
export function formOf(answers: Answers, before: Form): Form {
  const values = answers.poolSizes === null ? before.values : { [poolSettingName]: answers.poolSizes };
  return { ...emptyForm, targets: answers.targets, values, load: answers.load };
}

/** The run that was asked for; `sizes` are the parsed pool sizes. */
export function requestOf(answers: Answers, sizes: number[] | null): RunRequest {
  return { targets: answers.targets, load: answers.load, settings: sizes === null ? {} : { [poolSettingName]: sizes } };
}

/** Pool sizes that every one of these targets takes; `null` when none of them has a pool. An empty range is `min > max`. */
export function poolRange(targets: readonly TargetState[]): SizeRange | null {
  const specs = targets
    .map((target) => target.settings[poolSettingName])
    .filter((spec): spec is Extract<SettingSpec, { kind: 'number' }> => spec?.kind === 'number');
  if (specs.length === 0) return null;
  return { min: Math.max(...specs.map((spec) => spec.min)), max: Math.min(...specs.map((spec) => spec.max)) };
}

/** The sizes offered in the third step: last time's, cut to what these targets take being left to the person. */
export function presetPoolSizes(form: Form): string {
  const remembered = form.values[poolSettingName];
  return remembered === undefined || remembered.trim() === '' ? defaultPoolSizes : remembered;
}

/** One row of the target step. */
export interface TargetChoice {
  id: string;
  label: string;
  description: string;
  detail: string | undefined;
  picked: boolean;
  group: TargetState['origin'];
}

/** Rows of the target step: the workspace's own first; one that cannot start shows why and is not chosen beforehand. */
export function targetChoices(catalog: Catalog, form: Pick<Form, 'targets'>): TargetChoice[] {
  const choices = listed(catalog.targets, ({ id }) => form.targets.includes(id)).map((target): TargetChoice => {
    const startable = isStartable(target);
    return {
      id: target.id,
      label: target.label,
      description: target.description,
      detail: target.problem === null ? undefined : `⚠ ${target.problem.message} ${target.problem.cure}`,
      picked: startable && form.targets.includes(target.id),
      group: target.origin,
    };
  });
  return targetGroups.flatMap(({ origin }) => choices.filter((choice) => choice.group === origin));
}

/** One row of a service that is in the folder and is not declared yet. */
interface FoundChoice {
  label: string;
  description: string;
  picked: boolean;
  setUp: FoundService;
}

/** The heading of the services that are in the folder and are not declared yet. */
export const foundHeading = 'This folder';

/** Rows of services that are not declared yet, before all others: the first is chosen beforehand, and where there is one, no sample is. */
export function foundChoices(found: readonly FoundService[]): FoundChoice[] {
  return found.map((service, index) => ({
    label: service.label,
    description: `${service.because} · is set up first`,
    picked: index === 0,
    setUp: service,
  }));
}

/** One row of the load-profile step. */
export interface LoadChoice {
  name: string;
  description: string;
  detail: string;
}

/** Rows of the load-profile step, last time's first so that Enter takes it again. How long it takes comes first: a narrow window cuts the end. */
export function loadChoices(catalog: Catalog, form: Form): LoadChoice[] {
  const choices = listed(catalog.loadProfiles, ({ name }) => name === form.load).map((profile) => {
    const connections = Array.isArray(profile.connections) ? profile.connections.join(', ') : String(profile.connections);
    return {
      name: profile.name,
      description: [loadPhrase(profile), ...(profile.origin === 'workspace' ? ['workspace'] : [])].join(' · '),
      detail: [`${connections} connections · ${profile.rounds} rounds of ${profile.durationS} s for each setting`, profile.description]
        .filter((part) => part !== '')
        .join(' — '),
    };
  });
  return [...choices.filter((choice) => choice.name === form.load), ...choices.filter((choice) => choice.name !== form.load)];
}
