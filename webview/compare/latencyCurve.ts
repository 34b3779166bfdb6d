import { dot, line } from '@observablehq/plot';
import type { LatencyCurve } from '../../src/model/domain/comparison.ts';
import { figure } from '../../src/model/domain/format.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { shortened } from '../../src/model/domain/plainText.ts';
import { lineNames } from '../kit/charts/lineNames.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';

/** One curve. `marked` are the quantiles whose figure is shown when pointed at. */
export interface CurveSeries {
  label: string;
  color: string;
  /** In addition to the colour, so that curves are distinguishable without it. */
  dash: string;
  symbol: 'circle' | 'diamond';
  curve: LatencyCurve;
  marked: readonly { quantile: number; ms: number }[];
}

const namedQuantiles = [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];
/** Below this width there is no room for the words of both ends. */
const narrowPx = 520;
/** Latencies that spread over more than this many times need a log axis. */
const logFrom = 40;
/** At the right end, for the longer name of the two; what is longer still ends in dots. */
const mostNameRoom = 130;
const nameCharacterPx = 6.6;

/** The position of a quantile on the axis: log₁₀ 1/(1 − q), so that each decade of the tail gets the same room. */
export function quantilePosition(quantile: number): number {
  return Math.log10(1 / (1 - quantile));
}

/** "p99" for 0.99. */
export function quantileName(quantile: number): string {
  return `p${Number((quantile * 100).toFixed(3))}`;
}

/** "half", "9 of 10", "999 of 1,000": the requests that were as fast as a quantile, in words. */
function shareWords(quantile: number): string {
  if (quantile === 0) return 'fastest';
  if (quantile === 0.5) return 'half';
  const of = Math.round(1 / (1 - quantile));
  return `${(of - 1).toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`;
}

/** Draws latency by quantile, one curve for each series, with its name at the right end. */
export function drawLatencyCurves(series: readonly CurveSeries[], width: number, height: number): Drawing {
  const points = series.flatMap(({ curve }) => curve);
  const positive = points.filter((point) => point.ms > 0).map((point) => point.ms);
  const most = Math.max(0, ...positive);
  const least = Math.min(...positive);
  const furthest = Math.max(1, ...points.map((point) => quantilePosition(point.quantile)));
  const log = positive.length > 0 && most / least > logFrom;
  const room = Math.min(mostNameRoom, width / 4, 16 + nameCharacterPx * Math.max(0, ...series.map(({ label }) => label.length)));
  const options: FrameOptions = {
    frame: { width, height, top: 12, right: room, bottom: 42, left: 52 },
    x: {
      domain: [0, furthest],
      ticks: namedQuantiles
        .filter((quantile) => quantilePosition(quantile) <= furthest + 1e-9 && (quantile > 0 || width >= narrowPx))
        .map((quantile) => ({ position: quantilePosition(quantile), text: shareWords(quantile) })),
      label: 'share of the requests, from the fastest to the slowest →',
    },
    y: log ? { top: roundUp(most), bottom: least * 0.9, log: true } : { top: roundUp(most * 1.04) },
    empty: points.length === 0 ? 'no histogram was kept' : undefined,
    marks: [],
  };
  const hotspots: Hotspot[] = [];
  for (const one of series) {
    const place = (point: { quantile: number }): number => quantilePosition(point.quantile);
    options.marks.push(
      line(one.curve, {
        x: place,
        y: 'ms',
        stroke: one.color,
        strokeWidth: 1.6,
        curve: 'step-after',
        ...(one.dash === '' ? {} : { strokeDasharray: one.dash }),
      }),
    );
    const shown = one.marked.filter((point) => point.ms > 0 && place(point) <= furthest + 1e-9);
    options.marks.push(dot(shown, { x: place, y: 'ms', r: 3.5, fill: one.color, symbol: one.symbol }));
    for (const point of shown)
      hotspots.push({
        x: xPixel(options, place(point)),
        y: yPixel(options, point.ms),
        lines: [`${one.label} · ${quantileName(point.quantile)}`, `${figure(point.ms)} ms`],
      });
  }
  options.marks.push(...endNames(series, options));
  hotspots.sort((a, b) => a.x - b.x);
  return { node: drawPlot(options), hotspots };
}

function endNames(series: readonly CurveSeries[], options: FrameOptions): FrameOptions['marks'] {
  const most = Math.floor((options.frame.right - 16) / nameCharacterPx + 0.01);
  const ends = series.flatMap(({ label, color, curve }) => {
    const last = curve.at(-1);
    return last === undefined ? [] : [{ name: shortened(label, most), color, x: quantilePosition(last.quantile), y: last.ms }];
  });
  return lineNames(ends, options, { dx: 9 });
}
