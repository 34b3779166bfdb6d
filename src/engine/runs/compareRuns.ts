import type { Comparison } from '../../model/protocol.ts';
import type { RunRecord, Trial } from '../../model/run.ts';
import { runDifferences } from './runDifferences.ts';
import { settingKey } from './settingKey.ts';

/**
 * Two runs side by side: their trials joined, and what else differs between them.
 *
 * Trials are joined when target, connections and settings are equal. A setting that only one of the runs records for a target is left out of
 * the join when it has one single value there (it tells no trials apart); it is named among the differences. With several values it counts,
 * and those trials stand alone. Order: as in `a`, then what only `b` has.
 *
 * Ratios are b over a, and null unless both trials are valid and measured something.
 */
export function compareRuns(a: RunRecord, b: RunRecord): Comparison {
  const ignored = ignoredSettings(a, b);
  const manyConnections = new Set([...a.trials, ...b.trials].map((trial) => trial.connections)).size > 1;
  const waiting = new Map<string, Trial[]>();
  for (const trial of b.trials) {
    const key = joinKey(trial, ignored);
    waiting.set(key, [...(waiting.get(key) ?? []), trial]);
  }
  const pairs: [Trial | null, Trial | null][] = a.trials.map((trial) => [trial, waiting.get(joinKey(trial, ignored))?.shift() ?? null]);
  const left = new Set([...waiting.values()].flat());
  for (const trial of b.trials) if (left.has(trial)) pairs.push([null, trial]);
  return {
    a: { id: a.id, title: a.title, startedAt: a.startedAt },
    b: { id: b.id, title: b.title, startedAt: b.startedAt },
    differences: runDifferences(a, b, ignored),
    rows: pairs.map(([left, right]) => ({
      label: rowLabel(left, right, manyConnections),
      a: left,
      b: right,
      throughputRatio: ratio(left, right, (trial) => trial.throughput.mean),
      p99Ratio: ratio(left, right, (trial) => trial.latencyMs?.p99 ?? null),
      cpuPerRequestRatio: ratio(left, right, (trial) => trial.resources.app.cpuUsPerRequest),
    })),
  };
}

/** `target` and setting names that take no part in the join, as {@link settingKey}s. */
function ignoredSettings(a: RunRecord, b: RunRecord): Set<string> {
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

function valuesByName(run: RunRecord, target: string): Map<string, Set<unknown>> {
  const values = new Map<string, Set<unknown>>();
  const trials = run.trials.filter((trial) => trial.target === target);
  for (const name of new Set(trials.flatMap((trial) => Object.keys(trial.settings))))
    values.set(name, new Set(trials.map((trial) => trial.settings[name])));
  return values;
}

function joinKey(trial: Trial, ignored: ReadonlySet<string>): string {
  const settings = Object.entries(trial.settings)
    .filter(([name]) => !ignored.has(settingKey(trial.target, name)))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([trial.target, trial.connections, settings]);
}

function rowLabel(a: Trial | null, b: Trial | null, manyConnections: boolean): string {
  const trial = a ?? b;
  if (trial === null) return '';
  const shown = Object.entries(trial.settings).filter(([name]) => a === null || b === null || b.settings[name] === a.settings[name]);
  return [
    trial.target,
    ...shown.map(([name, value]) => `${name} ${value}`),
    ...(manyConnections ? [`${trial.connections} connections`] : []),
  ].join(' · ');
}

function ratio(a: Trial | null, b: Trial | null, figureOf: (trial: Trial) => number | null): number | null {
  if (a === null || b === null || !a.valid || !b.valid) return null;
  const [left, right] = [figureOf(a), figureOf(b)];
  return left === null || right === null || left <= 0 || right <= 0 ? null : right / left;
}
