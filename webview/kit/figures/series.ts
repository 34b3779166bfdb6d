import { findingTexts } from '../../../src/model/domain/findings.ts';
import { wholeNumber, figure, listPhrase } from '../../../src/model/domain/format.ts';
import { remembered } from '../../../src/model/domain/remembered.ts';
import type { Recommendation, Trial } from '../../../src/model/domain/run.ts';
import { type Axis, axisPosition } from './axis.ts';
import { valueOf, variedPhrase } from '../../../src/model/presentation/settingWords.ts';
import { targetMarkOf } from '../../../src/model/presentation/targetHue.ts';

/** The figure on the y axis of a chart. */
export type Metric = 'throughput' | 'p99' | 'openP99';

export interface Point {
  trial: Trial;
  /** Position on the axis in steps; see {@link axisPosition}. */
  position: number;
  value: number;
  low: number | null;
  high: number | null;
  blocks: { value: number; valid: boolean }[];
  recommended: boolean;
  /** False: drawn, but taking part in no comparison; `reasons` say why. */
  usable: boolean;
  reasons: string[];
  /** Requests/s by the operational laws; null where they say nothing. */
  predicted: number | null;
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
  recommendations: readonly Recommendation[],
  predicted: ReadonlyMap<string, number> = new Map(),
): Series[] {
  const recommendedKeys = new Set(
    recommendations.filter((recommendation) => recommendation.value !== null).map((recommendation) => recommendation.trialKey),
  );
  const series = new Map<string, Series>();
  for (const trial of trials) {
    const point = pointOf(trial, axis, metric, recommendedKeys.has(trial.key), predicted.get(trial.key) ?? null);
    if (!point) continue;
    const key = [trial.target, ...axis.others.map((name) => String(valueOf(trial, name)))].join('\u0000');
    const line = remembered(series, key, (): Series => {
      const variant = [...series.values()].filter((other) => other.target === trial.target).length;
      const label = variedPhrase(trial, axis.others);
      return { key, target: trial.target, label, hue: targetMarkOf(trial.target), variant, points: [] };
    });
    line.points.push(point);
  }
  for (const line of series.values()) line.points.sort((a, b) => a.position - b.position);
  return [...series.values()];
}

function pointOf(trial: Trial, axis: Axis, metric: Metric, recommended: boolean, predicted: number | null): Point | null {
  const common = {
    trial,
    position: axisPosition(axis, trial),
    recommended,
    usable: trial.valid,
    reasons: findingTexts(trial.reasons),
    predicted,
  };
  if (metric === 'throughput') {
    if (trial.throughput.blocks.length === 0 && trial.throughput.mean === 0) return null;
    const { mean, ciLow, ciHigh } = trial.throughput;
    const blocks =
      trial.blocks.length > 0
        ? trial.blocks.map((block) => ({ value: block.throughput, valid: block.valid }))
        : trial.throughput.blocks.map((value) => ({ value, valid: true }));
    return { ...common, value: mean, low: ciLow, high: ciHigh, blocks };
  }
  if (metric === 'openP99') {
    const { openLoop } = trial;
    if (!openLoop) return null;
    const reasons = openLoop.carried ? common.reasons : [...common.reasons, `it could not answer ${wholeNumber(openLoop.rate)} requests/s`];
    return {
      ...common,
      usable: trial.valid && openLoop.carried,
      reasons,
      value: openLoop.p99Ms,
      low: openLoop.ciLow,
      high: openLoop.ciHigh,
      blocks: [],
    };
  }
  if (!trial.latencyMs) return null;
  const blocks = trial.blocks.flatMap((block) => (block.latencyMs ? [{ value: block.latencyMs.p99, valid: block.valid }] : []));
  return { ...common, value: trial.latencyMs.p99, low: null, high: null, blocks };
}

/** The contents of a chart in sentences, for screen readers. The table of figures holds the rest. */
export function chartSummary(series: readonly Series[], unit: string): string {
  if (series.length === 0) return 'Nothing has been measured yet.';
  const sentences = series.map((line) => {
    const valid = line.points.filter((point) => point.usable);
    const values = valid.map((point) => (unit === 'requests/s' ? wholeNumber(point.value) : figure(point.value)));
    const invalid = line.points.length - valid.length;
    const tail = invalid > 0 ? ` ${invalid} trial${invalid === 1 ? ' is' : 's are'} not valid.` : '';
    return values.length === 0 ? `${line.label}: no valid trial.${tail}` : `${line.label}: ${listPhrase(values)} ${unit}.${tail}`;
  });
  return `${sentences.join(' ')} The figures are in the table.`;
}
