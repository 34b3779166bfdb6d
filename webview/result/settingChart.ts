import { findingTexts } from '../../src/model/domain/findings.ts';
import { type Markish, dot, line, rect, text } from '@observablehq/plot';
import type { Trial } from '../../src/model/domain/run.ts';
import { noiseAdjustedPhrase, whilePhrase } from '../../src/model/presentation/interferenceWords.ts';
import { figure, wholeNumber } from '../../src/model/domain/format.ts';
import { type Axis, axisTicks } from '../kit/figures/axis.ts';
import { hueColor } from '../kit/style/hues.ts';
import type { Metric, Point, Series } from '../kit/figures/series.ts';
import { hatchMark } from '../kit/charts/hatch.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { pointMarks, pointNames } from '../kit/charts/pointLine.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';
import { bestThroughput } from '../../src/model/presentation/runTable.ts';

export interface SettingChartInput {
  trials: readonly Trial[];
  axis: Axis;
  axisLabel: string;
  metric: Metric;
  series: Series[];
  /** δ: how far below the best the band reaches, a share. */
  delta: number;
}

const blockSpreadPx = 8;
const seriesShiftPx = 6;
/** How far above the largest measured value a whisker may reach. */
const whiskerRoom = 1.4;

/** Draws blocks as dots, means with their 95 % interval, the band within δ of the best, and the recommended point ringed. */
export function drawSettingChart(input: SettingChartInput, width: number, height: number): Drawing {
  const options = frameOf(input, width, height);
  const { series, metric } = input;
  const unitPx = xPixel(options, 1) - xPixel(options, 0);
  const shift = new Map(series.map((line, index) => [line.key, ((index - (series.length - 1) / 2) * seriesShiftPx) / unitPx]));
  const place = (line: Series, point: Point): number => point.position + (shift.get(line.key) ?? 0);
  const top = options.y.top;

  if (metric === 'throughput') options.marks.push(...bands(input, options));
  if (metric === 'throughput') for (const line of series) options.marks.push(...predictedMarks(line, input.axis.log, options.y.top));
  const hotspots: Hotspot[] = [];
  for (const line of series) {
    options.marks.push(...seriesMarks(line, (point) => place(line, point), unitPx, top));
    for (const point of line.points) {
      hotspots.push({
        x: xPixel(options, place(line, point)),
        y: yPixel(options, Math.min(point.value, top)),
        lines: pointLines(line, point, metric, input),
      });
    }
  }
  options.marks.push(
    ...pointNames(series, options, 20, (point: Point, one: Series) => place(one, point)),
    ...ringMarks(series, place, metric),
  );
  hotspots.sort((a, b) => a.x - b.x);
  return { node: drawPlot(options), hotspots };
}

function frameOf(input: SettingChartInput, width: number, height: number): FrameOptions {
  const drawn = input.series.flatMap((line) => line.points);
  // What could not be carried says how long a block was, not how long a request takes: it does not set the scale.
  const carried = drawn.filter((point) => point.usable);
  const points = input.metric === 'openP99' && carried.length > 0 ? carried : drawn;
  const ticks = axisTicks(input.axis, (id) => input.trials.find((trial) => trial.target === id)?.targetLabel ?? id);
  const positions = ticks.map((tick) => tick.position);
  const low = Math.min(...positions);
  const high = Math.max(...positions);
  const values = points.flatMap((point) => [point.value, ...point.blocks.map((block) => block.value)]);
  const predicted = input.metric === 'throughput' ? points.map((point) => point.predicted ?? 0) : [];
  const measured = Math.max(0, ...values);
  // Two blocks that differ have an interval many times their mean: it is cut off, or it would press everything that was measured to the ground.
  const most = Math.max(
    measured,
    ...predicted.map((value) => Math.min(value, measured * whiskerRoom)),
    ...points.map((point) => Math.min(point.high ?? 0, measured * whiskerRoom)),
  );
  const positive = values.filter((value) => value > 0);
  const least = Math.min(...positive);
  const log = input.metric !== 'throughput' && positive.length > 1 && most / least > 40;
  const labelWidth = Math.min(150, Math.max(30, ...input.series.map((line) => line.label.length * 7.2)));
  const margin = Math.max(0.25, (high - low) * 0.06);
  return {
    frame: { width, height, top: 12, right: labelWidth + 14, bottom: 42, left: 52 },
    x: { domain: [low - margin, high + margin], ticks, label: input.axisLabel === '' ? '' : `${input.axisLabel} →` },
    y: log ? { top: roundUp(most), bottom: least * 0.8, log: true } : { top: roundUp(most * 1.04) },
    empty: points.length === 0 ? 'no trial measured yet' : undefined,
    marks: [hatchMark(input.series.map((line) => line.hue))],
  };
}

/** One faint band for each target: from δ below its best mean up to it. */
function bands(input: SettingChartInput, options: FrameOptions): Markish[] {
  const [x1, x2] = options.x.domain;
  const targets = new Map(input.series.map((line) => [line.target, line.hue]));
  return [...targets].flatMap(([target, hue]) => {
    const best = bestThroughput(input.trials, target);
    if (best === null) return [];
    const fill = `color-mix(in srgb, ${hueColor(hue)} var(--bs-band), transparent)`;
    return [rect([{ x1, x2, y1: best * (1 - input.delta), y2: best }], { x1: 'x1', x2: 'x2', y1: 'y1', y2: 'y2', fill })];
  });
}

