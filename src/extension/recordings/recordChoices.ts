import { inSentence } from '../../model/domain/answerFacts.ts';
import { bytesPhrase } from '../../model/domain/format.ts';
import { misread, understood, type Parsed } from '../../model/domain/parsed.ts';
import { listed } from '../../model/protocol/listed.ts';
import type { Catalog, TargetState } from '../../model/protocol/protocol.ts';
import {
  maxRecordingS,
  type LocalProcess,
  type RecordedEvent,
  type RecorderAbilities,
  type RecorderState,
  type RecordingRequest,
} from '../../model/domain/recording.ts';
import { isProbed } from '../../model/domain/runtimes.ts';
import { settingLabel, type SettingSpec, type SettingValue, type SettingValues } from '../../model/domain/setting.ts';
import { humanName } from '../../model/presentation/settingWords.ts';
import { isStartable, poolSettingName } from '../../model/presentation/formChoice.ts';
import type { RecordMemory } from '../services/lastAnswers.ts';

/** One row of a step. `problem` is why it cannot be chosen; `heading` begins a group. */
export interface Choice<T> {
  heading?: string;
  label: string;
  description: string;
  detail: string | undefined;
  problem: string | null;
  value: T;
}

export type Subject = { kind: 'target'; target: TargetState } | { kind: 'process'; process: LocalProcess };

/** What can be recorded: what is debugged, our targets, then the processes of this machine. What cannot is left out, unless there is nothing else: then it says why. */
export function subjectChoices(
  catalog: Catalog,
  processes: readonly LocalProcess[],
  debugged: LocalProcess | null = null,
): Choice<Subject>[] {
  const targets = (origin: TargetState['origin']): Choice<Subject>[] =>
    listed(catalog.targets, () => false)
      .filter((target) => target.origin === origin)
      .map(targetChoice);
  const running = (runtime: LocalProcess['runtime']): Choice<Subject>[] =>
    processes.filter((process) => process.runtime === runtime && process !== debugged).map((process) => processChoice(process, catalog));
  return usable([
    { heading: 'What you are debugging now', choices: debugged === null ? [] : [processChoice(debugged, catalog)] },
    { heading: 'Targets of this workspace', choices: targets('workspace') },
    { heading: 'Samples', choices: targets('sample') },
    { heading: 'Lab', choices: targets('lab') },
    { heading: 'Running Java processes', choices: running('jvm') },
    { heading: 'Running Node processes', choices: running('node') },
  ]);
}

interface Group<T> {
  heading: string | null;
  choices: readonly Choice<T>[];
}

/** What can be chosen, under its headings; all of it, with what it lacks, where nothing can. */
function usable<T>(groups: readonly Group<T>[]): Choice<T>[] {
  const can = groups.map(({ heading, choices }) => ({ heading, choices: choices.filter(({ problem }) => problem === null) }));
  const shown = can.some(({ choices }) => choices.length > 0) ? can : groups;
  return shown.flatMap(({ heading, choices }) =>
    choices.map((choice, index) => (index === 0 && heading !== null ? { ...choice, heading } : choice)),
  );
}

function targetChoice(target: TargetState): Choice<Subject> {
  const recordable = isProbed(target.runtime);
  const problem = !recordable
    ? 'Only Node and Java targets can be recorded.'
    : isStartable(target) || target.problem === null
      ? null
      : `${target.problem.message} ${target.problem.cure}`;
  return choice(target.label, target.description, problem, { kind: 'target', target });
}

function processChoice(process: LocalProcess, catalog: Catalog): Choice<Subject> {
  const target = catalog.targets.find(({ id }) => id === process.targetId);
  const about = [`process ${process.pid}`, process.version ?? '', target === undefined ? '' : `is ${target.label}`];
  const problem = process.problem === null ? null : `${process.problem.message} ${process.problem.cure}`;
  const made = choice<Subject>(process.title, about.filter((part) => part !== '').join(' · '), problem, { kind: 'process', process });
  return { ...made, detail: made.detail ?? process.command };
}

function choice<T>(label: string, description: string, problem: string | null, value: T): Choice<T> {
  return { label, description, detail: problem === null ? undefined : `⚠ ${problem}`, problem, value };
}

/** Settings as they are read and typed: "pool size 8, threads 200", by their labels. */
export function settingsText(target: Pick<TargetState, 'settings'>, values: SettingValues = {}): string {
  return Object.entries(target.settings)
    .map(([name, spec]) => `${typedName(name, target)} ${values[name] ?? spec.default}`)
    .join(', ');
}

