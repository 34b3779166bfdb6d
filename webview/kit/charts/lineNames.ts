import { type LineOptions, type Markish, line, text } from '@observablehq/plot';
import { spreadLabels } from './labelSpread.ts';
import { type FrameOptions, yPixel } from './plotFrame.ts';

/** The right end of a line, in the values of the chart, and its name and colour. */
export interface LineEnd {
  name: string;
  color: string;
  x: number;
  y: number;
}

/** How names are set, in px: how far behind the ends, how far from each other, how far above the ground. */
interface NameLook {
  dx?: number;
  gap?: number;
  above?: number;
  fontSize?: number;
}

/** A figure that is seen again and again, as a line with its name at the right end. */
export interface FigureLine<Seen> {
  name: string;
  value: (seen: Seen) => number | null;
  /** A CSS colour. */
  color: string;
  dash?: string;
  /** It only changes in steps, such as the size of a pool. */
  stepped?: boolean;
}

/** Draws a figure over time, in s; where it is not known the line has a gap. */
export function figureMark<Seen extends { timeMs: number }>(
  { value, color, dash, stepped = false }: Omit<FigureLine<Seen>, 'name'>,
  seen: readonly Seen[],
  look: LineOptions = {},
): Markish {
  return line(seen, {
    x: ({ timeMs }: Seen) => timeMs / 1000,
    y: (one: Seen) => value(one) ?? Number.NaN,
    stroke: color,
    strokeWidth: 1.6,
    clip: true,
    ...(stepped ? { curve: 'step-after' } : {}),
    ...(dash === undefined ? {} : { strokeDasharray: dash }),
    ...look,
  });
}

/** Where the lines of figures end, at `x`, with what they are called there. */
export function figureEnds<Seen>(
  lines: readonly FigureLine<Seen>[],
  last: Seen | undefined,
  x: number,
  nameOf = ({ name }: FigureLine<Seen>, _value: number): string => name,
): LineEnd[] {
  if (last === undefined) return [];
  return lines.flatMap((one) => {
    const y = one.value(last);
    return y === null ? [] : [{ name: nameOf(one, y), color: one.color, x, y }];
  });
}

/** The name of each line behind its right end, moved apart where they would overlap. */
export function lineNames(
  ends: readonly LineEnd[],
  options: FrameOptions,
  { dx = 8, gap = 15, above = 6, fontSize = 12 }: NameLook = {},
): Markish[] {
  const { top, bottom, height } = options.frame;
  const places = ends.map((end) => yPixel(options, end.y));
  const spread = spreadLabels(places, gap, top, height - bottom - above);
  return ends.map((end, index) =>
    text([end], {
      x: 'x',
      y: 'y',
      text: 'name',
      dx,
      dy: (spread[index] ?? 0) - (places[index] ?? 0),
      fill: end.color,
      fontSize,
      fontWeight: 600,
      textAnchor: 'start',
    }),
  );
}
