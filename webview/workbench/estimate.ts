import { durationPhrase } from '../../src/model/format.ts';
import { warmUpTime } from '../../src/model/warmUpTime.ts';
import type { LoadProfile } from '../../src/model/loadProfile.ts';
import type { TargetState } from '../../src/model/protocol.ts';
import type { RunRequest } from '../../src/model/run.ts';

/** What a run takes: how many trials, rounds, and about how long. */
export interface Estimate {
  trials: number;
  rounds: number;
  durationMs: number;
}

/** Start of PostgreSQL, writing and stopping, and the start of one process: as seen with the samples. Only for the estimate. */
const fixedS = 4;
const startS: Record<TargetState['runtime'], number> = { node: 0.5, jvm: 2, other: 1 };

/** Attaching a recorder, and the windows that tell what it costs. */
const recorderStartS = 1.5;
const recordingCostS = 21;

/** The windows that tell what raw samples cost. */
const rawCostS = 15;

/** Instances of a target over its sets of settings: they are started one after the other. */
function meanInstances(target: TargetState, { settings }: RunRequest): number {
  const counts = 'instances' in target.settings ? [] : (settings['instances'] ?? []).map(Number);
  return counts.length === 0 ? 1 : counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

/** How many sets of settings a target is tried with. */
export function settingsCount(target: TargetState, request: RunRequest): number {
  return Object.entries(request.settings).reduce(
    (count, [name, values]) => (name in target.settings || name === 'instances' ? count * values.length : count),
    1,
  );
}

/** About how long a run takes. Each process (target and settings) starts and warms up once; each trial has a block in each round. */
export function estimateRun(request: RunRequest, targets: readonly TargetState[], load: LoadProfile): Estimate {
  const connections = request.connections ?? [load.connections].flat();
  const rounds = request.rounds ?? load.rounds;
  const blockS = load.settleS + (request.durationS ?? load.durationS);
  let trials = 0;
  let seconds = fixedS;
  for (const target of targets) {
    const processes = settingsCount(target, request);
    const warmUpS = warmUpTime(load, target.runtime).expectedS;
    trials += processes * connections.length;
    seconds +=
      processes * (meanInstances(target, request) * startS[target.runtime] + warmUpS) + processes * connections.length * rounds * blockS;
  }
  if (request.raw !== undefined) seconds += rawCostS;
  if (request.record !== undefined) {
    const runtimes = new Set(targets.map((target) => target.runtime)).size;
    seconds += trials * (request.record.seconds + recorderStartS) + runtimes * recordingCostS;
  }
  return { trials, rounds, durationMs: seconds * 1000 };
}

/** "about 1 min 40 s: 6 trials × 3 rounds". */
export function estimatePhrase(estimate: Estimate): string {
  const seconds = estimate.durationMs / 1000;
  const step = seconds > 600 ? 60 : seconds > 90 ? 10 : 5;
  const rounded = Math.max(step, Math.round(seconds / step) * step) * 1000;
  return `about ${durationPhrase(rounded)
    .replace(/ 0 s$/, '')
    .replace(/^(\d)\.0 s$/, '$1 s')}: ${count(estimate.trials, 'trial')} × ${count(estimate.rounds, 'round')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
