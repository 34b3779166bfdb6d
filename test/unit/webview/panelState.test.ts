import { describe, expect, it } from 'vitest';
import type { RunEvent, Tick } from '../../../src/model/protocol/runEvent.ts';
import { announcement } from '../../../webview/workbench/announcement.ts';
import { panelHead } from '../../../webview/workbench/panelHead.ts';
import {
  type RunSoFar,
  isRunning,
  joinTurns,
  latestOfEach,
  reduceRunEvent,
  segmentsOf,
  tickWindowMs,
} from '../../../webview/progress/runSoFar.ts';
import { defaultForm } from '../../../src/model/presentation/formChoice.ts';
import { comparisonSchema } from '../../../src/model/domain/comparison.ts';
import type { TuningAnswer } from '../../../src/model/domain/tuning.ts';
import {
  type PanelState,
  formOf,
  initialState,
  reduceMessage,
  shownInTune,
  showsAnother,
  views,
  firstState,
  readSavedState,
  toSavedState,
} from '../../../webview/workbench/panelState.ts';
import { exampleCatalog, exampleForm, exampleRun, trialWith } from './examples.ts';
import { asking } from '../../../webview/workbench/askedAgain.ts';

const runId = 'mi8k9999-00112233445566778899aabb';
const trials = [trialWith({ key: 'a' }), trialWith({ key: 'b', target: 'node' })];
const started: RunEvent = { type: 'started', runId, title: 'Pool size', trials };
const tick = (timeMs: number, part: Partial<Tick> = {}): RunEvent => ({
  type: 'tick',
  runId,
  tick: { timeMs, windowMs: 500, trialKey: 'a', stage: 'measure', throughput: 100, p50Ms: 1, p99Ms: 2, errors: 0, ...part },
});
const finished: RunEvent = { type: 'finished', runId, outcome: 'complete', stored: true, failure: null };
const after = (...events: RunEvent[]): RunSoFar | null => events.reduce<RunSoFar | null>(reduceRunEvent, null);
const fresh = (shownRunId: string | null = null): PanelState => initialState({ ...firstState, shownRunId });
const summary = (id: string) => ({
  kind: 'run' as const,
  id,
  title: 't',
  startedAt: '2026-11-21T14:02:11.000Z',
  state: 'complete' as const,
  valid: true,
  reasons: [],
  headline: 'h',
  targets: [],
  recordings: [],
  marks: { name: null, tags: [], baseline: false },
  againstBaseline: null,
  tuned: false,
  experimentId: null,
  takenPercent: null,
});

describe('the run in progress', () => {
  it('keeps the last minute of ticks', () => {
    const live = after(started, tick(1_000), tick(30_000), tick(1_000 + tickWindowMs + 1_000));
    expect(live?.ticks.map((kept) => kept.timeMs)).toEqual([30_000, 62_000]);
  });
  it('counts errors of ticks that are no longer kept', () => {
    expect(after(started, tick(1_000, { errors: 3 }), tick(200_000, { errors: 2 }))?.errors).toBe(5);
  });
  it('takes over a trial when its figures come', () => {
    const measured = trialWith({ key: 'b', target: 'node', requests: 4711 });
    expect(after(started, { type: 'trial', runId, trial: measured })?.trials).toEqual([trials[0], measured]);
  });
  it('ignores events of another run', () => {
    const live = after(started, { ...finished, runId: 'other' });
    expect(isRunning(live)).toBe(true);
  });
  it('ends with its outcome', () => {
    const live = after(started, finished);
    expect(isRunning(live)).toBe(false);
    expect(live?.finished).toEqual({ outcome: 'complete', stored: true, failure: null });
  });
  it('is cut where the trial changes and where measuring begins', () => {
    const live = after(
      started,
      tick(500, { stage: 'warmUp' }),
      tick(1000, { stage: 'settle' }),
      tick(1500),
      tick(2000),
      tick(2500, { trialKey: 'b' }),
    );
    expect(live && segmentsOf(live).map((segment) => [segment.trialKey, segment.measured, segment.ticks.length])).toEqual([
      ['a', false, 2],
      ['a', true, 2],
      ['b', true, 1],
    ]);
  });
});

