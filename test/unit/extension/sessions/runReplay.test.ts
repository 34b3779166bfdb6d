import { describe, expect, it } from 'vitest';
import { RunReplay } from '../../../../src/extension/sessions/replays.ts';
import type { RunEvent } from '../../../../src/model/protocol/runEvent.ts';

const runId = 'r';
const started: RunEvent = { type: 'started', runId, title: 'node', trials: [] };
const tick = (timeMs: number): RunEvent => ({
  type: 'tick',
  runId,
  tick: { timeMs, windowMs: 500, trialKey: 'a', stage: 'measure', throughput: 1, p50Ms: 1, p99Ms: 2, errors: 0 },
});
const phase = (step: number): RunEvent => ({
  type: 'phase',
  runId,
  phase: 'measure',
  doing: { code: 'connections', name: 'node', connections: step },
  step,
  steps: 9,
  elapsedMs: 0,
  remainingMs: null,
});
const trial = (key: string, requests: number): RunEvent => ({ type: 'trial', runId, trial: { key, requests } }) as RunEvent;

describe('what a late panel is told of the running benchmark', () => {
  it('begins with how it started and holds the latest phase only', () => {
    const replay = new RunReplay();
    for (const event of [started, phase(1), tick(500), phase(2)]) replay.add(event);
    expect(replay.events()).toEqual([started, tick(500), phase(2)]);
    expect(replay.latestPhase?.doing).toMatchObject({ connections: 2 });
  });

  it('is bounded to the last 240 ticks, however long the run is', () => {
    const replay = new RunReplay();
    replay.add(started);
    for (let index = 1; index <= 10_000; index += 1) replay.add(tick(index));
    const ticks = replay.events().filter((event) => event.type === 'tick');
    expect(ticks).toHaveLength(240);
    expect(ticks[0]).toEqual(tick(9_761));
    expect(ticks.at(-1)).toEqual(tick(10_000));
  });

  it('holds each trial once, in its latest state', () => {
    const replay = new RunReplay();
    for (const event of [started, trial('a', 1), trial('b', 1), trial('a', 2)]) replay.add(event);
    expect(replay.events()).toEqual([started, trial('a', 2), trial('b', 1)]);
  });

  it('holds the latest answers of a tuning, before the phase', () => {
    const tuning = (rounds: number): RunEvent => ({
      type: 'tuning',
      runId,
      doing: { code: 'ended', decided: true, rounds },
      spentS: 1,
      budgetS: 120,
      answers: [],
    });
    const replay = new RunReplay();
    for (const event of [started, tuning(1), phase(1), tuning(2)]) replay.add(event);
    expect(replay.events()).toEqual([started, tuning(2), phase(1)]);
    expect(replay.latestTuning?.doing).toMatchObject({ rounds: 2 });
    replay.add({ ...started, runId: 's' });
    expect(replay.latestTuning).toBeUndefined();
  });

  it('forgets everything when another run starts', () => {
    const replay = new RunReplay();
    for (const event of [started, tick(1), trial('a', 1), phase(3)]) replay.add(event);
    replay.add({ ...started, runId: 's' });
    expect(replay.events()).toEqual([{ ...started, runId: 's' }]);
    expect(replay.latestPhase).toBeUndefined();
  });
});
