import type { Comparison } from '../../src/model/domain/comparison.ts';
import { emptyForm } from '../../src/model/presentation/emptyForm.ts';
import { shownForm } from '../../src/model/presentation/formChoice.ts';
import type { Failure } from '../../src/model/domain/failure.ts';
import { measureKinds } from '../../src/model/protocol/measureKinds.ts';
import type { MeasureKind } from '../../src/model/protocol/measureRequest.ts';
import type { Form, ToPanel, FromPanel } from '../../src/model/protocol/panel.ts';
import type { Catalog } from '../../src/model/protocol/protocol.ts';
import type { RunRecord, RunSummary } from '../../src/model/domain/run.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import type { ListedExperiment } from '../../src/model/domain/experiment.ts';
import { type AdviceState, beginsAdvice, initialAdvice, reduceAdvice } from '../advice/adviceState.ts';
import type { Chosen } from '../compare/compareView.ts';
import { type LiveForm, emptyLiveForm, liveFormSchema } from '../live/liveForm.ts';
import { type LiveProgress, isLive, reduceLiveEvent } from '../live/liveProgress.ts';
import { type RunSoFar, isRunning, reduceRunEvent } from '../progress/runSoFar.ts';
import * as z from 'zod';

export const views = ['tune', 'live', 'advise', 'compare', 'versions', 'experiments', 'flame', 'raw'] as const;
export type View = (typeof views)[number];

/** All that the panel shows. It changes only through {@link reduceMessage} and the few user actions in the app. */
export interface PanelState {
  view: View;
  catalog: Catalog | null;
  trusted: boolean;
  hasWorkspace: boolean;
  /** What was chosen last, as the extension sent it or as it was edited here since; `null`: nothing yet. What is shown of it is {@link formOf}. */
  form: Form | null;
  /** Which of the extension's forms it is; 0 until the first has arrived. */
  formRevision: number;
  /** `null` until the list has arrived. */
  runs: RunSummary[] | null;
  run: RunRecord | null;
  /** The run that was asked for and has not arrived yet. */
  awaitedRunId: string | null;
  /** True while the awaited run is the one shown before a reload: then the chosen view stays. */
  restoring: boolean;
  /** The run in progress, or the one that has just ended and is not on show yet. */
  progress: RunSoFar | null;
  /** A run was opened while another one is in progress: the opened one is shown. */
  lookBack: boolean;
  /** The live session, or the one that has just ended. */
  session: LiveProgress | null;
  liveForm: LiveForm;
  advice: AdviceState;
  /** Values that were applied to a target from here, by target. */
  applied: Readonly<Record<string, SettingValues>>;
  chosen: Chosen;
  comparison: Comparison | null;
  /** The Experiments view shows its list, also where there is the page of an experiment to show. */
  experimentList: boolean;
  /** An experiment was started from here and has not ended yet. */
  experimentAsked: boolean;
  /** The published experiments and what is wrong with their files; `null` until they were asked for and have arrived. */
  experiments: { list: ListedExperiment[]; problems: Failure[] } | null;
  failure: Failure | null;
  /** The form is unfolded although a result is shown. */
  formOpen: boolean;
  /** Run (or Start in the live view) was pressed and nothing has come back yet. */
  starting: boolean;
  /** The number of what was asked for last. */
  asked: number;
}

export function initialState(
  saved: Pick<SavedState, 'view' | 'shownRunId' | 'chosen'> & Partial<Pick<SavedState, 'liveForm' | 'shownAdviceId'>>,
): PanelState {
  return {
    view: saved.view,
    catalog: null,
    trusted: true,
    hasWorkspace: true,
    form: null,
    formRevision: 0,
    runs: null,
    run: null,
    awaitedRunId: saved.shownRunId,
    restoring: saved.shownRunId !== null,
    progress: null,
    lookBack: false,
    session: null,
    liveForm: saved.liveForm ?? emptyLiveForm,
    advice: initialAdvice(saved.shownAdviceId ?? null),
    applied: {},
    chosen: saved.chosen,
    comparison: null,
    experimentList: false,
    experimentAsked: false,
    experiments: null,
    failure: null,
    formOpen: false,
    starting: false,
    asked: 0,
  };
}

