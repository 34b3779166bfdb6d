import { line, ruleX, text } from '@observablehq/plot';
import { durationPhrase, figure } from '../../src/model/format.ts';
import { hueColor } from '../shared/hues.ts';
import { roundUp, spreadLabels } from './labelSpread.ts';
import type { Drawing, FrameOptions, Hotspot } from './plotFrame.ts';
import { drawPlot, xPixel, yPixel } from './plotFrame.ts';

/** One figure of one arm over time, in seconds since its window opened. */
export interface TimeLine {
  label: string;
  hue: number;
  variant: number;
  points: readonly (readonly [number, number])[];
}

/** Something that happened at a time, e.g. an instance that was ended. */
export interface TimeMark {
  atS: number;
  label: string;
}

const dashes = ['', '6 3', '2 3', '8 3 2 3'];
const longestLabel = 22;
/** More points than these are not drawn: the eye does not see them. */
const mostPoints = 600;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800];
const mostTicks = 8;

/** Draws figures of one unit over time, with what happened meanwhile as hairlines. */
export function drawStudySeries(
  lines: readonly TimeLine[],
  marks: readonly TimeMark[],
  unit: string,
  width: number,
  height: number,
): Drawing {
  const points = lines.flatMap((one) => one.points);
  const lastS = Math.max(1, ...points.map(([atS]) => atS), ...marks.map((mark) => mark.atS));
  const labelWidth = Math.min(160, Math.max(30, ...lines.map((one) => Math.min(one.label.length, longestLabel) * 7.2)));
  const options: FrameOptions = {
    frame: { width, height, top: 28, right: labelWidth + 14, bottom: 42, left: 56 },
    x: { domain: [0, lastS], ticks: timeTicks(lastS), label: 'time →' },
    y: { top: roundUp(Math.max(0, ...points.map(([, value]) => value)) * 1.05) },
    empty: points.length === 0 ? 'nothing measured yet' : undefined,
    marks: [],
  };
  options.marks.push(...markRules(marks, options));
  for (const one of lines) {
    const dash = dashes[one.variant % dashes.length] ?? '';
    options.marks.push(
      line(thinned(one.points), {
        x: '0',
        y: '1',
        stroke: hueColor(one.hue),
        strokeWidth: 1.4,
        ...(dash === '' ? {} : { strokeDasharray: dash }),
      }),
    );
  }
  options.marks.push(...endLabels(lines, options));
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

function markRules(marks: readonly TimeMark[], options: FrameOptions): FrameOptions['marks'] {
  const room = options.frame.width - options.frame.right;
  return marks.flatMap((mark) => {
    const atPx = xPixel(options, mark.atS);
    const end = atPx + mark.label.length * 6.6 > room;
    return [
      ruleX([mark.atS], { stroke: 'var(--bs-muted)', strokeWidth: 1, strokeDasharray: '3 3' }),
      text([mark], {
        x: 'atS',
        frameAnchor: 'top',
        text: () => (mark.label.length > 40 ? `${mark.label.slice(0, 39)}…` : mark.label),
        fill: 'var(--bs-fg)',
        dx: end ? -5 : 5,
        dy: -14,
        textAnchor: end ? 'end' : 'start',
      }),
    ];
  });
}

function endLabels(lines: readonly TimeLine[], options: FrameOptions): FrameOptions['marks'] {
  const ends = lines.flatMap((one) => {
    const last = one.points.at(-1);
    return last ? [{ one, last, y: yPixel(options, last[1]) }] : [];
  });
  const { top, bottom, height } = options.frame;
  const spread = spreadLabels(
    ends.map((end) => end.y),
    15,
    top,
    height - bottom - 6,
  );
  return ends.map((end, index) =>
    text([end], {
      x: () => options.x.domain[1],
      y: () => end.last[1],
      text: () => (end.one.label.length > longestLabel ? `${end.one.label.slice(0, longestLabel - 1)}…` : end.one.label),
      dx: 8,
      dy: (spread[index] ?? end.y) - end.y,
      fill: hueColor(end.one.hue),
      fontWeight: 600,
      textAnchor: 'start',
    }),
  );
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
