import { type SideName, nameSides } from '../../model/presentation/comparedWords.ts';
import type { Comparison, ComparisonRow } from '../../model/domain/comparison.ts';
import { failure } from '../../model/domain/failure.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { humanName } from '../../model/presentation/settingWords.ts';
import { summarizeRecording } from '../../model/domain/recording.ts';
import { grouped } from '../../model/domain/grouped.ts';
import { noMetrics, trialMetrics } from './compareMetrics.ts';
import { runDifferences, settingKey, trialDifferences } from './runDifferences.ts';

/** Which setting of each run is meant, by its trial's key; left out: all of them. */
export interface ChosenTrials {
  trialA?: string | undefined;
  trialB?: string | undefined;
}

export interface GivenNames {
  a?: string | null;
  b?: string | null;
}

type Pair = [Trial | null, Trial | null];

/**
 * Compares two runs, or two settings of one or two runs: their trials joined, what else differs, and a verdict on each figure.
 *
 * Trials are joined when target, connections and settings are equal. A setting that only one of the runs records for a target is left out of the join when it
 * has one single value there (it distinguishes no trials); it is named among the differences. With several values it counts, and those trials have no partner.
 * Order: as in `a`, then what only `b` has. Two trials that were chosen are one row, whatever they are.
 *
 * Ratios are b over a, and null unless both trials are valid and measured something; so are the figures with their verdicts.
 * Curves are left to {@link compareStoredRuns}, which has the files.
 *
 * @throws FailureError `trial-not-found` for a chosen trial that the run does not have.
 */
export function compareRuns(a: RunRecord, b: RunRecord, chosen: ChosenTrials = {}, given: GivenNames = {}): Comparison {
  const ignored = ignoredSettings(a, b);
  const distinctive = distinctiveNames([...a.trials, ...b.trials]);
  const sameRun = a.id === b.id;
  // The more careful claim, where the two were asked for differently.
  const delta = Math.min(a.delta, b.delta);
  const trialA = chosen.trialA === undefined ? null : trialOf(a, chosen.trialA);
  const trialB = chosen.trialB === undefined ? null : trialOf(b, chosen.trialB);
  const named = nameSides({ ...a, given: given.a, trial: trialA }, { ...b, given: given.b, trial: trialB });
  const asked = trialA !== null && trialB !== null;
  const pairs: Pair[] = asked
    ? [[trialA, trialB]]
    : joined(a, b, ignored).filter(([left, right]) => (trialA === null || left === trialA) && (trialB === null || right === trialB));

  const rows = pairs.map(([left, right]): ComparisonRow => ({
    label: asked ? pairLabel(trialA, trialB, distinctive) : rowLabel(left, right, distinctive),
    a: left,
    b: right,
    throughputRatio: ratio(left, right, (trial) => trial.throughput.mean),
    p99Ratio: ratio(left, right, (trial) => trial.latencyMs?.p99 ?? null),
    cpuPerRequestRatio: ratio(left, right, (trial) => trial.resources.app.cpuUsPerRequest),
    ...(left === null || right === null ? noMetrics : trialMetrics({ a: left, b: right, sameRun: sameRun ? a.trials : null, delta })),
    curves: null,
  }));
  const around = sameRun ? [] : runDifferences(a, b, ignored);
  const between = asked ? trialDifferences(a, trialA, b, trialB) : [];
  const told = new Set(between.map((difference) => difference.what));
  const differences = [...between, ...around.filter((difference) => !told.has(difference.what))];
  return {
    a: sideOf(a, trialA, named.a, distinctive),
    b: sideOf(b, trialB, named.b, distinctive),
    delta,
    sameRun,
    differences,
    rows,
  };
}

function sideOf(run: RunRecord, trial: Trial | null, named: SideName, distinctive: DistinctiveNames): Comparison['a'] {
  return {
    id: run.id,
    title: run.title,
    ...named,
    startedAt: run.startedAt,
    trialKey: trial?.key ?? null,
    recordings: run.recordings.map((recording) => summarizeRecording(recording, run.id)),
    request: run.request,
    trials: run.trials.map((one) => ({ key: one.key, label: trialLabel(one, distinctive) })),
  };
}

