import type { Observation, ProcessUse } from '../../model/domain/observation.ts';
import type { GeneratorHealth, ResourceUse, TrialResources } from '../../model/domain/run.ts';

/** One measured block, as far as resources are concerned. CPU times are exact differences at its edges, where they are known. */
export interface MeasuredWindow {
  startMs: number;
  windowMs: number;
  requests: number;
  generator: GeneratorHealth;
  appCpuUs?: number | null;
  postgresCpuUs?: number | null;
  generatorCpuUs?: number | null;
  /** For a window that consists of slices: a sample of a second covers all sides together, so that CPU comes from the slices alone. */
  slices?: readonly { wholeMs: number; appUs: number | null; appWaitedUs: number | null }[];
  /** From its first slice to its last, those of other sides in between. */
  spanMs?: number;
}

type Part = 'app' | 'postgres' | 'generator';

/**
 * The samples that describe a window: those wholly inside; if there is none (a window shorter than 2 s may hold none), the one that overlaps it most, if by
 * half of itself or more. A sample covers the `windowMs` before its time.
 */
export function samplesWithin(observations: readonly Observation[], startMs: number, windowMs: number): Observation[] {
  const endMs = startMs + windowMs;
  // Timers wake a little late, so that a sample may reach over an edge by that much.
  const graceMs = 50;
  const inside = observations.filter((o) => o.timeMs - o.windowMs >= startMs - graceMs && o.timeMs <= endMs + graceMs);
  if (inside.length > 0) return inside;
  let nearest: Observation | null = null;
  let most = 0.5;
  for (const observation of observations) {
    const overlap = Math.min(observation.timeMs, endMs) - Math.max(observation.timeMs - observation.windowMs, startMs);
    if (observation.windowMs > 0 && overlap / observation.windowMs >= most) {
      most = overlap / observation.windowMs;
      nearest = observation;
    }
  }
  return nearest === null ? [] : [nearest];
}

/**
 * The samples that describe the machine in a window: as {@link samplesWithin}, and for a window too short for that, all that touch it. What they say of the
 * time around it is better than nothing: a neighbour that takes CPU does not come and go within a second.
 */
export function samplesAround(observations: readonly Observation[], startMs: number, windowMs: number): Observation[] {
  const within = samplesWithin(observations, startMs, windowMs);
  if (within.length > 0) return within;
  return observations.filter((o) => o.timeMs > startMs && o.timeMs - o.windowMs < startMs + windowMs);
}

/** The sample nearest to any of the windows; of two equally near, the earlier. */
function nearestSample(observations: readonly Observation[], windows: readonly MeasuredWindow[]): Observation[] {
  let nearest: Observation | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const observation of observations) {
    for (const { startMs, windowMs: ownMs, spanMs } of windows) {
      const windowMs = spanMs ?? ownMs;
      const gapMs = Math.max(observation.timeMs - observation.windowMs - (startMs + windowMs), startMs - observation.timeMs, 0);
      if (gapMs >= least) continue;
      least = gapMs;
      nearest = observation;
    }
  }
  return nearest === null ? [] : [nearest];
}

/** Mean weighted by the time each sample covers, over the samples that know; `null` when none does. */
export function meanOverTime(
  observations: readonly Observation[],
  value: (observation: Observation) => number | null | undefined,
): number | null {
  let sum = 0;
  let time = 0;
  for (const observation of observations) {
    const known = value(observation);
    if (known === null || known === undefined) continue;
    sum += known * observation.windowMs;
    time += observation.windowMs;
  }
  return time === 0 ? null : sum / time;
}

/** Percent of one core that a part used, or was ready to use and waited for, within a sample. */
export function wantedCpuPercent(use: ProcessUse | null, windowMs: number): number | null {
  if (use === null || use.cpuUs === null || use.waitedForCpuUs === null || windowMs <= 0) return null;
  return (use.cpuUs + use.waitedForCpuUs) / windowMs / 10;
}

function switchesPerSecond(use: ProcessUse | null, windowMs: number): number | null {
  if (use === null || use.voluntarySwitches === null || use.involuntarySwitches === null || windowMs <= 0) return null;
  return (1000 * (use.voluntarySwitches + use.involuntarySwitches)) / windowMs;
}

/** CPU time in the windows together, by the meters at their edges; `null` when one of them is not known. */
function exactCpuUs(part: Part, windows: readonly MeasuredWindow[]): number | null {
  const exact = windows.map((window) => window[`${part}CpuUs`]);
  return exact.length > 0 && exact.every((value) => typeof value === 'number') ? exact.reduce((sum, value) => sum + value, 0) : null;
}

/** Percent of one core by the meters at the windows' edges, for windows that no sample covers. */
function exactCpuPercent(part: Part, windows: readonly MeasuredWindow[]): number | null {
  const cpuUs = exactCpuUs(part, windows);
  const windowMs = windows.reduce((sum, window) => sum + window.windowMs, 0);
  return cpuUs === null || windowMs === 0 ? null : cpuUs / 10 / windowMs;
}

