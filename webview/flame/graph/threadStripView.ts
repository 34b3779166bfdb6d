import { roundUpTo } from '../../kit/charts/labelSpread.ts';
import { categories, categoryLabels } from '../core/colours.ts';
import type { ThreadStrip } from '../core/layout.ts';
import type { BoxWords } from './boxWords.ts';
import { displayName } from '../../../src/calltree/shownNames.ts';
import { timePhrase } from '../../../src/model/presentation/weightPhrase.ts';

/** CSS pixels. */
export const threadRowHeight = 18;
/** Category of a cell in which nothing was sampled. */
const nothingSampled = 255;

/** First and last row to be drawn, the last exclusive, with a few more around what is on show. */
export function visibleRows(count: number, scrollTop: number, height: number): readonly [first: number, end: number] {
  const spare = 4;
  const first = Math.max(0, Math.floor(scrollTop / threadRowHeight) - spare);
  return [Math.min(first, count), Math.min(count, Math.ceil((scrollTop + height) / threadRowHeight) + spare)];
}

export function bucketAt(strip: ThreadStrip, share: number): number {
  return Math.min(strip.buckets - 1, Math.max(0, Math.floor(share * strip.buckets)));
}

export function timeOf(strip: ThreadStrip, bucket: number): number {
  return strip.fromUs + ((strip.toUs - strip.fromUs) * bucket) / strip.buckets;
}

/** The range of the buckets from one to the other, both included, in either order. */
export function rangeOf(strip: ThreadStrip, one: number, other: number): { fromUs: number; toUs: number } {
  return { fromUs: timeOf(strip, Math.min(one, other)), toUs: timeOf(strip, Math.max(one, other) + 1) };
}

/** Names of threads and states by number; '' where there is none. */
export interface StripNames {
  threads: readonly string[];
  states: readonly string[];
}

export function threadName(strip: ThreadStrip, names: StripNames, row: number): string {
  const thread = strip.threads[row] ?? -1;
  return displayName(names.threads[thread] || (thread === -1 ? 'thread not known' : `thread ${thread}`), 200);
}

export function wordsOfCell(
  strip: ThreadStrip,
  names: StripNames,
  row: number,
  bucket: number,
  weight: (value: number) => string,
): BoxWords {
  const cell = row * strip.buckets + bucket;
  const category = categories[strip.category[cell] ?? nothingSampled];
  const state = names.states[strip.state[cell] ?? 0] ?? '';
  const start = timeOf(strip, bucket);
  return {
    name: threadName(strip, names, row),
    place: '',
    rows: [
      { label: 'time', values: [`${timePhrase(start * 1000)} to ${timePhrase(timeOf(strip, bucket + 1) * 1000)}`] },
      { label: 'mostly', values: [category === undefined ? 'nothing sampled' : categoryLabels[category]] },
      ...(category !== undefined && state !== '' ? [{ label: 'state', values: [displayName(state, 100)] }] : []),
      ...(category === undefined ? [] : [{ label: 'sampled', values: [weight(strip.weight[cell] ?? 0)] }]),
    ],
  };
}

/**
 * Paints rows of cells into `texels`, a texel per device pixel and row; each takes the category with the most weight among the buckets it covers.
 * `colours` are packed, by category.
 */
export function paintCells(
  strip: ThreadStrip,
  firstRow: number,
  endRow: number,
  width: number,
  colours: Uint32Array,
  background: number,
  texels: Uint32Array,
): void {
  const { buckets, category, weight } = strip;
  for (let row = firstRow; row < endRow; row++) {
    const start = row * buckets;
    const offset = (row - firstRow) * width;
    for (let column = 0; column < width; column++) {
      const first = Math.min(buckets - 1, Math.floor((column * buckets) / width));
      const end = Math.max(first + 1, Math.floor(((column + 1) * buckets) / width));
      let best = nothingSampled;
      let bestWeight = -1;
      for (let bucket = first; bucket < end; bucket++) {
        const found = category[start + bucket]!;
        const heavy = weight[start + bucket]!;
        if (found !== nothingSampled && heavy > bestWeight) {
          best = found;
          bestWeight = heavy;
        }
      }
      texels[offset + column] = best === nothingSampled ? background : (colours[best] ?? background);
    }
  }
}

const units = { min: 60_000_000, s: 1_000_000, ms: 1_000, µs: 1 };

/** Ticks at round times, at most `most` of them, all in the unit that suits the span. */
export function timeTicks(fromUs: number, toUs: number, most: number): { atUs: number; text: string }[] {
  const span = toUs - fromUs;
  if (!(span > 0) || most < 1) return [];
  const [name, us] = Object.entries(units).find(([, size]) => span >= 2 * size) ?? ['µs', 1];
  const step = roundUpTo([1, 2, 5, 10], span / most / us) * us;
  const digits = Math.max(0, -Math.floor(Math.log10(step / us) + 1e-9));
  const ticks = [];
  for (let index = Math.ceil(fromUs / step - 1e-9); index * step <= toUs + step * 1e-9; index++) {
    ticks.push({ atUs: index * step, text: `${((index * step) / us).toFixed(digits)} ${name}` });
  }
  return ticks;
}