function trialOf(run: RunRecord, key: string): Trial {
  const found = run.trials.find((trial) => trial.key === key);
  if (found !== undefined) return found;
  throw failure(
    'trial-not-found',
    `“${run.title}” has no setting “${key.slice(0, 120)}”.`,
    `Choose one of: ${
      run.trials
        .map((trial) => trial.key)
        .slice(0, 12)
        .join(', ') || 'none, since nothing was measured'
    }.`,
  );
}

function joined(a: RunRecord, b: RunRecord, ignored: ReadonlySet<string>): Pair[] {
  const waiting = grouped(b.trials, (trial) => joinKey(trial, ignored));
  const pairs: Pair[] = a.trials.map((trial) => [trial, waiting.get(joinKey(trial, ignored))?.shift() ?? null]);
  const left = new Set([...waiting.values()].flat());
  for (const trial of b.trials) if (left.has(trial)) pairs.push([null, trial]);
  return pairs;
}

/** What has to be known of a run to join its trials with another's. */
export interface Joinable {
  trials: readonly Pick<Trial, 'target' | 'settings' | 'connections'>[];
}

/** `target` and setting names that take no part in the join, as {@link settingKey}s. */
export function ignoredSettings(a: Joinable, b: Joinable): Set<string> {
  const ignored = new Set<string>();
  const targets = new Set([...a.trials, ...b.trials].map((trial) => trial.target));
  for (const target of targets) {
    const inA = valuesByName(a, target);
    const inB = valuesByName(b, target);
    for (const [name, values] of [...inA, ...inB])
      if (inA.has(name) !== inB.has(name) && values.size === 1) ignored.add(settingKey(target, name));
  }
  return ignored;
}

function valuesByName(run: Joinable, target: string): Map<string, Set<unknown>> {
  const values = new Map<string, Set<unknown>>();
  const trials = run.trials.filter((trial) => trial.target === target);
  for (const name of new Set(trials.flatMap((trial) => Object.keys(trial.settings))))
    values.set(name, new Set(trials.map((trial) => trial.settings[name])));
  return values;
}

/** Equal for trials of two runs that measured the same. */
export function joinKey(trial: Joinable['trials'][number], ignored: ReadonlySet<string>): string {
  const settings = Object.entries(trial.settings)
    .filter(([name]) => !ignored.has(settingKey(trial.target, name)))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([trial.target, trial.connections, settings]);
}

function rowLabel(a: Trial | null, b: Trial | null, distinctive: DistinctiveNames): string {
  const trial = a ?? b;
  if (trial === null) return '';
  const shown = Object.entries(trial.settings).filter(([name]) => a === null || b === null || b.settings[name] === a.settings[name]);
  return trialLabel({ ...trial, settings: Object.fromEntries(shown) }, distinctive);
}

function pairLabel(a: Trial, b: Trial, distinctive: DistinctiveNames): string {
  const [left, right] = [trialLabel(a, distinctive), trialLabel(b, distinctive)];
  return left === right ? left : `${left} → ${right}`;
}

/** Which settings distinguish trials; with none, all are named. */
interface DistinctiveNames {
  settings: ReadonlySet<string>;
  connections: boolean;
}

function distinctiveNames(trials: readonly Trial[]): DistinctiveNames {
  const names = [...new Set(trials.flatMap((trial) => Object.keys(trial.settings)))];
  const distinct = (name: string): number => new Set(trials.flatMap((trial) => trial.settings[name] ?? [])).size;
  const varied = names.filter((name) => distinct(name) > 1);
  const connections = new Set(trials.map((trial) => trial.connections)).size > 1;
  return { settings: new Set(varied.length > 0 ? varied : names), connections };
}

function trialLabel(trial: Trial, distinctive: DistinctiveNames): string {
  return [
    trial.target,
    ...Object.entries(trial.settings).flatMap(([name, value]) => (distinctive.settings.has(name) ? [`${humanName(name)} ${value}`] : [])),
    ...(distinctive.connections ? [`${trial.connections} connections`] : []),
  ].join(' · ');
}

function ratio(a: Trial | null, b: Trial | null, figureOf: (trial: Trial) => number | null): number | null {
  if (a === null || b === null || !a.valid || !b.valid) return null;
  const [left, right] = [figureOf(a), figureOf(b)];
  return left === null || right === null || left <= 0 || right <= 0 ? null : right / left;
}
