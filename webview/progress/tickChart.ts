import type { Markish } from '@observablehq/plot';
import { line, ruleX, text } from '@observablehq/plot';
import type { Tick } from '../../src/model/protocol/runEvent.ts';
import { hueColor } from '../kit/style/hues.ts';
import { roundUp, spreadLabels } from '../kit/charts/labelSpread.ts';
import type { Drawing, FrameOptions } from '../kit/charts/plotFrame.ts';
import { drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';
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

/** One figure of a tick as a line. */
export interface TickLine {
  name: string;
  value: (tick: Tick) => number | null;
  dashed: boolean;
  format: (value: number) => string;
}

/** How much of the past is shown, s. */
export const windowS = 60;
/** The same in all charts above each other, so that their time axes are aligned. */
export const leftPx = 52;
export const rightPx = 118;

/** Draws figures over the last minute of the run: each trial in its target's hue, warm-up faint, a hairline where the trial changes. */
export function drawTickChart(
  segments: readonly TickSegment[],
  lines: readonly TickLine[],
  nowMs: number,
  place: { topmost: boolean; lowest: boolean },
  width: number,
  height: number,
): Drawing {
  const { topmost, lowest } = place;
  const now = Math.max(windowS, nowMs / 1000);
  const most = Math.max(
    0,
    ...segments.flatMap((segment) => segment.ticks.flatMap((tick) => lines.map((figure) => figure.value(tick) ?? 0))),
  );
  const first = Math.ceil((now - windowS) / 10) * 10;
  const options: FrameOptions = {
    frame: { width, height, top: topmost ? 22 : 8, right: rightPx, bottom: lowest ? 40 : 8, left: leftPx },
    x: {
      domain: [now - windowS, now],
      ticks: (lowest ? Array.from({ length: 7 }, (_, index) => first + index * 10).filter((second) => second <= now) : []).map(
        (second) => ({ position: second, text: String(second) }),
      ),
      label: lowest ? 's since the start →' : '',
    },
    y: { top: roundUp(most * 1.05), ticks: 3 },
    empty: most === 0 ? 'no load yet' : undefined,
    marks: [],
  };
  options.marks.push(
    ...boundaries(segments, options, topmost),
    ...segments.flatMap((segment, index) => lineMarks(segment, segments[index - 1], lines)),
  );
  options.marks.push(...lineNames(segments, lines, options));
  return { node: drawPlot(options), hotspots: [] };
}

function lineMarks(segment: TickSegment, before: TickSegment | undefined, lines: readonly TickLine[]): Markish[] {
  const joined = before && before.key === segment.key ? before.ticks.slice(-1) : [];
  return lines.map((figure) =>
    line([...joined, ...segment.ticks], {
      x: (tick: Tick) => tick.timeMs / 1000,
      y: (tick: Tick) => figure.value(tick) ?? Number.NaN,
      stroke: hueColor(targetMarkOf(segment.target)),
      strokeWidth: segment.measured ? 1.6 : 1.2,
      strokeOpacity: segment.measured ? 1 : 0.45,
      clip: true,
      ...(figure.dashed ? { strokeDasharray: '4 3' } : {}),
    }),
  );
}

/** A hairline at each change of trial, with the trial's name where there is room for it. */
function boundaries(segments: readonly TickSegment[], options: FrameOptions, named: boolean): Markish[] {
  const starts = segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    const firstTick = segment.ticks[0];
    if (!firstTick || before?.key === segment.key) return [];
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

function lineNames(segments: readonly TickSegment[], lines: readonly TickLine[], options: FrameOptions): Markish[] {
  const last = segments.at(-1);
  const tick = last?.ticks.at(-1);
  if (!last || !tick) return [];
  const ends = lines.flatMap((figure) => {
    const value = figure.value(tick);
    return value === null ? [] : [{ name: `${figure.format(value)} ${figure.name}`, value, y: yPixel(options, value) }];
  });
  const spread = spreadLabels(
    ends.map((end) => end.y),
    14,
    options.frame.top,
    options.frame.height - options.frame.bottom,
  );
  return ends.map((end, index) =>
    text([end], {
      x: () => options.x.domain[1],
      y: 'value',
      text: 'name',
      dx: 6,
      dy: (spread[index] ?? end.y) - end.y,
      textAnchor: 'start',
      fontWeight: 600,
      fill: hueColor(targetMarkOf(last.target)),
    }),
  );
}