describe('settings that take turns', () => {
  const stretch = (key: string, measured: boolean, ...timesMs: number[]) => ({
    key,
    measured,
    ticks: timesMs.map((timeMs) => ({ ...tickAt, timeMs })),
  });
  const tickAt = { windowMs: 500, trialKey: 'a', stage: 'measure' as const, throughput: 1, p50Ms: 1, p99Ms: 1, errors: 0 };
  const joined = (...stretches: ReturnType<typeof stretch>[]) =>
    joinTurns(stretches).map(({ key, ticks }) => [key, ticks.map(({ timeMs }) => timeMs)]);

  it('have one line each, apart from their warm-up', () => {
    const turns = [stretch('a', false, 500), stretch('a', true, 1_000), stretch('b', true, 1_500), stretch('a', true, 2_000, 2_500)];
    expect(joined(...turns)).toEqual([
      ['a', [500]],
      ['a', [1_000, 2_000, 2_500]],
      ['b', [1_500]],
    ]);
  });

  it('have one name each, of their latest line', () => {
    const lines = [stretch('a', false, 500), stretch('b', true, 900), stretch('a', true, 1_000, 2_000), stretch('b', false, 700)];
    expect(latestOfEach(lines).map(({ key, measured }) => [key, measured])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });

  it('have another line where they come back much later', () => {
    expect(joined(stretch('a', true, 1_000), stretch('b', true, 1_500, 20_000), stretch('a', true, 20_500))).toEqual([
      ['a', [1_000]],
      ['b', [1_500, 20_000]],
      ['a', [20_500]],
    ]);
  });
});

describe('a search in progress', () => {
  const answer = { target: 'java', targetLabel: 'Java', facts: { code: 'recorded', sentence: 'Use pool size 8' } } as TuningAnswer;
  const told = {
    type: 'tuning',
    runId,
    doing: { code: 'fresh-processes', target: 'Java' },
    spentS: 48,
    budgetS: 120,
    answers: [answer],
  } satisfies RunEvent;
  it('keeps the latest of what it tells', () => {
    const progress = after(started, { ...told, spentS: 20, answers: [] }, told);
    expect(progress?.found).toEqual({ kind: 'tune', doing: told.doing, spentS: 48, budgetS: 120, answers: [answer] });
  });
  it('is announced when its stage changes, and not with every tick', () => {
    const before = reduceMessage(fresh(), { type: 'runEvents', events: [started], replay: false });
    const message = { type: 'runEvents' as const, events: [told], replay: false };
    const state = reduceMessage(before, message);
    expect(announcement(before, state, message)).toBe('Fresh processes of Java');
    const later = { type: 'runEvents' as const, events: [tick(900)], replay: false };
    expect(announcement(state, reduceMessage(state, later), later)).toBeNull();
  });
  it('is what the head of the panel names under Tune, and under what needs a run while there is none', () => {
    const running = reduceMessage(fresh(), { type: 'runEvents', events: [{ ...started, title: 'Pool size, Java' }], replay: false });
    expect(panelHead(running, new Date())).toMatchObject({ heading: 'Pool size, Java', subtitle: 'running now' });
    expect(panelHead({ ...running, view: 'raw' }, new Date())).toMatchObject({ heading: 'Pool size, Java', subtitle: 'running now' });
  });
});

describe('the head of the panel', () => {
  it('is that of the run on show on every tab but that of an advice, so that its actions are of what it names and nothing moves', () => {
    const shown = reduceMessage(fresh(), { type: 'run', run: exampleRun });
    const heads = views.filter((view) => view !== 'advise').map((view) => panelHead({ ...shown, view }, new Date()));
    expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1);
    expect(heads[0]?.heading).toBe(exampleRun.title);
  });
});