/** CPU µs per request: exact differences where every window has them, else from mean CPU over the windows' length. */
function cpuPerRequest(part: Part, windows: readonly MeasuredWindow[], cpuPercent: number | null): number | null {
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  if (requests === 0) return null;
  const exactUs = exactCpuUs(part, windows);
  if (exactUs !== null) return exactUs / requests;
  const seconds = windows.reduce((sum, window) => sum + window.windowMs, 0) / 1000;
  return cpuPercent === null ? null : (cpuPercent * 10_000 * seconds) / requests;
}

function resourceUse(
  part: Part,
  samples: readonly Observation[],
  nearest: readonly Observation[],
  windows: readonly MeasuredWindow[],
): ResourceUse {
  const sliced = windows.some(({ slices }) => slices !== undefined);
  const cpuPercent = (sliced ? null : meanOverTime(samples, (o) => o[part]?.cpuPercent)) ?? exactCpuPercent(part, windows);
  return {
    cpuPercent,
    rssBytes: meanOverTime(samples, (o) => o[part]?.rssBytes) ?? meanOverTime(nearest, (o) => o[part]?.rssBytes),
    cpuUsPerRequest: cpuPerRequest(part, windows, cpuPercent),
    contextSwitchesPerSecond: meanOverTime(samples, (o) => switchesPerSecond(o[part], o.windowMs)),
    threads: meanOverTime(samples, (o) => o[part]?.threads) ?? meanOverTime(nearest, (o) => o[part]?.threads),
    wantedCpuPercent: sliced ? slicedWantedPercent(part, windows) : meanOverTime(samples, (o) => wantedCpuPercent(o[part], o.windowMs)),
  };
}

/** Percent of one core that a part ran or waited for a core in the slices; of others than the app the wait is not known. */
function slicedWantedPercent(part: Part, windows: readonly MeasuredWindow[]): number | null {
  const slices = windows.flatMap((window) => window.slices ?? []);
  const ms = slices.reduce((sum, { wholeMs }) => sum + wholeMs, 0);
  if (part !== 'app' || ms === 0 || slices.some(({ appUs }) => appUs === null)) return exactCpuPercent(part, windows);
  return slices.reduce((sum, { appUs, appWaitedUs }) => sum + (appUs ?? 0) + (appWaitedUs ?? 0), 0) / ms / 10;
}

/** Mean number of sessions by state and by wait; one that a sample does not name was 0 in it. */
function meanSessions(samples: readonly Observation[]): Record<string, number> {
  const counted = samples.flatMap(({ sessions }) => (sessions === null ? [] : [{ ...sessions.byState, ...sessions.byWait }]));
  const names = new Set(counted.flatMap((sessions) => Object.keys(sessions)));
  return Object.fromEntries(
    [...names].map((name) => [name, counted.reduce((sum, sessions) => sum + (sessions[name] ?? 0), 0) / counted.length]),
  );
}

function meanOverWindows(windows: readonly MeasuredWindow[], value: (generator: GeneratorHealth) => number | null): number | null {
  const known = windows.flatMap((window) => value(window.generator) ?? []);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** Mean memory of a trial’s processes in the windows of each of their starts, in order; a start without a sample of it is left out. */
export function memoryOfStarts(
  trialKey: string,
  observations: readonly Observation[],
  windows: readonly (MeasuredWindow & { start: number })[],
): number[] {
  const own = observations.filter((observation) => observation.trialKey === trialKey);
  return [...new Set(windows.map(({ start }) => start))].flatMap((one) => {
    const ofStart = windows.filter(({ start }) => start === one);
    const samples = new Set(ofStart.flatMap(({ startMs, windowMs, spanMs }) => samplesWithin(own, startMs, spanMs ?? windowMs)));
    return meanOverTime([...samples], ({ app }) => app?.rssBytes) ?? [];
  });
}

/**
 * What a trial used while it was measured: means over the samples in its measured windows (pass its valid blocks), CPU time per request, and the generator's
 * own view. Samples of another trial are not counted even when they overlap. Where windows are so short that no sample covers them, CPU comes from the meters
 * at their edges, and memory and threads from the trial's nearest sample.
 */
export function trialResources(trialKey: string, observations: readonly Observation[], windows: readonly MeasuredWindow[]): TrialResources {
  const own = observations.filter((observation) => observation.trialKey === trialKey);
  const samples = [...new Set(windows.flatMap(({ startMs, windowMs, spanMs }) => samplesWithin(own, startMs, spanMs ?? windowMs)))];
  const nearest = nearestSample(own, windows);
  return {
    app: resourceUse('app', samples, nearest, windows),
    postgres: resourceUse('postgres', samples, nearest, windows),
    generator: {
      ...resourceUse('generator', samples, nearest, windows),
      eventLoopUtilisation: meanOverWindows(windows, (generator) => generator.eventLoopUtilisation),
      littleRatio: meanOverWindows(windows, (generator) => generator.littleRatio),
    },
    host: {
      stealPercent: meanOverTime(samples, (o) => o.host?.stealPercent),
      otherPercent: meanOverTime(samples, (o) => o.host?.otherPercent),
    },
    sessions: meanSessions(samples),
  };
}
