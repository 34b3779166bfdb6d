import { describe, expect, it } from 'vitest';
import { LiveReplay } from '../../../../src/extension/sessions/replays.ts';
import { liveStatusText } from '../../../../src/extension/sessions/progressText.ts';
import type { LiveEvent, LiveSample } from '../../../../src/model/protocol/live.ts';

const starting: LiveEvent = { type: 'starting', target: 'java', targetLabel: 'Java', doing: { code: 'starting', name: 'Java' } };
const running: LiveEvent = {
  type: 'running',
  target: 'java',
  targetLabel: 'Java',
  controls: [
    { setting: 'pool', label: 'Pool size', unit: null, min: 1, max: 64, value: 8, problem: null },
    { setting: 'threads', label: 'Threads', unit: null, min: 1, max: 64, value: 50, problem: { code: 'not-live' } },
  ],
  connections: 16,
  routes: [],
  notes: [],
};
const figures = (timeMs: number): LiveSample => ({
  timeMs,
  throughput: 7940.4,
  p50Ms: 1,
  p99Ms: 2,
  errors: 0,
  appCpuPercent: null,
  postgresCpuPercent: null,
  generatorCpuPercent: null,
  pool: null,
  threads: null,
  eventLoopUtilisation: null,
});
const sample = (timeMs: number): LiveEvent => ({ type: 'sample', sample: figures(timeMs) });
const change = (timeMs: number, to: number, ok = true): LiveEvent => ({
  type: 'change',
  change: { timeMs, setting: 'pool', from: 8, to, ok, effectiveMs: 20, message: null },
});
const segment = (toMs: number): LiveEvent => ({
  type: 'segment',
  segment: { fromMs: 0, toMs, settings: { pool: 8 }, throughput: 1, p50Ms: 1, p99Ms: 2, requests: 1, errors: 0 },
});
const ended: LiveEvent = { type: 'ended', reason: { code: 'stopped' }, failure: null, runId: null };

describe('what a late panel is told of the live session', () => {
  it('comes in the order of its times, with how it began first and its end last', () => {
    const replay = new LiveReplay();
    for (const event of [starting, running, sample(1000), sample(2000), change(2500, 16), segment(2600), sample(3000), ended])
      replay.add(event);
    expect(replay.events()).toEqual([starting, running, sample(1000), sample(2000), change(2500, 16), segment(2600), sample(3000), ended]);
    expect(replay.end).toEqual(ended);
  });

  it('is bounded to ten minutes of samples and 300 changes, however long the session is', () => {
    const replay = new LiveReplay();
    replay.add(running);
    for (let second = 1; second <= 7_200; second += 1) {
      replay.add(sample(second * 1000));
      replay.add(change(second * 1000 + 1, second));
    }
    const events = replay.events();
    const samples = events.filter((event) => event.type === 'sample');
    expect(samples).toHaveLength(600);
    expect(samples.at(-1)).toEqual(sample(7_200_000));
    expect(events.filter((event) => event.type === 'change')).toHaveLength(300);
  });

  it('is forgotten when another session begins', () => {
    const replay = new LiveReplay();
    for (const event of [starting, running, sample(1000), change(1500, 4), segment(1600), ended]) replay.add(event);
    replay.clear();
    expect(replay.events()).toEqual([]);
    expect(replay.end).toBeUndefined();
    expect(replay.values).toEqual({});
  });
});

describe('the status bar during a live session', () => {
  it('says the target, the values that hold now, and the throughput', () => {
    const replay = new LiveReplay();
    for (const event of [running, change(1000, 16), change(2000, 32, false)]) replay.add(event);
    expect(liveStatusText('Java', replay.values, figures(2500), '')).toBe('Java · pool 16 · 7,940 req/s');
  });

  it('says what is being done while there is no figure yet', () => {
    expect(liveStatusText('Java', {}, null, 'Warming up')).toBe('Java · Warming up');
  });
});