export function formOf({ form, catalog }: PanelState): Form {
  return catalog ? shownForm(form, catalog) : (form ?? emptyForm);
}

export function reduceMessage(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case 'catalog': {
      const { catalog, trusted, hasWorkspace } = message;
      return { ...state, catalog, trusted, hasWorkspace };
    }
    case 'form':
      // Of the revision that is edited here, this panel knows more than the extension. A later one was filled in for the user to check.
      return message.revision > state.formRevision
        ? { ...state, form: message.form, formRevision: message.revision, formOpen: state.formOpen || state.formRevision > 0 }
        : state;
    case 'runs':
      return withRuns(state, message.runs);
    case 'run':
      return withRun(state, message.run);
    case 'runEvents':
      return withRunEvents(state, message);
    case 'liveEvents': {
      const known = message.replay && isLive(state.session) ? null : state.session;
      const session = message.events.reduce<LiveProgress | null>(reduceLiveEvent, known);
      const began = message.events.some((event) => event.type === 'starting' || event.type === 'running') && isLive(session);
      const shown = began && !message.replay;
      return {
        ...state,
        session,
        view: shown ? 'live' : state.view,
        starting: began ? false : state.starting,
        failure: shown ? null : message.replay ? state.failure : (endedWith(message.events) ?? state.failure),
      };
    }
    case 'advice':
      return { ...state, advice: reduceAdvice(state.advice, message) };
    case 'adviceProgress': {
      const advice = reduceAdvice(state.advice, message);
      // The runs of a search that is over are on its page; what the last of them was is no run in progress.
      if (message.progress === null) return { ...state, advice, progress: isRunning(state.progress) ? state.progress : null };
      return beginsAdvice(state.advice, message)
        ? { ...state, advice, view: 'advise', starting: false, failure: null }
        : { ...state, advice };
    }
    case 'applied':
      return { ...state, applied: { ...state.applied, [message.target]: message.values } };
    case 'comparison': {
      const { comparison } = message;
      const { a, b } = comparison;
      return { ...state, comparison, chosen: { a: a.id, b: b.id, trialA: a.trialKey ?? undefined, trialB: b.trialKey ?? undefined } };
    }
    case 'experiments':
      return { ...state, experiments: { list: message.experiments, problems: message.problems } };
    case 'failure':
      return {
        ...state,
        failure: isQuoted(state, message.failure) ? null : message.failure,
        starting: false,
        experimentAsked: false,
        awaitedRunId: null,
        restoring: false,
      };
    case 'starting':
      return withStarting(state, message.kind);
    case 'answered':
      return message.ask === state.asked
        ? { ...state, starting: false, experimentAsked: state.experimentAsked && isRunning(state.progress) }
        : state;
    case 'flame':
      return state;
    case 'show':
      return {
        ...state,
        view: message.view === 'runs' ? 'tune' : message.view,
        experimentList: message.view === 'experiments' ? true : state.experimentList,
        liveForm:
          message.target === undefined || message.target === state.liveForm.target
            ? state.liveForm
            : { ...state.liveForm, target: message.target, values: {}, route: '' },
      };
  }
}

function endedWith(events: Extract<ToPanel, { type: 'liveEvents' }>['events']): Failure | null {
  return events.flatMap((event) => (event.type === 'ended' && event.failure !== null ? [event.failure] : [])).at(-1) ?? null;
}

/** The failure to show above every view; the Live view itself shows what ended the live session. */
export function failureToShow({ failure, session, view }: PanelState): Failure | null {
  return view === 'live' && failure !== null && failure === session?.ended?.failure ? null : failure;
}

/** Whether the run that has just ended shows it already: an error is shown once. */
function isQuoted({ progress }: PanelState, { code, message }: Failure): boolean {
  const told = progress?.finished?.failure;
  return told?.code === code && told.message === message;
}

