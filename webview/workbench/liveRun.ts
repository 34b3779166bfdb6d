import type { Failure } from '../../src/model/failure.ts';
import type { Trial } from '../../src/model/run.ts';
import type { Phase, RunEvent, Tick } from '../../src/model/runEvent.ts';

/** How much of the past the live charts show, in ms. */
export const liveWindowMs = 60_000;

/** What is known of the run in progress (or of the one that has just ended). */
export interface LiveRun {
  runId: string;
  title: string;
  trials: Trial[];
  phase: { phase: Phase; message: string; step: number; steps: number; elapsedMs: number; remainingMs: number | null } | null;
  /** Latest time on the run's own axis that any event told, in ms. */
  timeMs: number;
  /** The last minute of ticks, oldest first. */
  ticks: Tick[];
  /** Errors seen in ticks since the run began. */
  errors: number;
  notes: string[];
  finished: { outcome: 'complete' | 'cancelled' | 'failed'; stored: boolean; failure: Failure | null } | null;
}

/** The state after one event. Events of another run than the one that has started are ignored. */
export function reduceRunEvent(live: LiveRun | null, event: RunEvent): LiveRun | null {
  if (event.type === 'started') {
    return {
      runId: event.runId,
      title: event.title,
      trials: event.trials,
      phase: null,
      timeMs: 0,
      ticks: [],
      errors: 0,
      notes: [],
      finished: null,
    };
  }
  if (!live || live.runId !== event.runId) return live;
  switch (event.type) {
    case 'phase': {
      const { phase, message, step, steps, elapsedMs, remainingMs } = event;
      return { ...live, phase: { phase, message, step, steps, elapsedMs, remainingMs }, timeMs: Math.max(live.timeMs, elapsedMs) };
    }
    case 'tick': {
      const from = event.tick.timeMs - liveWindowMs - event.tick.windowMs;
      const ticks = [...live.ticks.filter((tick) => tick.timeMs >= from), event.tick];
      return { ...live, ticks, timeMs: Math.max(live.timeMs, event.tick.timeMs), errors: live.errors + event.tick.errors };
    }
    case 'observation':
      return { ...live, timeMs: Math.max(live.timeMs, event.observation.timeMs) };
    case 'trial': {
      const known = live.trials.some((trial) => trial.key === event.trial.key);
      const trials = known
        ? live.trials.map((trial) => (trial.key === event.trial.key ? event.trial : trial))
        : [...live.trials, event.trial];
      return { ...live, trials };
    }
    case 'note':
      return { ...live, notes: [...live.notes, event.message] };
    case 'finished':
      return { ...live, finished: { outcome: event.outcome, stored: event.stored, failure: event.failure } };
  }
}

/** Whether a run is in progress. */
export function isRunning(live: LiveRun | null): live is LiveRun {
  return live !== null && live.finished === null;
}

/** A stretch of ticks of one trial in one stage. */
export interface Segment {
  trial: Trial | undefined;
  trialKey: string;
  measured: boolean;
  ticks: Tick[];
}

/** The ticks cut where the trial or the stage (warm-up and settling, or measuring) changes. */
export function segmentsOf(live: LiveRun): Segment[] {
  const segments: Segment[] = [];
  for (const tick of live.ticks) {
    const measured = tick.stage === 'measure';
    const last = segments.at(-1);
    if (last && last.trialKey === tick.trialKey && last.measured === measured) last.ticks.push(tick);
    else
      segments.push({ trial: live.trials.find((trial) => trial.key === tick.trialKey), trialKey: tick.trialKey, measured, ticks: [tick] });
  }
  return segments;
}
