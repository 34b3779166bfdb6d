import type { Step } from '../../src/model/domain/progress/stepKinds.ts';
import { defaultDelta } from '../../src/model/domain/margin.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import type { ExperimentRecord } from '../../src/model/domain/experiment.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';
import type { Observation } from '../../src/model/domain/observation.ts';
import type { RunEvent, Tick } from '../../src/model/protocol/runEvent.ts';
import type { RunNote } from '../../src/model/domain/runNoteKinds.ts';

/** How much of the past the charts of the running load show, in ms. */
export const tickWindowMs = 60_000;

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** What is known of the run in progress (or of the one that has just ended). */
export interface RunSoFar {
  runId: string;
  title: string;
  /** δ, as a share. */
  delta: number;
  trials: Trial[];
  phase: Omit<EventOf<'phase'>, 'type' | 'runId' | 'open'> | null;
  /** Keys of the trials between which an answer is still open, for which rounds are added. */
  open: readonly string[];
  /** Latest time on the run's own axis that any event had, in ms. */
  timeMs: number;
  /** The last minute of ticks, oldest first. */
  ticks: Tick[];
  /** The last minute of what processes and sessions did, oldest first. */
  observations: Observation[];
  /** Errors seen in ticks since the run began. */
  errors: number;
  notes: RunNote[];
  /** The state of a search, or of the repeat of a published experiment: what is being done and what was found so far; of a search what of its budget is spent. */
  found:
    | { kind: 'tune'; doing: Step; spentS: number; budgetS: number; answers: TuningAnswer[] }
    | { kind: 'experiment'; doing: Step; record: ExperimentRecord }
    | null;
  finished: Pick<EventOf<'finished'>, 'outcome' | 'stored' | 'failure'> | null;
}

/** The state after one event. Events of another run than the one that has started are ignored. */
export function reduceRunEvent(progress: RunSoFar | null, event: RunEvent): RunSoFar | null {
  if (event.type === 'started') {
    return {
      runId: event.runId,
      title: event.title,
      delta: event.delta ?? defaultDelta,
      trials: event.trials,
      phase: null,
      open: [],
      timeMs: 0,
      ticks: [],
      observations: [],
      errors: 0,
      notes: [],
      found: null,
      finished: null,
    };
  }
  if (!progress || progress.runId !== event.runId) return progress;
  switch (event.type) {
    case 'phase': {
      const { phase, doing, step, steps, elapsedMs, remainingMs, surelyMs, open = [] } = event;
      return {
        ...progress,
        phase: { phase, doing, step, steps, elapsedMs, remainingMs, surelyMs },
        open: sameKeys(open, progress.open) ? progress.open : open,
        timeMs: Math.max(progress.timeMs, elapsedMs),
      };
    }
    case 'tick': {
      const from = event.tick.timeMs - tickWindowMs - event.tick.windowMs;
      const ticks = [...progress.ticks.filter((tick) => tick.timeMs >= from), event.tick];
      return { ...progress, ticks, timeMs: Math.max(progress.timeMs, event.tick.timeMs), errors: progress.errors + event.tick.errors };
    }
    case 'observation':
      return {
        ...progress,
        timeMs: Math.max(progress.timeMs, event.observation.timeMs),
        observations: [
          ...progress.observations.filter((one) => one.timeMs >= event.observation.timeMs - tickWindowMs - one.windowMs),
          event.observation,
        ],
      };
    case 'trial': {
      const known = progress.trials.some((trial) => trial.key === event.trial.key);
      const trials = known
        ? progress.trials.map((trial) => (trial.key === event.trial.key ? event.trial : trial))
        : [...progress.trials, event.trial];
      return { ...progress, trials };
    }
    case 'tuning': {
      const { doing, spentS, budgetS, answers } = event;
      return { ...progress, found: { kind: 'tune', doing, spentS, budgetS, answers } };
    }
    case 'experiment':
      return { ...progress, found: { kind: 'experiment', doing: event.doing, record: event.record } };
    case 'note':
      return { ...progress, notes: [...progress.notes, event.note] };
    case 'finished':
      return { ...progress, finished: { outcome: event.outcome, stored: event.stored, failure: event.failure } };
  }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

export function isRunning(progress: RunSoFar | null): progress is RunSoFar {
  return progress !== null && progress.finished === null;
}

/** A stretch of ticks of one trial in one stage. */
export interface Segment {
  trial: Trial | undefined;
  trialKey: string;
  measured: boolean;
  ticks: Tick[];
}

/** The ticks cut where the trial or the stage (warm-up and settling, or measuring) changes. */
export function segmentsOf(progress: RunSoFar): Segment[] {
  const segments: Segment[] = [];
  for (const tick of progress.ticks) {
    const measured = tick.stage === 'measure';
    const last = segments.at(-1);
    if (last && last.trialKey === tick.trialKey && last.measured === measured) last.ticks.push(tick);
    else
      segments.push({
        trial: progress.trials.find((trial) => trial.key === tick.trialKey),
        trialKey: tick.trialKey,
        measured,
        ticks: [tick],
      });
  }
  return segments;
}

/** A setting that comes back within so long takes turns with others. */
export const turnsWithinMs = 10_000;

/** Stretches of one setting that takes turns with others, in slices or blocks, as one; its warm-up is another. */
export function joinTurns<S extends { key: string; measured: boolean; ticks: readonly Tick[] }>(stretches: readonly S[]): S[] {
  const joined: S[] = [];
  for (const one of stretches) {
    const at = joined.findLastIndex(({ key, measured }) => key === one.key && measured === one.measured);
    const before = joined[at];
    const awayMs = (one.ticks[0]?.timeMs ?? 0) - (before?.ticks.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY);
    if (before === undefined || awayMs > turnsWithinMs) joined.push(one);
    else joined[at] = { ...before, ticks: [...before.ticks, ...one.ticks] };
  }
  return joined;
}

/** Of each setting the stretch with the latest tick, the latest first: one that is measured after its warm-up has two stretches and one name. */
export function latestOfEach<S extends { key: string; ticks: readonly Tick[] }>(stretches: readonly S[]): S[] {
  return stretches
    .toSorted((a, b) => (b.ticks.at(-1)?.timeMs ?? 0) - (a.ticks.at(-1)?.timeMs ?? 0))
    .filter(({ key }, index, all) => all.findIndex((other) => other.key === key) === index);
}