function withRunEvents(state: PanelState, message: Extract<ToPanel, { type: 'runEvents' }>): PanelState {
  // An empty replay says that nothing is running; whichever replay it is, what was to be restored has been sent before it.
  const known = message.replay && message.events.length === 0 && isRunning(state.progress) ? null : state.progress;
  const progress = message.events.reduce<RunSoFar | null>(reduceRunEvent, known);
  const started = message.events.some((event) => event.type === 'started') && (!message.replay || isRunning(progress));
  const experimentBegan =
    !message.replay &&
    isRunning(progress) &&
    progress.found?.kind === 'experiment' &&
    (started || state.progress?.found?.kind !== 'experiment');
  const ofExperiment = experimentBegan || (started && state.experimentAsked);
  return {
    ...state,
    progress,
    view: message.replay ? state.view : ofExperiment ? 'experiments' : started ? homeOfRun(state) : state.view,
    experimentList: !message.replay && ofExperiment ? false : state.experimentList,
    experimentAsked: state.experimentAsked && (progress === null || isRunning(progress)),
    lookBack: started ? false : state.lookBack,
    starting: started ? false : state.starting,
    failure: started ? null : state.failure,
    formOpen: started ? false : state.formOpen,
    ...(message.replay ? { awaitedRunId: null, restoring: false } : {}),
  };
}

/** Said at once, in the view to which it belongs: the first event comes once the engine has read what it measures. */
function withStarting(state: PanelState, kind: MeasureKind | null): PanelState {
  if (kind === null) return { ...state, starting: false };
  if (isRunning(state.progress)) return state;
  return { ...state, starting: true, failure: null, view: measureKinds[kind].view ?? state.view };
}

/** The view to which a run that begins belongs; those of a search for what helps belong to its page, and change no view. */
function homeOfRun({ advice, view }: PanelState): View {
  return advice.progress === null ? 'tune' : view;
}

function withRuns(state: PanelState, runs: RunSummary[]): PanelState {
  const gone = (id: string | undefined): boolean => (state.runs ?? []).some((run) => run.id === id) && !runs.some((run) => run.id === id);
  const comparison = state.comparison && (gone(state.comparison.a.id) || gone(state.comparison.b.id)) ? null : state.comparison;
  const { a, b, trialA, trialB } = state.chosen;
  return {
    ...state,
    runs,
    run: gone(state.run?.id) ? null : state.run,
    comparison,
    chosen: { ...(gone(a) ? { a: '' } : { a, trialA }), ...(gone(b) ? { b: '' } : { b, trialB }) },
  };
}

/** A run that has arrived is shown, unless something else is open when the one in progress ends. */
function withRun(state: PanelState, run: RunRecord): PanelState {
  const restored = state.restoring && state.awaitedRunId === run.id;
  const justFinished = state.progress?.runId === run.id;
  const { kind } = run.result;
  return {
    ...state,
    run,
    progress: isRunning(state.progress) ? state.progress : null,
    lookBack: isRunning(state.progress),
    awaitedRunId: null,
    restoring: false,
    failure: null,
    formOpen: false,
    view: restored ? state.view : kind === 'diff' ? 'versions' : justFinished ? state.view : kind === 'experiment' ? 'experiments' : 'tune',
    experimentList: justFinished ? state.experimentList : false,
    experimentAsked: false,
  };
}

/** What the Tune view and the page of an experiment show: the run in progress (or one that ended and was not kept), else the run on show. */
export function shownInTune(state: PanelState): { progress: RunSoFar } | { run: RunRecord } | null {
  const { progress, run, lookBack } = state;
  if (progress && !(run && lookBack) && run?.id !== progress.runId) return { progress };
  return run ? { run } : null;
}

/** Whether a message brought a new run to the page: one that begins, or a stored one that was opened. One that has ended stays on the page. */
export function showsAnother(before: PanelState, after: PanelState, message: ToPanel): boolean {
  if (message.type === 'runEvents') return !message.replay && message.events.some(({ type }) => type === 'started');
  return message.type === 'run' && !before.restoring && after.run?.id !== before.run?.id && before.progress?.runId !== message.run.id;
}

