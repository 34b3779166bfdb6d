import type { FoundService } from '../../model/domain/detection.ts';
import { emptyForm } from '../../model/presentation/emptyForm.ts';
import { defaultPoolSizes, isStartable, poolSettingName } from '../../model/presentation/formChoice.ts';
import { loadPhrase } from '../../model/presentation/loadWords.ts';
import { parseNumbers } from '../../model/presentation/valueList.ts';
import { listed, targetGroups } from '../../model/protocol/listed.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import { misread, type Parsed } from '../../model/domain/parsed.ts';
import type { RunRequest } from '../../model/domain/run.ts';
import type { SettingSpec } from '../../model/domain/setting.ts';
import type { Choice } from '../kit/safeUi/dialogs.ts';
import { foundChoices, foundHeading } from '../targets/foundChoices.ts';

/** What Run Benchmark asks for, one step each. */
export interface Answers {
  targets: string[];
  load: string;
  /** As typed; `null` when no chosen target takes a pool size. */
  poolSizes: string | null;
  /** What was typed, read. */
  sizes: number[] | null;
}

/** What the form says after Run Benchmark was answered: what is run is what the form shows, nothing hidden remains from before. */
export function formOf(answers: Omit<Answers, 'sizes'>, before: Form): Form {
  const values = answers.poolSizes === null ? before.values : { [poolSettingName]: answers.poolSizes };
  return { ...emptyForm, targets: answers.targets, values, load: answers.load };
}

/**
 * How a service that was just set up is run for the first time: with the load profile *quick*, and the sizes of the form as far as it takes them, so that a person
 * reads a first answer before there is more to decide.
 */
export function firstRunOf({ loadProfiles }: Pick<Catalog, 'loadProfiles'>, target: TargetState, form: Form): Answers {
  const load = loadProfiles.find(({ name }) => name === firstLoad)?.name ?? form.load;
  const range = poolRange([target]);
  const parsed = range === null ? null : parseSizes(presetPoolSizes(form), range);
  const sizes = parsed?.ok === true ? parsed.value : null;
  return { targets: [target.id], load, poolSizes: sizes === null ? null : presetPoolSizes(form), sizes };
}

const firstLoad = 'quick';

/** The run that was asked for. */
export function requestOf({ targets, load, sizes }: Omit<Answers, 'poolSizes'>): RunRequest {
  return { targets, load, settings: sizes === null ? {} : { [poolSettingName]: sizes } };
}

/** Smallest and largest size that every chosen target takes. */
interface SizeRange {
  min: number;
  max: number;
}

/** Pool sizes that every one of these targets takes; `null` when none of them has a pool. An empty range is `min > max`. */
export function poolRange(targets: readonly TargetState[]): SizeRange | null {
  const specs = targets
    .map((target) => target.settings[poolSettingName])
    .filter((spec): spec is Extract<SettingSpec, { kind: 'number' }> => spec?.kind === 'number');
  if (specs.length === 0) return null;
  return { min: Math.max(...specs.map((spec) => spec.min)), max: Math.min(...specs.map((spec) => spec.max)) };
}

/** Reads the pool sizes of a benchmark as typed: at least one, and such that every chosen target takes it. */
export function parseSizes(text: string, range: SizeRange): Parsed<number[]> {
  if (range.min > range.max) return misread('The chosen targets have no pool size in common. Go back and choose fewer.');
  const parsed = parseNumbers(text, range);
  return parsed.ok && parsed.value.length === 0 ? misread('Type at least one size, such as 2, 4, 8.') : parsed;
}

/** The sizes offered in the third step: last time's, cut to what these targets take being left to the person. */
export function presetPoolSizes(form: Form): string {
  const remembered = form.values[poolSettingName];
  return remembered === undefined || remembered.trim() === '' ? defaultPoolSizes : remembered;
}

/** One row of a question for targets: one of them, a service that has to be set up first, or a heading. `problem`: why it cannot start. */
export interface TargetItem extends Choice {
  target?: TargetState;
  setUp?: FoundService;
  problem: string | null;
}

/**
 * Rows of a question for targets: services of the folder that were `found` and are not declared, then the workspace's own before all others. One that cannot start
 * shows why and is not chosen beforehand, and none is where there is a service to set up.
 */
export function targetItems(catalog: Catalog, form: Pick<Form, 'targets'>, found: readonly FoundService[]): TargetItem[] {
  const chosen = found.length > 0 ? [] : form.targets;
  const targets = listed(catalog.targets, ({ id }) => chosen.includes(id));
  return [
    ...headed(foundHeading, foundChoices(found)),
    ...targetGroups.flatMap(({ origin, heading }) =>
      headed(
        heading,
        targets.filter((target) => target.origin === origin).map((target) => targetItem(target, chosen)),
      ),
    ),
  ];
}

function headed(label: string, items: readonly (Choice & Partial<TargetItem>)[]): TargetItem[] {
  const rows = items.map((item): TargetItem => ({ problem: null, ...item }));
  return rows.length === 0 ? [] : [{ label, heading: true, problem: null }, ...rows];
}

function targetItem(target: TargetState, chosen: readonly string[]): TargetItem {
  const { id, label, description, state, problem } = target;
  return {
    label,
    description,
    picked: isStartable(target) && chosen.includes(id),
    ...(problem === null ? {} : { detail: `⚠ ${problem.message} ${problem.cure}` }),
    target,
    problem: state === 'failed' ? null : (problem?.message ?? null),
  };
}

/** Rows of the load-profile step, last time's first so that Enter takes it again. How long it takes comes first: a narrow window cuts the end. */
export function loadChoices(catalog: Catalog, form: Form) {
  const choices = listed(catalog.loadProfiles, ({ name }) => name === form.load).map((profile) => {
    const connections = `${[profile.connections].flat().join(', ')} connections`;
    const rounds = `${profile.rounds} ${profile.rounds === 1 ? 'round' : 'rounds'} of ${profile.durationS} s for each setting`;
    return {
      name: profile.name,
      connections,
      purpose: profile.purpose ?? profile.description,
      description: [loadPhrase(profile), ...(profile.origin === 'workspace' ? ['workspace'] : [])].join(' · '),
      // The list cuts what is longer: a purpose says in short what the description does.
      detail: [
        `${connections} · ${rounds}`,
        ...(profile.purpose === undefined && profile.description !== '' ? [profile.description] : []),
      ].join(' — '),
    };
  });
  return [...choices.filter((choice) => choice.name === form.load), ...choices.filter((choice) => choice.name !== form.load)];
}
