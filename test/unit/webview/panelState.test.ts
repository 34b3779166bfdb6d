import { describe, expect, it } from 'vitest';
import type { RunEvent, Tick } from '../../../src/model/runEvent.ts';
import { isRunning, liveWindowMs, reduceRunEvent, segmentsOf } from '../../../webview/workbench/liveRun.ts';
import type { LiveRun } from '../../../webview/workbench/liveRun.ts';
import type { PanelState } from '../../../webview/workbench/panelState.ts';
import { emptyForm, initialState, reduceMessage, withForm } from '../../../webview/workbench/panelState.ts';
import { firstState, readSavedState, toSavedState } from '../../../webview/workbench/savedState.ts';
import { exampleCatalog, exampleForm, exampleRun, trialWith } from './examples.ts';

const runId = 'mi8k9999-00112233445566778899aabb';
const trials = [trialWith({ key: 'a' }), trialWith({ key: 'b', target: 'node' })];
const started: RunEvent = { type: 'started', runId, title: 'Pool size', trials };
const tick = (timeMs: number, part: Partial<Tick> = {}): RunEvent => ({
  type: 'tick',
  runId,
  tick: { timeMs, windowMs: 500, trialKey: 'a', stage: 'measure', throughput: 100, p50Ms: 1, p99Ms: 2, errors: 0, ...part },
});
const finished: RunEvent = { type: 'finished', runId, outcome: 'complete', stored: true, failure: null };
const after = (...events: RunEvent[]): LiveRun | null => events.reduce<LiveRun | null>(reduceRunEvent, null);
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
  targets: [], recordings: [],
});

describe('the run in progress', () => {
  it('keeps the last minute of ticks', () => {
    const live = after(started, tick(1_000), tick(30_000), tick(1_000 + liveWindowMs + 1_000));
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

describe('messages to the panel', () => {
  const catalog = { type: 'catalog', catalog: exampleCatalog, form: exampleForm, trusted: true, hasWorkspace: true } as const;

  it('fill the form with what was remembered', () => {
    expect(reduceMessage(fresh(), catalog).form).toEqual(exampleForm);
  });
  it('do not undo what was typed meanwhile when an older form comes back', () => {
    const typedOnce = withForm(fresh(), { ...emptyForm, rounds: '5' });
    const typedTwice = withForm(typedOnce, { ...emptyForm, rounds: '55' });
    expect(reduceMessage(typedTwice, { ...catalog, form: typedOnce.form }).form.rounds).toBe('55');
  });
  it('take over a form that was changed elsewhere', () => {
    const typed = withForm(fresh(), { ...emptyForm, rounds: '5' });
    expect(reduceMessage(typed, { ...catalog, form: exampleForm }).form).toEqual(exampleForm);
  });
  it('show the live view when a run starts, and its result when it is there', () => {
    const running = reduceMessage(fresh(), { type: 'runEvents', events: [started, tick(500)], replay: false });
    expect(running.view).toBe('live');
    const done = reduceMessage(running, { type: 'runEvents', events: [finished], replay: false });
    expect(done.view).toBe('live');
    expect(reduceMessage(done, { type: 'run', run: exampleRun }).view).toBe('result');
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
    expect(isRunning(reduceMessage(running, { type: 'runEvents', events: [], replay: true }).live)).toBe(false);
  });
  it('take a deleted run off the panel, and out of the comparison', () => {
    const listed = reduceMessage(
      { ...fresh(), chosen: { a: 'old', b: exampleRun.id } },
      { type: 'runs', runs: [summary(exampleRun.id), summary('old')] },
    );
    const shown = reduceMessage(listed, { type: 'run', run: exampleRun });
    const gone = reduceMessage(shown, { type: 'runs', runs: [summary('old')] });
    expect(gone).toMatchObject({ run: null, chosen: { a: 'old', b: '' } });
  });
  it('keep a run that is not in the list yet', () => {
    const shown = reduceMessage(fresh(), { type: 'run', run: exampleRun });
    expect(reduceMessage(shown, { type: 'runs', runs: [] }).run).toBe(exampleRun);
  });
  it('let Run be pressed again after a failure', () => {
    const failure = { code: 'no-port', message: 'No free port.', cure: 'Stop something.' };
    expect(reduceMessage({ ...fresh(), starting: true }, { type: 'failure', failure })).toMatchObject({ starting: false, failure });
  });
});

describe('what survives a reload', () => {
  it('is read back as it was kept', () => {
    const state = reduceMessage({ ...fresh(), view: 'raw' }, { type: 'run', run: exampleRun });
    const kept = toSavedState({ ...state, catalog: exampleCatalog, view: 'raw', form: exampleForm }, 120, true);
    expect(readSavedState(JSON.parse(JSON.stringify(kept)))).toEqual({
      view: 'raw',
      form: exampleForm,
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
