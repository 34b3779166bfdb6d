import { describe, expect, it } from 'vitest';
import type { LiveEvent, LiveSample } from '../../../src/model/protocol/live.ts';
import { checkLiveForm, emptyLiveForm } from '../../../webview/live/liveForm.ts';
import { type LiveProgress, isLive, reduceLiveEvent, sessionWindowMs } from '../../../webview/live/liveProgress.ts';
import { clampValue, keyedValue, sliderPosition, sliderSteps, sliderValue } from '../../../webview/live/sliderScale.ts';
import { failureToShow, initialState, reduceMessage, firstState } from '../../../webview/workbench/panelState.ts';
import { exampleCatalog } from './examples.ts';

const control = { setting: 'pool', label: 'Pool size', unit: null, min: 1, max: 256, value: 4, problem: null };
const running: LiveEvent = {
  type: 'running',
  target: 'java',
  targetLabel: 'Java',
  controls: [control],
  connections: 32,
  routes: ['GET /ads'],
  notes: [],
};
const sampleAt = (timeMs: number): LiveEvent => ({
  type: 'sample',
  sample: {
    timeMs,
    throughput: 100,
    p50Ms: 1,
    p99Ms: 2,
    errors: 0,
    appCpuPercent: null,
    postgresCpuPercent: null,
    generatorCpuPercent: null,
    pool: null,
    threads: null,
    eventLoopUtilisation: null,
  } satisfies LiveSample,
});
const changeTo = (to: number, ok = true): LiveEvent => ({
  type: 'change',
  change: { timeMs: 5000, setting: 'pool', from: 4, to, ok, effectiveMs: 300, message: null },
});
const ended: LiveEvent = { type: 'ended', reason: { code: 'stopped' }, failure: null, runId: null };
const after = (...events: LiveEvent[]): LiveProgress | null => events.reduce<LiveProgress | null>(reduceLiveEvent, null);

describe('a live session', () => {
  it('keeps the last minute of samples and every change', () => {
    const session = after(running, sampleAt(1000), changeTo(8), sampleAt(1000 + sessionWindowMs + 10_000));
    expect(session?.samples.map((sample) => sample.timeMs)).toEqual([71_000]);
    expect(session?.changes).toHaveLength(1);
  });
  it('shows the value that is in force: the new one when it was verified, the old one when it was refused', () => {
    expect(after(running, changeTo(8))?.controls[0]?.value).toBe(8);
    expect(after(running, changeTo(8, false))?.controls[0]?.value).toBe(4);
  });
  it('keeps what was seen when it ends', () => {
    const session = after(running, sampleAt(1000), ended);
    expect(isLive(session)).toBe(false);
    expect(session?.samples).toHaveLength(1);
    expect(session?.ended?.reason).toBe('Stopped.');
  });
  it('begins anew with the next start', () => {
    const next = after(running, sampleAt(1000), ended, {
      type: 'starting',
      target: 'node',
      targetLabel: 'Node',
      doing: { code: 'starting', name: 'Node' },
    });
    expect(next).toMatchObject({ phase: 'starting', target: 'node', samples: [], ended: null });
  });
  it('is shown when it starts; a replay leaves the chosen view alone', () => {
    const fresh = { ...initialState(firstState), starting: true };
    expect(reduceMessage(fresh, { type: 'liveEvents', events: [running], replay: false })).toMatchObject({ view: 'live', starting: false });
    expect(reduceMessage(fresh, { type: 'liveEvents', events: [running, sampleAt(1000)], replay: true }).view).toBe('tune');
  });
  it('tells once what ended it: in its own view there, and above any other', () => {
    const failure = { code: 'engine-ended' as const, message: 'The engine ended.', cure: 'Start again.' };
    const events = [running, { ...ended, failure } as LiveEvent];
    const live = reduceMessage(initialState(firstState), { type: 'liveEvents', events: [running], replay: false });
    const over = reduceMessage({ ...live, view: 'tune' }, { type: 'liveEvents', events: events.slice(1), replay: false });
    expect(failureToShow(over)).toEqual(failure);
    expect(failureToShow({ ...over, view: 'live' })).toBeNull();
    expect(over.session?.ended?.failure).toEqual(failure);
    expect(failureToShow(reduceMessage(initialState(firstState), { type: 'liveEvents', events, replay: true }))).toBeNull();
  });
  it('can be asked for with a target, whose form then holds nothing of another one', () => {
    const typed = {
      ...initialState(firstState),
      liveForm: { ...emptyLiveForm, target: 'java', values: { threads: '20' }, connections: '16' },
    };
    const state = reduceMessage(typed, { type: 'show', view: 'live', target: 'node' });
    expect(state).toMatchObject({ view: 'live', liveForm: { target: 'node', values: {}, connections: '16' } });
    expect(reduceMessage(state, { type: 'show', view: 'tune' }).liveForm).toBe(state.liveForm);
  });
  it('is not believed in any more when a replay says that there is none', () => {
    const live = reduceMessage(initialState(firstState), { type: 'liveEvents', events: [running], replay: false });
    expect(reduceMessage(live, { type: 'liveEvents', events: [], replay: true }).session).toBeNull();
  });
});