/** The label of a setting, or its name where that is no word to be typed, or two have the same. */
function typedName(name: string, { settings }: Pick<TargetState, 'settings'>): string {
  const said = (one: string): string => inSentence(settings[one]?.label ?? humanName(one));
  const label = said(name);
  const clear =
    !/[,;=:]|\s\d/.test(label) && Object.keys(settings).every((other) => other === name || (said(other) !== label && other !== label));
  return clear ? label : name;
}

/** The setting at the begin of a part, and the rest: by its label or by its name, the longer one first. */
function namedIn(part: string, target: Pick<TargetState, 'settings'>): { name: string; rest: string } | null {
  const known = Object.keys(target.settings).flatMap((name) =>
    [...new Set([name, typedName(name, target)])].map((word) => ({ name, word })),
  );
  const found = known
    .filter(({ word }) => part.toLowerCase().startsWith(word.toLowerCase()) && /^\s*[=:\s]\s*\S/.test(part.slice(word.length)))
    .sort((a, b) => b.word.length - a.word.length)[0];
  return found === undefined ? null : { name: found.name, rest: part.slice(found.word.length).replace(/^\s*[=:]?\s*/, '') };
}

/** Reads settings as they are typed. What is left out keeps its default; a problem is one sentence. */
export function parseSettings(text: string, target: Pick<TargetState, 'settings'>): Parsed<SettingValues> {
  const values: SettingValues = {};
  const names = Object.keys(target.settings);
  for (const part of text.split(/[,;]/).map((one) => one.trim())) {
    if (part === '') continue;
    const found = namedIn(part, target);
    const spec = found === null ? undefined : target.settings[found.name];
    if (found === null || spec === undefined) {
      const meant = /^(\D*?)\s*[=: ]\s*\S+$/.exec(part)?.[1] ?? '';
      return meant === ''
        ? misread(`“${part}” is not a setting. Type for example ${settingsText(target)}.`)
        : misread(
            `There is no setting “${meant}”; there ${names.length === 1 ? 'is' : 'are'}: ${names.map((one) => typedName(one, target)).join(', ')}.`,
          );
    }
    const { name } = found;
    if (Object.hasOwn(values, name)) return misread(`${settingLabel(name, spec)} is there twice.`);
    const parsed = settingValue(found.rest, name, spec);
    if (!parsed.ok) return parsed;
    values[name] = parsed.value;
  }
  return understood(values);
}

function settingValue(text: string, name: string, spec: SettingSpec): Parsed<SettingValue> {
  const label = settingLabel(name, spec);
  if (spec.kind === 'choice')
    return spec.choices.includes(text) ? understood(text) : misread(`${label} is one of ${spec.choices.join(', ')}.`);
  if (!/^\d+$/.test(text)) return misread(`${label} is a whole number, such as ${spec.default}.`);
  const value = Number(text);
  const isOutside = value < spec.min || value > spec.max;
  return isOutside ? misread(`${label} ${value} is outside ${spec.min} to ${spec.max}.`) : understood(value);
}

/** What is recorded with what; no recorder: the best one; no events: all that cost little. */
export interface What {
  recorder: RecorderState | null;
  events: RecordedEvent[];
}

const eventDetails: Record<RecordedEvent, { label: string; detail: string }> = {
  cpu: { label: 'CPU', detail: 'which code was executing' },
  wall: { label: 'Wall clock', detail: 'where the time went, waiting included' },
  poolWait: { label: 'Waiting for the pool', detail: 'who waited for a pooled connection' },
  database: { label: 'Waiting for the database', detail: 'who waited for an answer of the database' },
  alloc: { label: 'Allocations', detail: 'which code allocated memory' },
  lock: { label: 'Locks', detail: 'who waited for a lock' },
  heap: { label: 'Heap', detail: 'which code allocated what is still there' },
};

/**
 * What can be recorded of a subject: everything that costs little first, then single events, then other recorders by their names. What cannot be used is left
 * out, as above.
 */
