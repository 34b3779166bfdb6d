import { type Markish, ruleX, text } from '@observablehq/plot';
import type { Tick } from '../../src/model/protocol/runEvent.ts';
import { hueColor } from '../kit/style/hues.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { type FigureLine, figureMark, lineNames } from '../kit/charts/lineNames.ts';
import { type Drawing, type FrameOptions, drawPlot, secondsAxis, xPixel } from '../kit/charts/plotFrame.ts';
import { joinTurns, latestOfEach, turnsWithinMs } from './runSoFar.ts';
import { targetMarkOf } from '../../src/model/presentation/targetHue.ts';

/** A stretch of ticks to draw as one line. */
export interface TickSegment {
  target: string;
  key: string;
  /** Names of the trial, longest first; the first that has room is shown. */
  labels: readonly string[];
  measured: boolean;
  ticks: readonly Tick[];
}

/** A figure of a tick; its colour is that of the target. */
export interface TickLine extends Omit<FigureLine<Tick>, 'color'> {
  format: (value: number) => string;
}

/** How much of the past is shown, s. */
export const windowS = 60;
/** Of settings that take turns more often the beginnings are not marked. */
const turnMs = 2_000;
const nameHeightPx = 14;
/** In characters: more have no room next to a figure. */
const longestSetting = 9;
/** The same in all charts above each other, so that their time axes are aligned. */
export const leftPx = 52;
export const rightPx = 118;

/** Draws figures over the last minute of the run: a line for each trial, in its target's hue, faint while it warms up. */
export function drawTickChart(
  segments: readonly TickSegment[],
  lines: readonly TickLine[],
  nowMs: number,
  topmost: boolean,
  width: number,
  height: number,
): Drawing {
  const courses = joinTurns(segments);
  const now = Math.max(windowS, nowMs / 1000);
  const most = Math.max(
    0,
    ...segments.flatMap((segment) => segment.ticks.flatMap((tick) => lines.map((figure) => figure.value(tick) ?? 0))),
  );
  const options: FrameOptions = {
    frame: { width, height, top: topmost ? 22 : 8, right: rightPx, bottom: 8, left: leftPx },
    x: secondsAxis(now - windowS, now, false),
    y: { top: roundUp(most * 1.05), ticks: 3 },
    empty: most === 0 ? 'no load yet' : undefined,
    marks: [],
  };
  options.marks.push(...boundaries(segments, options, topmost), ...courses.flatMap((course) => lineMarks(course, lines)));
  options.marks.push(...endNames(courses, lines, options));
  return { node: drawPlot(options), hotspots: [] };
}

function lineMarks(course: TickSegment, lines: readonly TickLine[]): Markish[] {
  const color = hueColor(targetMarkOf(course.target));
  const look = course.measured ? {} : { strokeWidth: 1.2, strokeOpacity: 0.45 };
  return lines.map((one) => figureMark({ ...one, color }, course.ticks, look));
}

/** A hairline where a trial begins that stays for a while, with the trial's name where there is room for it. */
function boundaries(segments: readonly TickSegment[], options: FrameOptions, named: boolean): Markish[] {
  const starts = segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    const firstTick = segment.ticks[0];
    const staysMs = (segment.ticks.at(-1)?.timeMs ?? 0) - (firstTick?.timeMs ?? 0);
    if (!firstTick || before?.key === segment.key || staysMs < turnMs) return [];
    return [{ at: Math.max(options.x.domain[0], (firstTick.timeMs - firstTick.windowMs) / 1000), segment }];
  });
  const places = starts.map((start, index) => {
    const end = starts[index + 1]?.at ?? options.x.domain[1];
    return { ...start, room: xPixel(options, end) - xPixel(options, start.at) };
  });
  const fits = (label: string | undefined, room: number): boolean => label !== undefined && label.length * 6.4 + 6 < room;
  // One length for all: the longest that has room everywhere (stretches cut off at the edge aside), else the shortest.
  const inner = places.slice(1, -1);
  const level = [0, 1].find((candidate) => inner.every((place) => fits(place.segment.labels[candidate], place.room))) ?? 2;
  const shown = places.flatMap((place) => {
    const label = place.segment.labels[level];
    return label !== undefined && fits(label, place.room) ? [{ ...place, label }] : [];
  });
  return [
    ruleX(
      starts.map((start) => start.at),
      { x: (at: number) => at, stroke: 'color-mix(in srgb, var(--bs-fg) 20%, transparent)' },
    ),
    ...(named ? shown : []).map((start) =>
      text([start], {
        x: 'at',
        frameAnchor: 'top',
        text: 'label',
        fill: hueColor(targetMarkOf(start.segment.target)),
        textAnchor: 'start',
        fontSize: 11,
        dx: 4,
        dy: -18,
      }),
    ),
  ];
}

/** Where several settings take turns each line is named by its setting, where it has one figure and there is room; else by its figures. */
function endNames(courses: readonly TickSegment[], lines: readonly TickLine[], options: FrameOptions): Markish[] {
  const latestMs = Math.max(...courses.map(({ ticks }) => ticks.at(-1)?.timeMs ?? 0));
  const present = courses.filter(({ labels, ticks }) => labels.length > 0 && (ticks.at(-1)?.timeMs ?? 0) > latestMs - turnsWithinMs);
  const { top, bottom, height } = options.frame;
  const fitting = Math.floor((height - top - bottom) / nameHeightPx);
  const latestFirst = latestOfEach(present);
  const bySetting = lines.length === 1 && latestFirst.length > 1;
  const named = latestFirst.slice(0, bySetting ? fitting : 1);
  const oneTarget = named.every(({ target }) => target === named[0]?.target);
  const ends = named.flatMap(({ target, labels, ticks }) =>
    lines.flatMap(({ name, value, format }) => {
      const tick = ticks.at(-1);
      const now = tick === undefined ? null : value(tick);
      if (now === null) return [];
      const setting = oneTarget ? labels.at(-1) : labels.find((label) => label.length <= longestSetting);
      return [
        {
          name: bySetting ? `${setting ?? ''} · ${format(now)}` : `${format(now)} ${name}`,
          color: hueColor(targetMarkOf(target)),
          x: options.x.domain[1],
          y: now,
        },
      ];
    }),
  );
  return lineNames(ends, options, { dx: 6, gap: nameHeightPx, above: 0 });
}
