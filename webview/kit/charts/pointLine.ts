import { type Markish, dot, line, ruleX } from '@observablehq/plot';
import { shortened } from '../../../src/model/domain/plainText.ts';
import { hueShape } from '../../../src/model/presentation/targetHue.ts';
import { hueColor } from '../style/hues.ts';
import { hatchUrl } from './hatch.ts';
import { lineNames } from './lineNames.ts';
import type { FrameOptions } from './plotFrame.ts';

/** A figure with its 95 % interval, and whether it counts. */
interface MeasuredPoint {
  value: number;
  low: number | null;
  high: number | null;
  usable: boolean;
}

interface PointLine<P extends MeasuredPoint> {
  label: string;
  hue: number;
  points: readonly P[];
}

const dashes = ['', '6 3', '2 3', '8 3 2 3'];

/** How the later lines of one hue differ from its first. */
export function dashOf(variant: number): { strokeDasharray?: string } {
  const dash = dashes[variant % dashes.length] ?? '';
  return dash === '' ? {} : { strokeDasharray: dash };
}

/** A line through its points, with their intervals as far as the chart reaches; those that do not count are hatched. `ground`: where intervals end below. */
export function pointMarks<P extends MeasuredPoint>(
  { hue, points }: PointLine<P>,
  variant: number,
  place: (point: P) => number,
  { top, ground }: { top: number; ground: number },
): Markish[] {
  const color = hueColor(hue);
  const symbol = hueShape(hue);
  const usable = points.filter((point) => point.usable);
  const y = (point: P): number => Math.min(point.value, top);
  return [
    line(usable, { x: place, y, stroke: color, strokeWidth: 1.4, ...dashOf(variant) }),
    ruleX(
      usable.filter((point) => point.low !== null && point.high !== null),
      {
        x: place,
        y1: (point: P) => Math.max(ground, point.low ?? 0),
        y2: (point: P) => Math.min(point.high ?? 0, top),
        stroke: color,
        strokeWidth: 2,
      },
    ),
    dot(usable, { x: place, y, r: 4, fill: color, symbol }),
    dot(
      points.filter((point) => !point.usable),
      { x: place, y, r: 6, fill: hatchUrl(hue), stroke: color, strokeWidth: 1.2, strokeDasharray: '2 2', symbol },
    ),
  ];
}

/** The name of each line behind its last point that counts; one of more than `longest` characters is cut. */
export function pointNames<L extends PointLine<MeasuredPoint>>(
  lines: readonly L[],
  options: FrameOptions,
  longest: number,
  place: (point: L['points'][number], one: L) => number,
): Markish[] {
  const ends = lines.flatMap((one) => {
    const points: readonly L['points'][number][] = one.points;
    const last = points.findLast((point) => point.usable) ?? points.at(-1);
    if (!last) return [];
    const x = Math.max(place(last, one), options.x.domain[1]);
    return [{ name: shortened(one.label, longest), color: hueColor(one.hue), x, y: Math.min(last.value, options.y.top) }];
  });
  return lineNames(ends, options);
}
