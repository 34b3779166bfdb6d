import { isProbed, runtimes } from '../../src/model/domain/runtimes.ts';
import { durationPhrase } from '../../src/model/domain/format.ts';
import { blockSeconds } from '../../src/model/presentation/loadWords.ts';
import { liveKindOf } from '../../src/model/domain/setting.ts';
import { warmUpTime } from '../../src/model/domain/warmUpTime.ts';
import type { LoadProfile } from '../../src/model/domain/loadProfile.ts';
import type { TargetState } from '../../src/model/protocol/protocol.ts';
import type { RunRequest } from '../../src/model/domain/run.ts';
import { budgetFactor } from '../../src/model/domain/runOptions.ts';

export interface Estimate {
  trials: number;
  rounds: number;
  durationMs: number;
  /** What it takes at the most where rounds go on until an answer is decided; null where their number is fixed. */
  mostMs: number | null;
}

/** Start of PostgreSQL, writing and stopping: as seen with the samples. Only for the estimate. */
const fixedS = 4;

/** Attaching a recorder, and the windows that measure what it costs. */
const recorderStartS = 1.5;
const recordingCostS = 21;

/** The windows that measure what raw samples cost. */
const rawCostS = 15;

/** Instances of a target over its sets of settings: they are started one after the other. */
function meanInstances(target: TargetState, { settings }: RunRequest): number {
  const counts = 'instances' in target.settings ? [] : (settings['instances'] ?? []).map(Number);
  return counts.length === 0 ? 1 : counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

export function settingsCount(target: TargetState, request: RunRequest): number {
  return Object.entries(request.settings).reduce(
    (count, [name, values]) => (name in target.settings || name === 'instances' ? count * values.length : count),
    1,
  );
}

/** Whether rounds go on until it is decided: one number varies, and neither the rounds nor what is kept fixes what is measured. */
function isContest({ settings, rounds, raw }: RunRequest): boolean {
  const varied = Object.values(settings).filter((values) => values.length > 1);
  return (
    rounds === undefined &&
    raw === undefined &&
    varied.length === 1 &&
    varied.every((values) => values.every((value) => typeof value === 'number'))
  );
}

/** Whether one process carries all settings of a target, changed while it runs: its probe can move whatever varies. */
function isLive(target: TargetState, { settings, mode = 'auto' }: RunRequest): boolean {
  if (!isProbed(target.runtime) || (mode !== 'auto' && mode !== 'live')) return false;
  const varied = Object.keys(settings).filter((name) => (settings[name]?.length ?? 0) > 1);
  return varied.every((name) => {
    const spec = target.settings[name];
    return spec === undefined ? name !== 'instances' : liveKindOf(name, spec) !== 'no';
  });
}

/** About how long a run takes. Each process starts and warms up once; each trial has a block in each round. */
export function estimateRun(request: RunRequest, targets: readonly TargetState[], load: LoadProfile): Estimate {
  const connections = request.connections ?? [load.connections].flat();
  const rounds = request.rounds ?? load.rounds;
  const blockS = blockSeconds(load, request.durationS);
  let trials = 0;
  let seconds = fixedS;
  for (const target of targets) {
    const sets = settingsCount(target, request);
    const processes = isLive(target, request) ? 1 : sets;
    const warmUpS = warmUpTime(load, target.runtime).expectedS;
    trials += sets * connections.length;
    seconds +=
      processes * (meanInstances(target, request) * runtimes[target.runtime].startS + warmUpS) +
      sets * connections.length * rounds * blockS;
  }
  if (request.raw !== undefined) seconds += rawCostS;
  if (request.record !== undefined) {
    const runtimes = new Set(targets.map((target) => target.runtime)).size;
    seconds += trials * (request.record.seconds + recorderStartS) + runtimes * recordingCostS;
  }
  const measuringS = trials * rounds * blockS;
  const rated = (request.ratePerS ?? load.ratePerS) !== undefined;
  const goesOn = isContest(request) && !rated && load.stages === undefined && load.requests === undefined;
  const budgetS = request.budgetS ?? load.budgetS ?? budgetFactor * measuringS;
  const mostMs = goesOn && budgetS > measuringS ? (seconds + budgetS - measuringS) * 1000 : null;
  return { trials, rounds, durationMs: seconds * 1000, mostMs };
}

/** "about 1 min 40 s". */
export function timePhrase({ durationMs }: Pick<Estimate, 'durationMs'>): string {
  return `about ${roundPhrase(durationMs)}`;
}

/** "about 1 min 40 s: 6 trials × 3 rounds"; "about 1 min 40 s, at most 4 min: 6 trials, 3 rounds or more". */
export function estimatePhrase({ trials, rounds, durationMs, mostMs }: Estimate): string {
  const time = timePhrase({ durationMs });
  if (mostMs === null) return `${time}: ${count(trials, 'trial')} × ${count(rounds, 'round')}`;
  return `${time}, at most ${roundPhrase(mostMs)}: ${count(trials, 'trial')}, ${count(rounds, 'round')} or more until it is decided`;
}

function roundPhrase(durationMs: number): string {
  const seconds = durationMs / 1000;
  const step = seconds > 600 ? 60 : seconds > 90 ? 10 : 5;
  const rounded = Math.max(step, Math.round(seconds / step) * step) * 1000;
  return durationPhrase(rounded)
    .replace(/ 0 s$/, '')
    .replace(/^(\d)\.0 s$/, '$1 s');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