export function whatChoices(subject: Subject, recorders: readonly RecorderState[]): Choice<What>[] {
  const runtime = subject.kind === 'target' ? subject.target.runtime : subject.process.runtime;
  const own = recorders.filter((recorder) => recorder.runtime === runtime);
  const usual = own.find((recorder) => recorder.abilities.attach && recorder.problem === null);
  const ofUsual = (label: string, detail: string, events: RecordedEvent[]) => choice<What>(label, detail, null, { recorder: null, events });
  const all =
    usual === undefined ? [] : [ofUsual('Everything that costs little', `${usual.label} · ${abilitiesPhrase(usual.abilities)}`, [])];
  const single = (usual?.events ?? []).map((event) => {
    const { label, detail } = eventDetails[event];
    return ofUsual(label, `${detail} · ${usual?.label ?? ''}`, [event]);
  });
  const named = own.filter((recorder) => recorder !== usual).map((recorder) => recorderChoice(recorder, subject));
  return usable([
    { heading: null, choices: all },
    { heading: 'One event', choices: single },
    { heading: 'Other recorders', choices: named },
  ]);
}

function recorderChoice(recorder: RecorderState, subject: Subject): Choice<What> {
  const relaunchOnly = subject.kind === 'process' && !recorder.abilities.attach;
  const problem =
    recorder.problem !== null
      ? `${recorder.problem.message} ${recorder.problem.cure}`
      : relaunchOnly
        ? `${recorder.label} starts the process itself: choose a target instead of a process.`
        : null;
  const install = recorder.installed || problem !== null ? '' : `fetched when you agree${sizePhrase(recorder.installBytes)}`;
  const description = [abilitiesPhrase(recorder.abilities), install].filter((part) => part !== '').join(' · ');
  const made = choice<What>(recorder.label, description, problem, { recorder, events: [] });
  return { ...made, detail: made.detail ?? recorder.description };
}

/** About how much fetching takes: ", about 45 MiB". */
export function sizePhrase(bytes: number | null): string {
  return bytes === null ? '' : `, about ${bytesPhrase(bytes)}`;
}

/** What a recorder can do, in a few words: "attach · lines · waits". */
export function abilitiesPhrase(abilities: RecorderAbilities): string {
  return (['attach', 'relaunch', 'lines', 'heap', 'waits'] as const).filter((ability) => abilities[ability]).join(' · ');
}

/** A fault of the number of seconds as typed; undefined when there is none. */
export function secondsProblem(text: string): string | undefined {
  const seconds = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(seconds) && seconds >= 1 && seconds <= maxRecordingS
    ? undefined
    : `Type a number of seconds from 1 to ${maxRecordingS}.`;
}

/** All that was answered. */
export interface RecordAnswers {
  subject: Subject;
  /** Of a target; as typed and checked. */
  settings: string;
  /** Of a target; null: no load. */
  load: string | null;
  what: What;
  seconds: number;
}

export function recordingRequestOf({ subject, settings, load, what, seconds }: RecordAnswers): RecordingRequest {
  const recorded = { events: what.events, seconds, ...(what.recorder === null ? {} : { recorder: what.recorder.id }) };
  if (subject.kind === 'process') return { subject: { kind: 'process', pid: subject.process.pid }, ...recorded };
  const parsed = parseSettings(settings, subject.target);
  return { subject: { kind: 'target', id: subject.target.id, settings: parsed.ok ? parsed.value : {}, load }, ...recorded };
}

/** What is remembered of the answers. A process is gone the next time: its target stays remembered. */
export function rememberAnswers({ subject, settings, load, what, seconds }: RecordAnswers, before: RecordMemory): RecordMemory {
  const common = { ...before, what: { recorder: what.recorder?.id ?? null, events: what.events }, seconds };
  if (subject.kind === 'process') return common;
  const { id } = subject.target;
  return { ...common, targetId: id, settings: { ...before.settings, [id]: settings }, loads: { ...before.loads, [id]: load } };
}

/** Who is recorded, for the status bar: "java · pool 2". Settings that are as ever are not said, but for the pool size. */
export function subjectPhrase({ subject, settings }: Pick<RecordAnswers, 'subject' | 'settings'>): string {
  if (subject.kind === 'process') return `${subject.process.title} (${subject.process.pid})`.slice(0, 60);
  const { target } = subject;
  const parsed = parseSettings(settings, target);
  const values = Object.entries(parsed.ok ? parsed.value : {})
    .filter(([name, value]) => name === poolSettingName || value !== target.settings[name]?.default)
    .map(([name, value]) => `${name} ${value}`);
  return [target.id, ...values].join(' · ').slice(0, 60);
}
