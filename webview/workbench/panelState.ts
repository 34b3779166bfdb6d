import type { Failure } from '../../src/model/failure.ts';
import type { Form, ToPanel } from '../../src/model/panel.ts';
import type { Catalog, Comparison } from '../../src/model/protocol.ts';
import type { RunRecord, RunSummary } from '../../src/model/run.ts';
import type { LiveRun } from './liveRun.ts';
import { isRunning, reduceRunEvent } from './liveRun.ts';

export const views = ['result', 'live', 'flame', 'compare', 'raw'] as const;
export type View = (typeof views)[number];

/** All that the panel shows. It changes only through {@link reduceMessage} and the few user actions in the app. */
export interface PanelState {
  view: View;
  catalog: Catalog | null;
  trusted: boolean;
  hasWorkspace: boolean;
  form: Form;
  /** Forms that were sent from here, newest last: the extension may send them back late. */
  sentForms: string[];
  /** `null` until the list has arrived. */
  runs: RunSummary[] | null;
  run: RunRecord | null;
  /** The run that was asked for and has not arrived yet. */
  awaitedRunId: string | null;
  /** True while the awaited run is the one shown before a reload: then the chosen view stays. */
  restoring: boolean;
  live: LiveRun | null;
  chosen: { a: string; b: string };
  comparison: Comparison | null;
  failure: Failure | null;
  /** Run was pressed and nothing has come back yet. */
  starting: boolean;
}

export const emptyForm: Form = { targets: [], values: {}, connections: '', durationS: '', rounds: '', load: 'steady', route: '', record: false };

/** The state of a panel that has just been opened or restored. */
export function initialState(saved: {
  view: View;
  form: Form | null;
  shownRunId: string | null;
  chosen: { a: string; b: string };
}): PanelState {
  return {
    view: saved.view,
    catalog: null,
    trusted: true,
    hasWorkspace: true,
    form: saved.form ?? emptyForm,
    sentForms: [],
    runs: null,
    run: null,
    awaitedRunId: saved.shownRunId,
    restoring: saved.shownRunId !== null,
    live: null,
    chosen: saved.chosen,
    comparison: null,
    failure: null,
    starting: false,
  };
}

/** How many sent forms are remembered to recognise an echo. */
const rememberedForms = 100;

/** The state after the form was changed here and sent to the extension. */
export function withForm(state: PanelState, form: Form): PanelState {
  return { ...state, form, sentForms: [...state.sentForms.slice(1 - rememberedForms), JSON.stringify(form)] };
}

/** The state after a message from the extension. */
export function reduceMessage(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case 'catalog': {
      const { catalog, trusted, hasWorkspace } = message;
      const echo = state.sentForms.includes(JSON.stringify(message.form));
      return { ...state, catalog, trusted, hasWorkspace, form: echo ? state.form : message.form };
    }
    case 'runs':
      return withRuns(state, message.runs);
    case 'run':
      return withRun(state, message.run);
    case 'runEvents': {
      // An empty replay says that nothing is running; whichever replay it is, what was to be restored has been sent before it.
      const known = message.replay && message.events.length === 0 && isRunning(state.live) ? null : state.live;
      const live = message.events.reduce<LiveRun | null>(reduceRunEvent, known);
      const started = message.events.some((event) => event.type === 'started') && (!message.replay || isRunning(live));
      const keepView = message.replay && state.view !== 'result';
      return {
        ...state,
        live,
        view: started && !keepView ? 'live' : state.view,
        starting: started ? false : state.starting,
        failure: started ? null : state.failure,
        ...(message.replay ? { awaitedRunId: null, restoring: false } : {}),
      };
    }
    case 'comparison': {
      const { comparison } = message;
      return { ...state, comparison, chosen: { a: comparison.a.id, b: comparison.b.id } };
    }
    case 'failure':
      return { ...state, failure: message.failure, starting: false, awaitedRunId: null, restoring: false };
    case 'flame':
      return state;
    case 'show':
      return { ...state, view: message.view === 'compare' ? 'compare' : 'result' };
  }
}

function withRuns(state: PanelState, runs: RunSummary[]): PanelState {
  const gone = (id: string | undefined): boolean => (state.runs ?? []).some((run) => run.id === id) && !runs.some((run) => run.id === id);
  const comparison = state.comparison && (gone(state.comparison.a.id) || gone(state.comparison.b.id)) ? null : state.comparison;
  const kept = (id: string): string => (gone(id) ? '' : id);
  return {
    ...state,
    runs,
    run: gone(state.run?.id) ? null : state.run,
    comparison,
    chosen: { a: kept(state.chosen.a), b: kept(state.chosen.b) },
  };
}

function withRun(state: PanelState, run: RunRecord): PanelState {
  const restored = state.restoring && state.awaitedRunId === run.id;
  const justFinished = state.live?.runId === run.id && (state.view === 'compare' || state.view === 'raw' || state.view === 'flame');
  return { ...state, run, awaitedRunId: null, restoring: false, failure: null, view: restored || justFinished ? state.view : 'result' };
}
