import { type Markish, ruleX, text } from '@observablehq/plot';
import { refusalText } from '../../src/model/domain/liveRefusal.ts';
import type { LiveChange, LiveSample } from '../../src/model/protocol/live.ts';
import { roundUp } from '../kit/charts/labelSpread.ts';
import { type FigureLine, figureEnds, figureMark, lineNames } from '../kit/charts/lineNames.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, secondsAxis, xPixel } from '../kit/charts/plotFrame.ts';
import { sessionWindowMs } from './liveProgress.ts';

/** A figure of a sample. */
export type SessionLine = FigureLine<LiveSample>;

/** What one of the charts above each other is drawn from; all have the same time axis. */
export interface SessionChartInput {
  lines: readonly SessionLine[];
  samples: readonly LiveSample[];
  /** Changes with what they were, as words: “pool 4 → 8”. */
  changes: readonly { change: LiveChange; words: string }[];
  /** Right end of the axis, ms since the session began. */
  nowMs: number;
  /** The topmost chart has the words of the changes, the lowest has the axis. */
  topmost: boolean;
  lowest: boolean;
}

/** The same in all charts, so that their time axes are aligned. */
const leftPx = 52;
const rightPx = 92;
/** Px of a letter at 11 px type, on average, and of a row of words above the topmost chart. */
const letterPx = 6.2;
const wordRowPx = 13;
const wordRows = 2;
/** Above the topmost chart, and above the others. */
const [wordsPx, gapPx] = [9 + wordRows * wordRowPx, 8];

/** Height of a chart whose lines have `plotPx` to themselves. */
export function sessionChartHeight(plotPx: number, topmost: boolean, lowest: boolean): number {
  return plotPx + (topmost ? wordsPx : gapPx) + (lowest ? 40 : 8);
}

/** Draws lines over the last minute; a vertical line at each change, dashed where it was refused. */
export function drawSessionChart(input: SessionChartInput, width: number, height: number): Drawing {
  const { lines, samples, topmost, lowest } = input;
  const windowS = sessionWindowMs / 1000;
  const now = Math.max(windowS, input.nowMs / 1000);
  const most = Math.max(0, ...samples.flatMap((sample) => lines.map((one) => one.value(sample) ?? 0)));
  const known = samples.some((sample) => lines.some((one) => one.value(sample) !== null));
  const options: FrameOptions = {
    frame: { width, height, top: topmost ? wordsPx : gapPx, right: rightPx, bottom: lowest ? 40 : 8, left: leftPx },
    x: secondsAxis(now - windowS, now, lowest),
    y: { top: roundUp(Math.max(most * 1.05, 1)), ticks: 3 },
    empty: known ? undefined : samples.length === 0 ? 'no load yet' : 'not seen in this app',
    marks: [],
  };
  const changes = input.changes.filter(({ change }) => change.timeMs / 1000 >= options.x.domain[0]);
  options.marks.push(
    ...changeMarks(changes, options, topmost),
    ...lines.map((one) => figureMark(one, samples)),
    ...(known ? lineNames(figureEnds(lines, samples.at(-1), now), options, { gap: 14, above: 0 }) : []),
  );
  const hotspots: Hotspot[] = topmost
    ? changes.map(({ change, words }) => ({
        x: xPixel(options, change.timeMs / 1000),
        y: 12,
        lines: [
          words,
          change.ok ? `in force after ${(change.effectiveMs / 1000).toFixed(1)} s` : 'not in force',
          ...(change.message === null ? [] : [refusalText(change.message)]),
        ],
      }))
    : [];
  return { node: drawPlot(options), hotspots };
}

function changeMarks(changes: SessionChartInput['changes'], options: FrameOptions, named: boolean): Markish[] {
  const stroke = 'color-mix(in srgb, var(--bs-fg) 45%, transparent)';
  const at = ({ change }: { change: LiveChange }): number => change.timeMs / 1000;
  const done = changes.filter(({ change }) => change.ok);
  const refused = changes.filter(({ change }) => !change.ok);
  // From the right: the latest change has its words, at its left where there is no room at its right; an earlier one in the lowest row where it does not run
  // into those of a later one.
  const free = Array.from({ length: wordRows }, () => options.frame.width);
  const shown = [...changes].reverse().flatMap((one) => {
    const from = xPixel(options, at(one));
    const length = one.words.length * letterPx + 6;
    for (const [row, end] of free.entries()) {
      const left = from + length < end ? from : from < end && from - length > 0 ? from - length : null;
      if (left === null) continue;
      free[row] = left;
      return [{ ...one, row, ahead: left === from }];
    }
    return [];
  });
  const words = (row: number, ahead: boolean): Markish =>
    text(
      shown.filter((one) => one.row === row && one.ahead === ahead),
      {
        x: at,
        frameAnchor: 'top',
        text: 'words',
        fill: 'var(--bs-fg)',
        textAnchor: ahead ? 'start' : 'end',
        fontSize: 11,
        dx: ahead ? 4 : -4,
        dy: -18 - row * wordRowPx,
      },
    );
  return [
    ruleX(done, { x: at, stroke }),
    ruleX(refused, { x: at, stroke, strokeDasharray: '2 3' }),
    ...(named ? free.flatMap((_, row) => [words(row, true), words(row, false)]) : []),
  ];
}
