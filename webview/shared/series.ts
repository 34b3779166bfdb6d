import type { Recommendation, Trial } from '../../src/model/run.ts';
import type { Axis } from './axis.ts';
import { axisPosition, valueOf } from './axis.ts';
import type { Hues } from './hues.ts';
import { variedPhrase } from './words.ts';

/** What a chart puts on its y axis. */
export type Metric = 'throughput' | 'p99';

/** One trial as a point of a chart. */
export interface Point {
  trial: Trial;
  /** Position on the axis in steps; see {@link axisPosition}. */
  position: number;
  value: number;
  low: number | null;
  high: number | null;
  blocks: { value: number; valid: boolean }[];
  recommended: boolean;
}

/** The points of one target (and, where something else varies too, of one value of that). */
export interface Series {
  key: string;
  target: string;
  label: string;
  hue: number;
  /** 0 for the first series of a target; later ones are dashed. */
  variant: number;
  points: Point[];
}

/** Groups the trials into lines. Trials without a figure (nothing measured yet) are left out. */
export function seriesOf(
  trials: readonly Trial[],
  axis: Axis,
  metric: Metric,
  hues: Hues,
  recommendations: readonly Recommendation[],
): Series[] {
  const recommendedKeys = new Set(
    recommendations.filter((recommendation) => recommendation.value !== null).map((recommendation) => recommendation.trialKey),
  );
  const series = new Map<string, Series>();
  for (const trial of trials) {
    const point = pointOf(trial, axis, metric, recommendedKeys.has(trial.key));
    if (!point) continue;
    const key = [trial.target, ...axis.others.map((name) => String(valueOf(trial, name)))].join('\u0000');
    const known = series.get(key);
    if (known) {
      known.points.push(point);
      continue;
    }
    const variant = [...series.values()].filter((other) => other.target === trial.target).length;
    const label = variedPhrase(trial, axis.others);
    series.set(key, { key, target: trial.target, label, hue: hues.get(trial.target) ?? 0, variant, points: [point] });
  }
  for (const line of series.values()) line.points.sort((a, b) => a.position - b.position);
  return [...series.values()];
}

function pointOf(trial: Trial, axis: Axis, metric: Metric, recommended: boolean): Point | null {
  const position = axisPosition(axis, trial);
  if (metric === 'throughput') {
    if (trial.throughput.blocks.length === 0 && trial.throughput.mean === 0) return null;
    const { mean, ciLow, ciHigh } = trial.throughput;
    const blocks =
      trial.blocks.length > 0
        ? trial.blocks.map((block) => ({ value: block.throughput, valid: block.valid }))
        : trial.throughput.blocks.map((value) => ({ value, valid: true }));
    return { trial, position, value: mean, low: ciLow, high: ciHigh, blocks, recommended };
  }
  if (!trial.latencyMs) return null;
  const blocks = trial.blocks.flatMap((block) => (block.latencyMs ? [{ value: block.latencyMs.p99, valid: block.valid }] : []));
  return { trial, position, value: trial.latencyMs.p99, low: null, high: null, blocks, recommended };
}

/** Best mean throughput of a target's valid trials, which "within 5 % of the best" is measured from; `null` without one. */
export function bestThroughput(trials: readonly Trial[], target: string): number | null {
  const means = trials
    .filter((trial) => trial.target === target && trial.valid && trial.throughput.mean > 0)
    .map((trial) => trial.throughput.mean);
  return means.length === 0 ? null : Math.max(...means);
}