/** Shown above a result instead of the form: what it measured. Null where there is no result, and the form is the page. */
export function shownLine(state: PanelState): { progress: RunSoFar } | { run: RunRecord } | null {
  return state.view === 'tune' && state.awaitedRunId === null ? shownInTune(state) : null;
}

/** Whether the Experiments view shows the page of an experiment instead of its list. */
export function showsExperiment(state: PanelState): boolean {
  const shown = shownInTune(state);
  if (state.experimentList || !shown) return false;
  return 'progress' in shown
    ? shown.progress.found?.kind === 'experiment' || state.experimentAsked
    : shown.run.result.kind === 'experiment';
}

/** The run that is shown and the one before it, or the one after it where it is the oldest: the base is the older one. Empty where there is none. */
export function obviousPair({ runs, run }: Pick<PanelState, 'runs' | 'run'>): Chosen {
  const ids = (runs ?? []).flatMap((one) => (one.kind === 'run' ? [one.id] : []));
  const shown = run?.id ?? ids[0] ?? '';
  const at = ids.indexOf(shown);
  const older = ids[at + 1];
  if (older !== undefined) return { a: older, b: shown };
  const newer = ids[at - 1];
  return newer === undefined ? { a: '', b: shown } : { a: shown, b: newer };
}

/** What Compare shows: what was chosen, and the obvious pair where nothing was; that one follows the runs until there are two. */
export function comparedPair(state: Pick<PanelState, 'runs' | 'run' | 'chosen'>): Chosen {
  return state.chosen.a === '' && state.chosen.b === '' ? obviousPair(state) : state.chosen;
}

/** What to ask the extension for; `null` where both sides are not chosen yet, or their comparison is there already. */
export function comparisonToAsk(
  known: Comparison | null,
  { a, b, trialA, trialB }: Chosen,
): Extract<FromPanel, { type: 'compare' }> | null {
  const isKnown =
    known?.a.id === a && known.b.id === b && (known.a.trialKey ?? undefined) === trialA && (known.b.trialKey ?? undefined) === trialB;
  const ready = a !== '' && b !== '' && (a !== b || (trialA !== undefined && trialB !== undefined && trialA !== trialB));
  if (!ready || isKnown) return null;
  return { type: 'compare', a, b, ...(trialA === undefined ? {} : { trialA }), ...(trialB === undefined ? {} : { trialB }) };
}

/** What survives hiding and reload. `shownRunId` is also read by the extension when it restores the panel. */
export const savedStateSchema = z.object({
  view: z.enum(views),
  shownRunId: z.string().nullable(),
  shownAdviceId: z.string().nullable().default(null),
  liveForm: liveFormSchema.default(emptyLiveForm),
  chosen: z.object({ a: z.string(), b: z.string(), trialA: z.string().optional(), trialB: z.string().optional() }),
  scrollY: z.number(),
  moreSettings: z.boolean(),
});
export type SavedState = z.infer<typeof savedStateSchema>;

export const firstState: SavedState = {
  view: 'tune',
  liveForm: emptyLiveForm,
  shownRunId: null,
  shownAdviceId: null,
  chosen: { a: '', b: '' },
  scrollY: 0,
  moreSettings: false,
};

/** Reads what was kept. What does not fit (it was written by another version) counts as nothing. */
export function readSavedState(value: unknown): SavedState {
  const parsed = savedStateSchema.safeParse(value);
  return parsed.success ? parsed.data : firstState;
}

/** What to keep of the panel's state. A run that is still awaited stays the shown one. */
export function toSavedState(state: PanelState, scrollY: number, moreSettings: boolean): SavedState {
  const shownRunId = state.run?.id ?? state.awaitedRunId;
  const { view, liveForm, chosen, advice } = state;
  const shownAdviceId = advice.record?.id ?? advice.awaited;
  return { view, liveForm, shownRunId, shownAdviceId, chosen, scrollY, moreSettings };
}
