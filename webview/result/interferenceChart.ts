import { findingText } from '../../src/model/domain/findings.ts';
import { type Markish, rect, ruleX, ruleY, text } from '@observablehq/plot';
import type { Interference } from '../../src/model/domain/interference.ts';
import { byWhomPhrase, interferencePercentPhrase } from '../../src/model/presentation/interferenceWords.ts';
import type { Block } from '../../src/model/domain/run.ts';
import { hatchMark, hatchUrl } from '../kit/charts/hatch.ts';
import { spreadLabels } from '../kit/charts/labelSpread.ts';
import { type Drawing, type FrameOptions, type Hotspot, drawPlot, xPixel, yPixel } from '../kit/charts/plotFrame.ts';

export interface StripBlock {
  label: string;
  block: Block;
}

export interface InterferenceInput {
  /** In the order in which they were measured. */
  blocks: readonly StripBlock[];
  mean: Interference | null;
}

/** The index of the hatch that is not a target's: that of the strip. */
const stripHatch = -1;
const steps = [10, 20, 40, 60, 80, 100];
/** Below this width the names of the two shades are one word each. */
const narrowPx = 640;
const edge = 'var(--bs-warning)';
const strong = 'color-mix(in srgb, var(--bs-warning) 72%, var(--bs-bg))';
const faint = 'color-mix(in srgb, var(--bs-warning) 32%, var(--bs-bg))';

/**
 * The share of the CPU that was lost over the run: a bar for each block on the run's time axis, steal by the hypervisor below, the use by other programs above it in a
 * fainter shade, both named at the right end; the mean dotted; discarded blocks hatched from the ground to the top.
 */
export function drawInterference({ blocks, mean }: InterferenceInput, width: number, height: number): Drawing {
  const known = blocks.flatMap(({ label, block }) => (block.interference === null ? [] : [{ label, block, taken: block.interference }]));
  const most = Math.max(0, ...known.map(({ taken }) => taken.takenPercent));
  const top = steps.find((step) => step >= most) ?? 100;
  const lastS = Math.max(1, ...blocks.map(({ block }) => (block.startMs + block.windowMs) / 1000));
  const firstS = Math.min(lastS - 1, ...blocks.map(({ block }) => block.startMs / 1000));
  const names = width < narrowPx ? { steal: 'machines', other: 'programs' } : { steal: 'other machines', other: 'other programs' };
  const options: FrameOptions = {
    frame: { width, height, top: 8, right: width < narrowPx ? 112 : 156, bottom: 24, left: 52 },
    x: { domain: [firstS, lastS], ticks: timeTicks(firstS, lastS), label: '' },
    y: { top, ticks: 2 },
    empty: known.length === 0 ? 'not known yet' : undefined,
    marks: [],
  };
  const bars = known.map(({ block, taken }) => {
    const steal = Math.min(taken.stealPercent, taken.takenPercent);
    return { x1: block.startMs / 1000, x2: (block.startMs + block.windowMs) / 1000, steal, taken: taken.takenPercent };
  });
  const spoiled = blocks
    .filter(({ block }) => !block.valid)
    .map(({ block }) => ({ x1: block.startMs / 1000, x2: (block.startMs + block.windowMs) / 1000 }));
  options.marks.push(
    hatchMark([stripHatch], edge),
    rect(bars, { x1: 'x1', x2: 'x2', y1: 'steal', y2: 'taken', fill: faint }),
    rect(bars, { x1: 'x1', x2: 'x2', y1: 0, y2: 'steal', fill: strong }),
    // The edge of the whole keeps the fainter shade in sight on every ground.
    ruleY(bars, { x1: 'x1', x2: 'x2', y: 'taken', stroke: edge, strokeWidth: 1 }),
    rect(spoiled, { x1: 'x1', x2: 'x2', y1: 0, y2: top, fill: hatchUrl(stripHatch), stroke: edge, strokeWidth: 0.6 }),
    ...(mean === null ? [] : meanMarks(mean, options, names)),
  );
  return { node: drawPlot(options), hotspots: hotspotsOf(blocks, options) };
}

function meanMarks(mean: Interference, options: FrameOptions, names: { steal: string; other: string }): Markish[] {
  const [low, high] = options.x.domain;
  const { top, bottom, height } = options.frame;
  const labels = [
    ...(mean.otherPercent >= 0.5
      ? [{ words: `${names.other} ${interferencePercentPhrase(mean.otherPercent)}`, fill: 'var(--bs-muted)' }]
      : []),
    ...(mean.stealPercent >= 0.5 ? [{ words: `${names.steal} ${interferencePercentPhrase(mean.stealPercent)}`, fill: edge }] : []),
  ];
  const at = yPixel(options, mean.takenPercent);
  // In the order of the shades: the label of the upper shade is above.
  const spread = spreadLabels(
    labels.map((_, index) => at + index * 14 - 7),
    14,
    top + 4,
    height - bottom - 4,
  );
  return [
    ruleY([mean.takenPercent], { x1: low, x2: high, stroke: 'var(--bs-fg)', strokeOpacity: 0.7, strokeDasharray: '1 3' }),
    ruleX([high], { stroke: 'var(--bs-grid)' }),
    ...labels.map(({ words, fill }, index) =>
      text([words], {
        x: () => high,
        y: () => mean.takenPercent,
        text: () => words,
        dx: 8,
        dy: (spread[index] ?? at) - at,
        fill,
        fontWeight: 600,
        textAnchor: 'start',
      }),
    ),
  ];
}

function hotspotsOf(blocks: readonly StripBlock[], options: FrameOptions): Hotspot[] {
  return blocks.map(({ label, block }) => {
    const taken = block.interference;
    return {
      x: xPixel(options, (block.startMs + block.windowMs / 2) / 1000),
      y: yPixel(options, taken?.takenPercent ?? 0),
      lines: [
        `${label}, round ${block.round}`,
        ...(taken === null
          ? ['the interference is not known']
          : [`interference took ${interferencePercentPhrase(taken.takenPercent)} of the CPU`]),
        ...(taken === null || byWhomPhrase(taken) === '' ? [] : [byWhomPhrase(taken)]),
        ...block.reasons.map((reason) => `discarded: ${findingText(reason)}`),
      ],
    };
  });
}

/** Whole seconds or minutes, about five of them. */
function timeTicks(firstS: number, lastS: number): { position: number; text: string }[] {
  const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find((size) => (lastS - firstS) / size <= 6) ?? 7200;
  const from = Math.ceil(firstS / step) * step;
  const count = Math.floor((lastS - from) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index * step).map((second) => ({
    position: second,
    text: clock(second),
  }));
}

/** 95 → "1:35". */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