/** Steps in which the predicted line is drawn between two tested values. */
const predictedSteps = 16;

/**
 * What the operational laws predict, thin and dashed, behind what was measured. Between two tested values it grows in proportion to the setting
 * until the limit that the larger one is predicted to have.
 */
function predictedMarks(series: Series, log: boolean, top: number): Markish[] {
  const known = series.points.flatMap((point) => (point.predicted === null ? [] : [{ x: point.position, y: point.predicted }]));
  const path = known.flatMap((from, index) => {
    const to = known[index + 1];
    if (!to) return [from];
    return Array.from({ length: predictedSteps }, (_, step) => {
      const x = from.x + ((to.x - from.x) * step) / predictedSteps;
      const straight = from.y + ((to.y - from.y) * step) / predictedSteps;
      return { x, y: log && to.y >= from.y ? Math.min(from.y * 2 ** (x - from.x), to.y) : straight };
    });
  });
  if (known.length < 2) return [];
  return [
    line(
      path.map((place) => ({ ...place, y: Math.min(place.y, top) })),
      { x: 'x', y: 'y', stroke: hueColor(series.hue), strokeWidth: 1, strokeOpacity: 0.75, strokeDasharray: '2 3' },
    ),
  ];
}

function seriesMarks(series: Series, place: (point: Point) => number, unitPx: number, top: number): Markish[] {
  const color = hueColor(series.hue);
  const blocks = series.points.flatMap((point) =>
    point.blocks.map((block, index, all) => ({
      x: place(point) + ((all.length < 2 ? 0 : index / (all.length - 1) - 0.5) * 2 * blockSpreadPx) / unitPx,
      y: Math.min(block.value, top),
      faint: !block.valid || !point.usable,
    })),
  );
  return [
    dot(
      blocks.filter((block) => !block.faint),
      { x: 'x', y: 'y', r: 2, fill: color, fillOpacity: 0.6 },
    ),
    dot(
      blocks.filter((block) => block.faint),
      { x: 'x', y: 'y', r: 2, stroke: color, strokeOpacity: 0.6, strokeWidth: 0.8 },
    ),
    // An arrowhead where an interval goes on above the chart.
    dot(
      series.points.filter((point) => point.usable && (point.high ?? 0) > top),
      { x: place, y: top, r: 3, dy: 3, fill: color, symbol: 'triangle' },
    ),
    ...pointMarks(series, series.variant, place, { top, ground: Number.NEGATIVE_INFINITY }),
  ];
}

function ringMarks(series: readonly Series[], place: (line: Series, point: Point) => number, metric: Metric): Markish[] {
  const rings = series.flatMap((line) =>
    line.points.filter((point) => point.recommended).map((point) => ({ x: place(line, point), y: point.value })),
  );
  const lowest = [...rings].sort((a, b) => a.y - b.y)[0];
  return [
    dot(rings, { x: 'x', y: 'y', r: 8.5, stroke: 'var(--bs-fg)', strokeWidth: 1.2 }),
    ...(lowest && metric === 'throughput'
      ? [
          text([lowest], {
            x: 'x',
            y: 'y',
            text: () => 'recommended',
            fill: 'var(--bs-fg)',
            dy: 20,
            fontSize: 11,
            stroke: 'var(--bs-bg)',
            strokeWidth: 3,
            textAnchor: 'middle',
          }),
        ]
      : []),
  ];
}

function pointLines(line: Series, point: Point, metric: Metric, input: SettingChartInput): string[] {
  const { trial } = point;
  const value = input.axis.kind === 'connections' ? trial.connections : trial.settings[input.axis.name];
  const name = input.axis.kind === 'target' || value === undefined ? line.label : `${line.label} · ${input.axisLabel} ${value}`;
  const format = metric === 'throughput' ? wholeNumber : figure;
  const interval = point.low === null || point.high === null ? '' : `, 95 % interval ${format(point.low)} – ${format(point.high)}`;
  const figures =
    metric === 'throughput' ? `${wholeNumber(point.value)} requests/s${interval}` : `p99 ${figure(point.value)} ms${interval}`;
  const blocks = metric === 'openP99' ? (trial.openLoop?.blocks ?? 0) : point.blocks.length;
  return [
    name,
    figures,
    `${blocks} block${blocks === 1 ? '' : 's'}`,
    ...(metric === 'throughput' && point.predicted !== null ? [`predicted ${wholeNumber(point.predicted)} requests/s`] : []),
    ...(metric === 'openP99' && trial.openLoop ? [`at ${wholeNumber(trial.openLoop.rate)} requests/s, open loop`] : []),
    ...(point.recommended ? ['recommended'] : []),
    ...(whilePhrase(trial.interference) === '' ? [] : [whilePhrase(trial.interference)]),
    ...(metric === 'throughput' && noiseAdjustedPhrase(trial) !== '' ? [noiseAdjustedPhrase(trial)] : []),
    ...point.reasons.map((reason) => `not valid: ${reason}`),
    ...findingTexts(trial.notes),
  ];
}
