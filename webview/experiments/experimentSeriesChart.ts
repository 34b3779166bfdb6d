import { line, ruleX, text } from '@observablehq/plot';
import { durationPhrase, figure } from '../../src/model/domain/format.ts';
import { hueColor } from '../kit/style/hues.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { shortened } from '../../src/model/domain/plainText.ts';
import { lineNames } from '../kit/charts/lineNames.ts';
import { dashOf } from '../kit/charts/pointLine.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';

/** One figure of one variant over time, in seconds since its window opened. */
export interface TimeLine {
  label: string;
  hue: number;
  dash: number;
  points: readonly (readonly [number, number])[];
}

/** Something that happened at a time, e.g. an instance that was ended. */
export interface TimeMark {
  atS: number;
  label: string;
}

const longestLabel = 22;
const longestMark = 40;
const markRowPx = 14;
/** More points than these are not drawn: the eye does not see them. */
const mostPoints = 600;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800];
const mostTicks = 8;

/** Draws figures of one unit over time, with events as hairlines. */
export function drawExperimentSeries(
  lines: readonly TimeLine[],
  marks: readonly TimeMark[],
  unit: string,
  width: number,
  height: number,
): Drawing {
  const points = lines.flatMap((one) => one.points);
  const lastS = Math.max(1, ...points.map(([atS]) => atS), ...marks.map((mark) => mark.atS));
  const labelWidth = Math.min(160, Math.max(50, ...lines.map((one) => Math.min(one.label.length, longestLabel) * 7.2)));
  const options: FrameOptions = {
    frame: { width, height, top: 28, right: labelWidth + 14, bottom: 42, left: 56 },
    x: { domain: [0, lastS], ticks: timeTicks(lastS), label: 'time →' },
    y: { top: roundUp(Math.max(0, ...points.map(([, value]) => value)) * 1.05) },
    empty: points.length === 0 ? 'nothing measured yet' : undefined,
    marks: [],
  };
  const placed = placeMarks(marks, options);
  options.frame.top += markRowPx * Math.max(0, ...placed.map(({ row }) => row));
  options.marks.push(...markRules(placed));
  for (const one of lines) {
    options.marks.push(
      line(thinned(one.points), {
        x: '0',
        y: '1',
        stroke: hueColor(one.hue),
        strokeWidth: 1.4,
        ...dashOf(one.dash),
      }),
    );
  }
  options.marks.push(...endNames(lines, options));
  return { node: drawPlot(options), hotspots: hotspotsOf(lines, marks, unit, options) };
}

/** "30 s", "2 min": round times, not too many. */
function timeTicks(lastS: number): { position: number; text: string }[] {
  const step = steps.find((one) => lastS / one <= mostTicks) ?? Math.ceil(lastS / mostTicks);
  return Array.from({ length: Math.floor(lastS / step) + 1 }, (_, index) => ({ position: index * step, text: timeText(index * step) }));
}

function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return durationPhrase(seconds * 1000).replace(' min 0 s', ' min');
  return `${Number((seconds / 3600).toFixed(1))} h`;
}

interface PlacedMark {
  mark: TimeMark;
  label: string;
  dx: number;
  anchor: 'start' | 'end';
  /** 0: just above the frame; each additional row is above the one before. */
  row: number;
}

/** Labels next to their hairlines where there is room for them, else as far to the left as need be; those that would overlap above each other. */
function placeMarks(marks: readonly TimeMark[], options: FrameOptions): PlacedMark[] {
  const edgePx = options.frame.width - 8;
  const frameEndPx = options.frame.width - options.frame.right;
  const takenPx: number[] = [];
  return marks.map((mark) => {
    const label = shortened(mark.label, longestMark);
    const widePx = label.length * 6.6;
    const atPx = xPixel(options, mark.atS);
    const anchor = atPx + widePx > frameEndPx && atPx - widePx >= 0 ? 'end' : 'start';
    const dx = anchor === 'end' ? -5 : Math.min(5, edgePx - widePx - atPx);
    const startPx = anchor === 'end' ? atPx + dx - widePx : atPx + dx;
    const free = takenPx.findIndex((end) => end < startPx);
    const row = free === -1 ? takenPx.length : free;
    takenPx[row] = startPx + widePx + 6;
    return { mark, label, dx, anchor, row };
  });
}

function markRules(placed: readonly PlacedMark[]): FrameOptions['marks'] {
  return placed.flatMap(({ mark, label, dx, anchor, row }) => [
    ruleX([mark.atS], { stroke: 'var(--bs-muted)', strokeWidth: 1, strokeDasharray: '3 3' }),
    text([mark], {
      x: 'atS',
      frameAnchor: 'top',
      text: () => label,
      fill: 'var(--bs-fg)',
      dx,
      dy: -14 - row * markRowPx,
      textAnchor: anchor,
    }),
  ]);
}

function endNames(lines: readonly TimeLine[], options: FrameOptions): FrameOptions['marks'] {
  const ends = lines.flatMap((one) => {
    const last = one.points.at(-1);
    if (!last) return [];
    return [{ name: shortened(one.label, longestLabel), color: hueColor(one.hue), x: options.x.domain[1], y: last[1] }];
  });
  return lineNames(ends, options);
}

function hotspotsOf(lines: readonly TimeLine[], marks: readonly TimeMark[], unit: string, options: FrameOptions): Hotspot[] {
  const ends = lines.flatMap((one) => {
    const [first, last] = [one.points[0], one.points.at(-1)];
    if (!first || !last) return [];
    const most = one.points.reduce((best, point) => (point[1] > best[1] ? point : best), first);
    const least = one.points.reduce((best, point) => (point[1] < best[1] ? point : best), first);
    return [...new Set([most, least, last])].map((point) => ({
      x: xPixel(options, point[0]),
      y: yPixel(options, point[1]),
      lines: [
        one.label,
        `${figure(point[1])} ${unit} at ${timeText(Math.round(point[0]))}`,
        point === last ? 'at the end' : point === most ? 'most' : 'least',
      ],
    }));
  });
  const happened = marks.map((mark) => ({
    x: xPixel(options, mark.atS),
    y: options.frame.top,
    lines: [mark.label, `at ${timeText(Math.round(mark.atS))}`],
  }));
  return [...ends, ...happened].sort((a, b) => a.x - b.x);
}

function thinned(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const every = Math.max(1, Math.ceil(points.length / mostPoints));
  return points.filter((_, index) => index % every === 0 || index === points.length - 1);
}
