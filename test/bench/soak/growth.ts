import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';

/** What was held at a moment. Heap is after a collection of all of it. */
export interface Held {
  minutes: number;
  /** MB, by who holds it. */
  heapMb: Record<string, number>;
  /** Of processes their descriptors; of a page its nodes, documents and listeners. */
  counts: Record<string, number>;
}

/** How much a figure grows, by a straight line through it, with the 95 % interval of the slope. */
export interface Growth {
  perHour: number;
  low: number;
  high: number;
  samples: number;
}

/** The slope of values over minutes, per hour. Null below five samples: nothing can be said then. */
export function growthOf(points: readonly { minutes: number; value: number }[]): Growth | null {
  const n = points.length;
  if (n < 5) return null;
  const mean = (of: (point: (typeof points)[number]) => number): number => points.reduce((sum, point) => sum + of(point), 0) / n;
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ value }) => value)];
  const spread = points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
  if (spread === 0) return null;
  const slope = points.reduce((sum, { minutes, value }) => sum + (minutes - x) * (value - y), 0) / spread;
  const residual = points.reduce((sum, { minutes, value }) => sum + (value - y - slope * (minutes - x)) ** 2, 0);
  const margin = studentTQuantile(0.975, n - 2) * Math.sqrt(residual / (n - 2) / spread);
  return { perHour: 60 * slope, low: 60 * (slope - margin), high: 60 * (slope + margin), samples: n };
}
