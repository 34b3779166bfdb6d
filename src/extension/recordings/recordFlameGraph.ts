import { progressOf } from '../../model/protocol/progress.ts';
import * as vscode from 'vscode';
import type { RecorderState, RecordingRequest, LocalProcess } from '../../model/domain/recording.ts';
import type { Services } from '../services/services.ts';
import { debuggedProcess } from '../debugging/debugged.ts';
import { sessionConfigurations } from '../debugging/debuggedService.ts';
import {
  recordingRequestOf,
  rememberAnswers,
  sizePhrase,
  subjectPhrase,
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
import { agrees, cancellable, offer, underWay, type Choice as ListItem } from '../kit/safeUi/dialogs.ts';
import { loadChoices } from '../benchmark/answers.ts';
import type { Form } from '../../model/protocol/panel.ts';
import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import { defined } from '../../model/domain/defined.ts';
import { faultIn } from '../../model/domain/parsed.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { askText, pickOne, type StepFrame, type StepResult } from '../kit/safeUi/multiStep.ts';
import type { RecordMemory } from '../services/lastAnswers.ts';

/** Asks what to record, records it and shows it to the side. `targetId` leaves the first question out. */
export async function recordFlameGraph(services: Services, targetId?: string): Promise<void> {
  if (services.recordings.isRecording)
    return offer('A recording is already under way.', { 'Cancel It': () => services.recordings.cancel() });
  const { engine, inventory, memory } = services;
  const [catalog, { processes }, { recorders }, remembered] = await underWay('Looking for what can be recorded', 'status bar', () =>
    Promise.all([inventory.catalog.get(), engine.request('processes/list', {}), engine.request('recorders/list', {}), memory.recording()]),
  );
  const form = await services.form.shown(catalog);
  const answers = await askRecording(
    {
      catalog,
      processes,
      debugged: debuggedProcess(sessionConfigurations(), processes),
      recorders,
      form,
      memory: remembered,
      applied: (target) => services.applied.of(target),
    },
    targetId,
  );
  if (answers === undefined) return;
  await memory.rememberRecording(rememberAnswers(answers, remembered));
  const { recorder } = answers.what;
  if (recorder !== null && !recorder.installed && !(await install(services, recorder))) return;
  await recordAndShow(services, recordingRequestOf(answers), subjectPhrase(answers));
}

/** Records what was asked for and shows its flame graph next to what is open. `subject` is the name of the recorded program, for people. */
export async function recordAndShow(
  { recordings, flames, inventory }: Services,
  request: RecordingRequest,
  subject: string,
): Promise<void> {
  try {
    const recording = await recordings.record(request, subject);
    // To the side only where an editor is open.
    const hasEditors = vscode.window.tabGroups.activeTabGroup.tabs.length > 0;
    await flames.openRecording(recording, hasEditors ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
  } finally {
    inventory.recordings.refresh();
    inventory.catalog.refresh();
  }
}

/** Fetches a recorder once the person has agreed. False when not. */
async function install({ engine }: Services, recorder: RecorderState): Promise<boolean> {
  const detail = `npm fetches it${sizePhrase(recorder.installBytes)}, in a pinned version whose contents are checked, into Benchside’s own storage. Nothing in your workspace is changed.`;
  const advisories = recorder.id.startsWith('clinic')
    ? ' Clinic is no longer maintained and brings about 700 packages, some with known security advisories: they run while it records, and at no other time.'
    : '';
  if (!(await agrees(`${recorder.label} is not installed yet. Fetch it?`, `${detail}${advisories}`, 'Fetch', 'question'))) return false;
  await cancellable(
    `Fetching ${recorder.label}`,
    (signal) => engine.request('recorders/install', { id: recorder.id }, signal),
    (show) => progressOf(engine, 'recording', ({ message }) => show({ message })),
  );
  return true;
}

const title = 'Record Flame Graph';
const noLoad = 'No load';

/** What there is to choose from. */
interface RecordOffer {
  catalog: Catalog;
  processes: readonly LocalProcess[];
  /** The one of them that is debugged; null: none, or not known. */
  debugged: LocalProcess | null;
  recorders: readonly RecorderState[];
  form: Form;
  memory: RecordMemory;
  /** What is applied to a target: with it a recording begins, where no other values were recorded since. */
  applied: (target: TargetState) => SettingValues;
}

type Step = 'subject' | 'what' | 'load' | 'seconds';

/**
 * Asks in three steps what is to be recorded, with the last answers chosen beforehand, so that Enter alone repeats them: what, what of it, and under
 * which load. Settings and seconds are listed below the loads with the values that they have, to be changed from there; of a process, which
 * has neither load nor settings, the seconds are the third step. `undefined` when the person leaves.
 */
async function askRecording(offer: RecordOffer, targetId: string | undefined): Promise<RecordAnswers | undefined> {
  const { memory, catalog } = offer;
  const subjects = subjectChoices(catalog, offer.processes, offer.debugged);
  const given = subjects.find(({ value, problem }) => problem === null && isTarget(value, targetId));
  let subject: Subject | undefined = given?.value;
  let settings: string | undefined;
  let what: What | undefined;
  let seconds = memory.seconds;
  let position = given === undefined ? 0 : 1;
  for (;;) {
    const steps = stepsFor(subject);
    const step = steps[position] ?? 'seconds';
    const frame: StepFrame = { title, step: position + 1, steps: steps.length };
    let answer: StepResult<unknown>;
    if (step === 'subject') {
      const last = subjects.find(({ value }) =>
        offer.debugged === null
          ? isTarget(value, memory.targetId ?? undefined)
          : value.kind === 'process' && value.process === offer.debugged,
      );
      const picked = await pickChoice(frame, 'Choose what to record', subjects, last);
      if (picked.kind === 'next') subject = picked.value;
      answer = picked;
    } else if (subject === undefined) {
      return undefined;
    } else if (step === 'load' && subject.kind === 'target') {
      const { target } = subject;
      settings ??= presetSettings(offer, target);
      const picked = await pickLoad(frame, offer, { target, settings, seconds });
      if (picked.kind === 'next' && picked.value.row !== 'load') {
        const changed: StepResult<string> =
          picked.value.row === 'settings' ? await askSettings(frame, target, settings) : await askSeconds(frame, seconds);
        if (changed.kind === 'leave') return undefined;
        if (changed.kind === 'next' && picked.value.row === 'settings') settings = changed.value;
        else if (changed.kind === 'next') seconds = Number(changed.value);
        continue;
      }
      if (picked.kind === 'next' && what !== undefined) return { subject, settings, load: picked.value.load, what, seconds };
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
      const typed = await askSeconds(frame, seconds);
      if (typed.kind === 'next' && what !== undefined) return { subject, settings: '', load: null, what, seconds: Number(typed.value) };
      answer = typed;
    }
    if (answer.kind === 'leave') return undefined;
    position += answer.kind === 'back' ? -1 : 1;
  }
}

function stepsFor(subject: Subject | undefined): Step[] {
  return ['subject', 'what', subject?.kind === 'process' ? 'seconds' : 'load'];
}

/** Those of last time, where the target still takes them; else those that are applied. */
function presetSettings({ memory, applied }: RecordOffer, target: TargetState): string {
  const remembered = memory.settings[target.id];
  const read = remembered === undefined ? null : parseSettings(remembered, target);
  return settingsText(target, read?.ok === true ? read.value : applied(target));
}

async function askSettings(frame: StepFrame, target: TargetState, settings: string): Promise<StepResult<string>> {
  return askText(frame, `Settings of ${target.label}, such as ${settingsText(target)}`, settings, (text) =>
    faultIn(parseSettings(text, target)),
  );
}

async function askSeconds(frame: StepFrame, seconds: number): Promise<StepResult<string>> {
  return askText(frame, 'For how many seconds?', String(seconds), secondsProblem);
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
    const { heading, label, description, detail } = choice;
    const row: Item = { ...defined({ label, description, detail }), choice };
    return heading === undefined ? [row] : [{ label: heading, heading: true }, row];
  });
  const first =
    items.find(({ choice }) => choice !== undefined && choice === active) ?? items.find(({ choice }) => choice?.problem === null);
  const result = await pickOne(frame, placeholder, items, first, ({ choice }) => choice?.problem ?? undefined);
  if (result.kind !== 'next') return result;
  const { choice } = result.value;
  return choice === undefined ? { kind: 'leave' } : { kind: 'next', value: choice.value };
}

