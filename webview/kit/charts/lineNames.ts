import { type Markish, text } from '@observablehq/plot';
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
