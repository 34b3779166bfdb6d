import type { Markish } from '@observablehq/plot';
import type { Observation } from '../../src/model/domain/observation.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { type FigureLine, figureEnds, figureMark, lineNames } from '../kit/charts/lineNames.ts';
import { type Drawing, type FrameOptions, drawPlot, secondsAxis } from '../kit/charts/plotFrame.ts';
import { leftPx, rightPx, windowS } from './tickChart.ts';

/** A figure of an observation. */
export type UseLine = FigureLine<Observation>;

/** What is drawn, on the time axis of the load above it. */
export interface UseChartInput {
  observations: readonly Observation[];
  lines: readonly UseLine[];
  /** Right end of the axis, s since the start. */
  toS: number;
  format: (value: number) => string;
  lowest: boolean;
}

/** Draws what processes and sessions were doing over the last minute. */
export function drawUseChart(input: UseChartInput, width: number, height: number): Drawing {
  const { observations, lines, toS, lowest, format } = input;
  const values = observations.flatMap((one) => lines.flatMap((figure) => figure.value(one) ?? []));
  const options: FrameOptions = {
    frame: { width, height, top: 8, right: rightPx, bottom: lowest ? 40 : 8, left: leftPx },
    x: secondsAxis(toS - windowS, toS, lowest),
    y: { top: roundUp(Math.max(1, ...values) * 1.05), ticks: 2 },
    empty: values.length === 0 ? 'not known yet' : undefined,
    marks: [],
  };
  options.marks.push(
    ...lines.map((one) => lineMark(one, observations)),
    ...lineNames(
      figureEnds(lines, observations.at(-1), toS, ({ name }, now) => `${name} ${format(now)}`),
      options,
      { gap: 13, above: 0, fontSize: 11 },
    ),
  );
  return { node: drawPlot(options), hotspots: [] };
}

/** A process is not looked at between two rounds; a line goes on over as much. */
const bridgedMs = 3_000;

function lineMark({ value, ...look }: UseLine, observations: readonly Observation[]): Markish {
  const known = observations.flatMap((one) => {
    const now = value(one);
    return now === null ? [] : [{ timeMs: one.timeMs, now }];
  });
  const points = known.flatMap((one, index) => {
    const before = known[index - 1]?.timeMs ?? one.timeMs;
    return one.timeMs - before > bridgedMs ? [{ timeMs: before, now: Number.NaN }, one] : [one];
  });
  return figureMark({ ...look, value: ({ now }) => now }, points);
}