type LoadRow = ListItem & { row: 'load' | 'settings' | 'seconds'; load: string | null };

/** Load profiles, last time's first, and none at all; below them what else a recording has, to be changed. */
async function pickLoad(
  frame: StepFrame,
  { catalog, form, memory }: RecordOffer,
  { target, settings, seconds }: { target: TargetState; settings: string; seconds: number },
): Promise<StepResult<LoadRow>> {
  const last = memory.loads[target.id];
  const profiles = loadChoices(catalog, last === undefined || last === null ? form : { ...form, load: last });
  const loads: LoadRow[] = [
    // A recording takes its seconds, whatever a run of the profile takes.
    ...profiles.map(({ name, purpose, connections }): LoadRow => ({
      label: name,
      description: purpose,
      detail: connections,
      row: 'load',
      load: name,
    })),
    {
      label: noLoad,
      description: '',
      detail: 'You send the requests yourself; shares per request are then not known',
      row: 'load',
      load: null,
    },
  ];
  const others: LoadRow[] = [
    ...(Object.keys(target.settings).length === 0
      ? []
      : [{ label: 'Settings', icon: 'settings', description: settings, row: 'settings', load: null } satisfies LoadRow]),
    { label: 'Seconds', icon: 'watch', description: String(seconds), row: 'seconds', load: null },
  ];
  const heading: LoadRow = { label: 'Change first', heading: true, row: 'load', load: null };
  return pickOne(
    frame,
    'Choose the load under which it is recorded, which begins it',
    [...loads, heading, ...others],
    last === null ? loads.at(-1) : loads[0],
  );
}
