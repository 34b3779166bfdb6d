import { wholeNumber } from '../../src/model/domain/format.ts';
import { hatchMark } from '../kit/charts/hatch.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { shortened } from '../../src/model/domain/plainText.ts';
import { pointMarks, pointNames } from '../kit/charts/pointLine.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';

export interface LevelPoint {
  level: number;
  value: number;
  /** 95 % interval. */
  low: number | null;
  high: number | null;
  valid: boolean;
  /** Shown when it is pointed at, in addition to its figure. */
  notes: readonly string[];
}

/** One variant of an experiment over its levels. `dash` is above 0 where hues had to be given out again. */
export interface LevelLine {
  label: string;
  hue: number;
  dash: number;
  points: LevelPoint[];
}

export interface ExperimentChartInput {
  lines: LevelLine[];
  /** Every level that is planned, so that the axis does not move while points come in. */
  levels: readonly number[];
  /** What levels count, e.g. connections. */
  levelName: string;
  format: (value: number) => string;
  unit: string;
}

/** How far above the largest measured value a whisker may reach. */
const whiskerRoom = 1.4;
const longestLabel = 22;

/** Whether levels about double (or more) from one to the next, so that they are evenly far apart on a log axis. */
export function isDoubling(levels: readonly number[]): boolean {
  if (levels.length < 3 || (levels[0] ?? 0) <= 0) return false;
  return (levels.at(-1) ?? 0) / (levels[0] ?? 1) >= 8 && levels.slice(1).every((level, index) => level / (levels[index] ?? level) >= 1.8);
}

/** Draws a figure over the levels, one line for each variant with whiskers and, where there are several, its name at its end. At one level the variants are side by side. */
export function drawExperimentChart(input: ExperimentChartInput, width: number, height: number): Drawing {
  const { levels } = input;
  const lines = input.lines.map((one) => ({ ...one, points: one.points.map((point) => ({ ...point, usable: point.valid })) }));
  const single = levels.length <= 1;
  const log = !single && isDoubling(levels);
  const position = (level: number, variant: number): number => (single ? variant : log ? Math.log2(level) : level);
  const options = frameOf(input, { single, position }, width, height);
  const { top } = options.y;
  const hotspots: Hotspot[] = [];
  for (const [variant, one] of lines.entries()) {
    const place = (point: LevelPoint): number => position(point.level, variant);
    options.marks.push(...pointMarks(one, one.dash, place, { top, ground: 0 }));
    for (const point of one.points)
      hotspots.push({
        x: xPixel(options, place(point)),
        y: yPixel(options, Math.min(point.value, top)),
        lines: pointLines(one, point, input, single),
      });
  }
  if (!single && lines.length > 1) options.marks.push(...pointNames(lines, options, longestLabel, ({ level }) => position(level, 0)));
  hotspots.sort((a, b) => a.x - b.x);
  return { node: drawPlot(options), hotspots };
}

interface Placing {
  single: boolean;
  position: (level: number, variant: number) => number;
}

function frameOf(input: ExperimentChartInput, { single, position }: Placing, width: number, height: number): FrameOptions {
  const { lines, levels, levelName } = input;
  const points = lines.flatMap((one) => one.points);
  const measured = Math.max(0, ...points.map((point) => point.value));
  const most = Math.max(measured, ...points.map((point) => Math.min(point.high ?? 0, measured * whiskerRoom)));
  const labelWidth =
    single || lines.length < 2 ? 20 : Math.min(160, Math.max(30, ...lines.map((one) => Math.min(one.label.length, longestLabel) * 7.2)));
  const frame = { width, height, top: 12, right: labelWidth + 14, bottom: 42, left: 56 };
  const places = single ? lines.map((_, variant) => variant) : levels.map((level) => position(level, 0));
  const low = Math.min(...places, single ? 0 : Number.POSITIVE_INFINITY);
  const high = Math.max(...places, low);
  const margin = single ? 0.5 : Math.max(0.25, (high - low) * 0.05);
  const room = (width - frame.left - frame.right) / Math.max(1, lines.length);
  const ticks = single
    ? lines.map((one, variant) => ({ position: variant, text: shortened(one.label, Math.max(4, Math.floor(room / 7))) }))
    : thinned(
        levels.map((level) => ({ position: position(level, 0), text: wholeNumber(level) })),
        (high - low + 2 * margin) / Math.max(1, width - frame.left - frame.right),
      );
  const empty = points.length === 0 ? 'nothing measured yet' : undefined;
  return {
    frame,
    x: { domain: [low - margin, high + margin], ticks, label: single ? '' : `${levelName} →` },
    y: { top: roundUp(most * 1.04) },
    empty,
    marks: [hatchMark(lines.map((one) => one.hue))],
  };
}

/** Ticks with room for their words: those that would run into the one before them are left out, but never the last. */
function thinned<T extends { position: number; text: string }>(ticks: readonly T[], perPx: number): T[] {
  const width = (tick: T): number => (tick.text.length * 7 + 10) * perPx;
  const last = ticks.at(-1);
  const kept: T[] = [];
  for (const tick of ticks) {
    const before = kept.at(-1);
    const clear = (one: T, other: T): boolean => Math.abs(one.position - other.position) >= (width(one) + width(other)) / 2;
    if ((!before || clear(before, tick)) && (!last || tick === last || clear(tick, last))) kept.push(tick);
  }
  return kept;
}

function pointLines(one: LevelLine, point: LevelPoint, { format, unit, levelName }: ExperimentChartInput, single: boolean): string[] {
  const interval = point.low === null || point.high === null ? '' : `, 95 % interval ${format(point.low)} – ${format(point.high)}`;
  return [
    single ? one.label : `${one.label} · ${wholeNumber(point.level)} ${levelName}`,
    `${format(point.value)} ${unit}${interval}`.trim(),
    ...point.notes,
  ];
}