describe('a slider', () => {
  it('has equal ways for equal factors where the range is wide', () => {
    expect([1, 16, 256].map((value) => sliderPosition(control, value))).toEqual([0, sliderSteps / 2, sliderSteps]);
    expect(sliderPosition({ min: 10, max: 20 }, 15)).toBe(sliderSteps / 2);
  });
  it('comes back to the value that it shows', () => {
    for (let value = control.min; value <= control.max; value += 1)
      expect(sliderValue(control, sliderPosition(control, value))).toBe(value);
  });
  it('stays in its range', () => {
    expect([sliderValue(control, -5), sliderValue(control, 5000)]).toEqual([1, 256]);
    expect([clampValue(control, 0), clampValue(control, 4.6), clampValue(control, 1e9)]).toEqual([1, 5, 256]);
    expect(sliderPosition({ min: 4, max: 4 }, 4)).toBe(0);
  });
  it('is moved one by one, twice and half, and to its ends by keys; other keys are left alone', () => {
    expect(['ArrowRight', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Tab'].map((key) => keyedValue(control, 10, key))).toEqual([
      11,
      9,
      20,
      5,
      1,
      256,
      null,
    ]);
    expect(keyedValue(control, 256, 'ArrowUp')).toBe(256);
  });
});

describe('the form of the live view', () => {
  const check = (part: Partial<typeof emptyLiveForm>, trusted = true) =>
    checkLiveForm({ ...emptyLiveForm, ...part }, exampleCatalog, trusted);
  it('makes a request of what was typed and leaves out what is empty', () => {
    expect(check({ target: 'java', values: { pool: '4' }, connections: '16', route: 'GET /ads' }).request).toEqual({
      target: 'java',
      settings: { pool: 4 },
      load: 'steady',
      route: 'GET /ads',
      connections: 16,
      maxS: 1800,
    });
    expect(check({ target: 'node' }).request).toEqual({ target: 'node', settings: {}, load: 'steady', maxS: 1800 });
  });
  it('takes the first target that may be started where the chosen one is gone or not trusted', () => {
    expect(check({ target: 'gone' }).target?.id).toBe('java');
    expect(check({ target: 'shop' }, false).target?.id).toBe('java');
    expect(check({ target: 'shop' }).target?.id).toBe('shop');
  });
  it('says what is wrong, by field', () => {
    const { request, problems } = check({ target: 'java', values: { pool: '0' }, connections: 'x', load: 'gone', route: 'GET /nowhere' });
    expect(request).toBeNull();
    expect(Object.keys(problems).sort()).toEqual(['connections', 'load', 'route', 'setting:pool']);
  });
});