describe('messages to the panel', () => {
  const catalog = { type: 'catalog', catalog: exampleCatalog, trusted: true, hasWorkspace: true } as const;
  const told = { type: 'form', form: exampleForm, revision: 4 } as const;

  it('fill the form with what was remembered', () => {
    expect(formOf([told, catalog].reduce(reduceMessage, fresh()))).toEqual(exampleForm);
  });
  it('fill it with the choice of the first day where nothing was chosen, anew with each catalog', () => {
    const state = [{ ...told, form: null }, catalog].reduce(reduceMessage, fresh());
    expect(formOf(state)).toEqual(defaultForm(exampleCatalog));
    expect(formOf(state).targets).toEqual(['shop']);
    const samples = { ...exampleCatalog, targets: exampleCatalog.targets.filter(({ origin }) => origin === 'sample') };
    expect(formOf(reduceMessage(state, { ...catalog, catalog: samples })).targets).toEqual(['java', 'node']);
  });
  it('do not undo what was typed meanwhile when the same revision comes again', () => {
    const typed = { ...[told, catalog].reduce(reduceMessage, fresh()), form: { ...exampleForm, rounds: '55' } };
    expect(formOf([told, catalog].reduce(reduceMessage, typed)).rounds).toBe('55');
  });
  it('take over a form that came from elsewhere', () => {
    const typed = { ...[told, catalog].reduce(reduceMessage, fresh()), form: { ...exampleForm, rounds: '55' } };
    expect(reduceMessage(typed, { ...told, revision: 5 })).toMatchObject({ form: exampleForm, formRevision: 5 });
  });
  it('leave a target out of the form while the catalog lacks it, and bring it back', () => {
    const state = [told, catalog].reduce(reduceMessage, fresh());
    const [kept] = exampleForm.targets;
    const without = reduceMessage(state, {
      ...catalog,
      catalog: { ...exampleCatalog, targets: exampleCatalog.targets.filter(({ id }) => id === kept) },
    });
    expect(formOf(without).targets).toEqual([kept]);
    expect(formOf(reduceMessage(without, catalog)).targets).toEqual(exampleForm.targets);
  });
  it('show a run under Tune from its start on, and its record at the same place when it is there', () => {
    const running = reduceMessage({ ...fresh(), view: 'raw' }, { type: 'runEvents', events: [started, tick(500)], replay: false });
    expect(running.view).toBe('tune');
    expect(shownInTune(running)).toEqual({ progress: running.progress });
    const done = reduceMessage(running, { type: 'runEvents', events: [finished], replay: false });
    expect(shownInTune(done)).toEqual({ progress: done.progress });
    const recorded = reduceMessage(done, { type: 'run', run: { ...exampleRun, id: runId } });
    expect(recorded.view).toBe('tune');
    expect(shownInTune(recorded)).toEqual({ run: recorded.run });
  });
  it('do not take anybody from another view to a run that has just ended', () => {
    const running = reduceMessage(fresh(), { type: 'runEvents', events: [started, finished], replay: false });
    expect(reduceMessage({ ...running, view: 'raw' }, { type: 'run', run: { ...exampleRun, id: runId } }).view).toBe('raw');
  });
  it('show a run that is opened while another one goes on, until another starts', () => {
    const running = reduceMessage(fresh(), { type: 'runEvents', events: [started], replay: false });
    const opened = reduceMessage(running, { type: 'run', run: exampleRun });
    expect(isRunning(opened.progress)).toBe(true);
    expect(shownInTune(opened)).toEqual({ run: exampleRun });
    const next = reduceMessage(opened, { type: 'runEvents', events: [{ ...started, runId: 'next' }], replay: false });
    expect(shownInTune(next)).toEqual({ progress: next.progress });
  });
  it('go to the top for a run that begins or is opened, and stay with one that has ended', () => {
    const begins = { type: 'runEvents' as const, events: [started], replay: false };
    const running = reduceMessage(fresh(), begins);
    expect(showsAnother(fresh(), running, begins)).toBe(true);
    expect(showsAnother(fresh(), running, { ...begins, replay: true })).toBe(false);
    const ended = { type: 'run' as const, run: { ...exampleRun, id: runId } };
    expect(showsAnother(running, reduceMessage(running, ended), ended)).toBe(false);
    const opened = { type: 'run' as const, run: exampleRun };
    expect(showsAnother(running, reduceMessage(running, opened), opened)).toBe(true);
    const restoring = fresh(exampleRun.id);
    expect(showsAnother(restoring, reduceMessage(restoring, opened), opened)).toBe(false);
  });
  it('remember what was applied to which target', () => {
    const once = reduceMessage(fresh(), { type: 'applied', target: 'java', values: { pool: 8 } });
    const twice = reduceMessage(once, { type: 'applied', target: 'node', values: { pool: 2 } });
    expect(twice.applied).toEqual({ java: { pool: 8 }, node: { pool: 2 } });
  });
  it('compare two settings of one run as they were asked for', () => {
    const side = { id: exampleRun.id, title: 't', name: 'n', short: 'n', startedAt: exampleRun.startedAt };
    const comparison = comparisonSchema.parse({
      a: { ...side, trialKey: 'x' },
      b: { ...side, trialKey: 'y' },
      sameRun: true,
      differences: [],
      rows: [],
    });
    expect(reduceMessage(fresh(), { type: 'comparison', comparison }).chosen).toEqual({
      a: exampleRun.id,
      b: exampleRun.id,
      trialA: 'x',
      trialB: 'y',
    });
  });
  it('leave the chosen view alone when the shown run is restored', () => {
    const restored = reduceMessage({ ...fresh(exampleRun.id), view: 'raw' }, { type: 'run', run: exampleRun });
    expect(restored).toMatchObject({ view: 'raw', awaitedRunId: null, restoring: false });
  });
  it('stop waiting for a run that is not there any more', () => {
    const state = reduceMessage(fresh('gone'), { type: 'runEvents', events: [], replay: true });
    expect(state).toMatchObject({ awaitedRunId: null, restoring: false });
  });
  it('do not believe in a run any more when a replay says that none is running', () => {
    const running = reduceMessage(fresh(), { type: 'runEvents', events: [started], replay: false });
    expect(isRunning(reduceMessage(running, { type: 'runEvents', events: [], replay: true }).progress)).toBe(false);
  });
  it('take a deleted run off the panel, and out of the comparison', () => {
    const listed = reduceMessage(
      { ...fresh(), chosen: { a: 'old', b: exampleRun.id } },
      { type: 'runs', runs: [summary(exampleRun.id), summary('old')] },
    );
    const shown = reduceMessage(listed, { type: 'run', run: exampleRun });
    const gone = reduceMessage(shown, { type: 'runs', runs: [summary('old')] });
    expect(gone).toMatchObject({ run: null, chosen: { a: 'old', b: '' } });
    expect(shownInTune(gone)).toBeNull();
  });
  it('keep a run that is not in the list yet', () => {
    const shown = reduceMessage(fresh(), { type: 'run', run: exampleRun });
    expect(reduceMessage(shown, { type: 'runs', runs: [] }).run).toBe(exampleRun);
  });
  it('let Run be pressed again after a failure', () => {
    const failure = { code: 'port-taken' as const, message: 'No free port.', cure: 'Stop something.' };
    expect(reduceMessage({ ...fresh(), starting: true }, { type: 'failure', failure })).toMatchObject({ starting: false, failure });
  });
  it('say at once that a measurement begins which a command asked for, in its view, until it is over', () => {
    const began = reduceMessage({ ...fresh(), view: 'flame' }, { type: 'starting', kind: 'run' });
    expect(began).toMatchObject({ starting: true, view: 'tune' });
    expect(reduceMessage({ ...fresh(), view: 'flame' }, { type: 'starting', kind: 'diff' })).toMatchObject({
      starting: true,
      view: 'flame',
    });
    expect(reduceMessage({ ...fresh(), view: 'flame' }, { type: 'starting', kind: 'advise' }).view).toBe('advise');
    expect(reduceMessage(began, { type: 'starting', kind: null }).starting).toBe(false);
  });
  it('let Run be pressed again once what was asked for last is answered, and not by the answer to something before it', () => {
    const first = asking(fresh(), { type: 'measure', request: { kind: 'experiment', id: 'C1', form: 'short' } });
    expect(first).toMatchObject({ starting: true, experimentAsked: true });
    expect(reduceMessage(first, { type: 'answered', ask: first.asked })).toMatchObject({ starting: false, experimentAsked: false });
    const second = asking(first, { type: 'measureAgain' });
    expect(reduceMessage(second, { type: 'answered', ask: first.asked }).starting).toBe(true);
    expect(reduceMessage(second, { type: 'answered', ask: second.asked }).starting).toBe(false);
  });
});

describe('what survives a reload', () => {
  it('is read back as it was kept', () => {
    const state = reduceMessage({ ...fresh(), view: 'raw' }, { type: 'run', run: exampleRun });
    const liveForm = { target: 'node', values: { pool: '4' }, connections: '16', load: 'steady', route: '' };
    const kept = toSavedState({ ...state, catalog: exampleCatalog, view: 'raw', liveForm }, 120, true);
    expect(readSavedState(JSON.parse(JSON.stringify(kept)))).toEqual({
      view: 'raw',
      shownAdviceId: null,
      liveForm: { target: 'node', values: { pool: '4' }, connections: '16', load: 'steady', route: '' },
      shownRunId: exampleRun.id,
      chosen: { a: '', b: '' },
      scrollY: 120,
      moreSettings: true,
    });
  });
  it('is nothing when another version kept it', () => {
    expect(readSavedState({ view: 'flame' })).toEqual(firstState);
    expect(readSavedState(undefined)).toEqual(firstState);
  });
});
